import { EvidenceLog } from '../kit/evidence-log.js';
import { FileFolder } from '../kit/verifiers.js';

const [AA, BB] = ['00000000-0000-7000-8000-0000000000aa', '00000000-0000-7000-8000-0000000000bb'];

const folder = new FileFolder();
afterAll(() => folder.remove());

const log = new EvidenceLog();
for (const stream of ['account-1', 'job-1', 'job-1']) log.append({ account: AA, stream });
const [account, job] = [log.account(AA), log.stream('job-1')];

/** Expects both verifiers to find this. */
function expectNamed(file: string, { vkey }: EvidenceLog, ...named: string[]): void {
  for (const findings of folder.findings(file, vkey))
    for (const name of named) expect(findings.join('\n')).toContain(name);
}

describe('a log that its owner keeps wrongly, with the key', () => {
  it('is refused for a stream in two chains, in the file of each', () => {
    const wrong = new EvidenceLog().append({ account: BB, stream: 'job-1' });
    wrong.append({ account: AA, stream: 'job-1' });
    expectNamed(wrong.stream('job-1'), wrong, 'is of another chain');
    expectNamed(wrong.account(AA), wrong, 'stream job-1 revision 1: ', 'is missing');
  });

  it('is refused for leaves in another order than their chain', () => {
    const wrong = new EvidenceLog().append({ account: AA, stream: 'job-1' });
    wrong.append({ account: AA, stream: 'job-1' });
    const [first, second] = wrong.logged as [(typeof wrong.logged)[0], (typeof wrong.logged)[0]];
    wrong.logged.splice(0, 2, { ...second, leaf: 0 }, { ...first, leaf: 1 });
    const file = wrong.stream('job-1');
    const [, two, one] = file.match(
      /^(entry rps1 .*\nbody .*\nproof .*\n)(entry rps1 .*\nbody .*\nproof .*\n)/m,
    )!;
    const inOrder = file.replace(two! + one!, one! + two!).replace(/\nrps-head1 [^]*$/, '\n');
    const head = `${wrong.head('stream job-1 0 1 2', second).split('\n\n')[0]!}\n\n`;
    expectNamed(wrong.signedAgain(inOrder + head), wrong, 'its leaf number is too low');
  });

  it.each([
    ['fewer entries than the last one', account, `account ${AA} 0 2 3`, `account ${AA} 0 2 2`],
    ['more entries than leaves', account, `account ${AA} 0 2 3`, `account ${AA} 0 2 39`],
    ['more revisions than it shows', job, 'stream job-1 0 1 2', 'stream job-1 0 1 3'],
  ])('is refused for a head with %s', (_, file, subject, other) => {
    expect(file).toContain(subject);
    expectNamed(log.signedAgain(file.replaceAll(subject, other)), log, 'the head is impossible');
  });

  it('is refused for notes of two states, and a checkpoint of nothing', () => {
    const mixed = log.account(AA).replace(log.checkpoint(), log.checkpoint(2));
    expectNamed(log.signedAgain(mixed), log, 'the notes are of two states');
    const none = log.checkpoint().replace(/^(.+)\n\d+\n(.+\n)[^]*$/, '$1\n0\n$2');
    for (const findings of folder.findings(account, log.vkey, log.note(none)))
      expect(findings.join()).toContain('the checkpoint');
  });

  it('is refused for a signature in other base64', () => {
    const next = (digit: string) => String.fromCharCode(digit.charCodeAt(0) + 1);
    const other = account.replace(/(.)=\n$/, (_, digit: string) => `${next(digit)}=\n`);
    expectNamed(other, log, 'a signature is not in canonical base64');
  });
});
