import { spawnSync } from 'node:child_process';
import { truncateSync } from 'node:fs';
import { EvidenceLog } from '../kit/evidence-log.js';
import { vectors } from '../kit/evidence-vectors.js';
import { Random } from '../kit/random.js';
import { byGo, byNode, FileFolder, goIsMissing, VERIFY_MJS, type Records } from '../kit/verifiers.js';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const HOUR = 3_600_000;
const [AA, BB] = ['00000000-0000-7000-8000-0000000000aa', '00000000-0000-7000-8000-0000000000bb'];

const folder = new FileFolder();
afterAll(() => folder.remove());

if (goIsMissing) process.stderr.write(`main.go is not tested: ${goIsMissing}\n`);

/** How an error of a verifier itself reads, in Go and Node. */
const EXCEPTION =
  /runtime error|Cannot (read|set|destructure)|is not (a function|iterable|defined)|undefined|NaN/;

/** The verdicts of both verifiers, or of Node's alone where Go is missing. */
function verdicts(contents: readonly (string | Uint8Array)[], records: Records) {
  const files = contents.map((content) => folder.write(content));
  const node = files.map((file) => byNode(file, records));
  const all = goIsMissing ? [node] : [node, byGo(files, records)];
  for (const { findings } of all.flat()) expect(findings.join('\n')).not.toMatch(EXCEPTION);
  return all;
}

/** Expects the same of both verifiers, and that their findings name this. */
function expectBoth(content: string | Uint8Array, records: Records, holds: boolean, ...named: string[]) {
  for (const [verdict] of verdicts([content], records)) {
    expect({ ...verdict, holds: verdict!.findings }).toEqual({
      ...verdict,
      holds: holds ? [] : expect.anything(),
    });
    expect(verdict!.holds).toBe(holds);
    for (const name of named) expect(verdict!.findings.join('\n')).toContain(name);
  }
}

/** Every one of these files is refused by both. */
function expectRefused(contents: readonly (string | Uint8Array)[], records: Records) {
  for (const each of verdicts(contents, records))
    expect(each.flatMap(({ holds }, index) => (holds ? [contents[index]!.toString()] : []))).toEqual([]);
}

/** A log of two accounts and the installation, with jobs of the first one. */
function sampleLog(origin?: string): EvidenceLog {
  const log = new EvidenceLog(origin);
  const of = (account: string, ...streams: string[]) =>
    streams.forEach((stream) => log.append({ account, stream }));
  of('system', 'partner-1');
  of(AA, `account-${AA}`, 'job-1', 'job-1');
  of(BB, `account-${BB}`);
  of(AA, 'job-2', 'job-1', 'job-2');
  of(BB, 'job-3');
  of(AA, 'job-1', 'job-4');
  return log.append({ account: 'system', stream: 'partner-1' }).append({ account: AA, stream: 'job-4' });
}

const log = sampleLog();
const records = { vkey: log.vkey };
/** One file of each kind. */
const kinds: Readonly<Record<string, string>> = {
  account: log.account(AA, { since: [7] }),
  'account with a withheld body': log.account(AA, { withheld: ({ seq }) => seq === 3 }),
  period: log.account(AA, { first: 2, last: 5 }),
  system: log.account('system'),
  job: log.stream('job-1', { since: [4, 9] }),
};
const linesOf = (file: string) => file.split(/(?<=\n)/);

/** Changes a line, or a word or character of it. */
function edit(lines: string[], random: Random): void {
  const at = random.below(lines.length);
  const line = lines[at] ?? '';
  const words = line.trimEnd().split(' ');
  const place = random.below(words.length);
  const other = random.of(
    random
      .of(lines.length > 0 ? lines : [''])
      .trimEnd()
      .split(' '),
  );
  const byte = random.below(line.length);
  const edits: (() => unknown)[] = [
    () => lines.splice(at, 1),
    () => lines.splice(at, 0, line),
    () => lines.splice(at, 2, lines[at + 1] ?? '', line),
    () => (lines[at] = `${words.with(place, other).join(' ')}\n`),
    () => (lines[at] = `${words.with(place, String(random.below(9))).join(' ')}\n`),
    () => (lines[at] = `${words.toSpliced(place, 1).join(' ')}\n`),
    () => (lines[at] = line.slice(0, byte) + random.of([...'-A=9 \r\t']) + line.slice(byte + 1)),
  ];
  random.of(edits)();
}

describe('the specification', () => {
  it('makes these vectors', () => {
    const made = new EvidenceLog();
    for (const { entry, body } of vectors.entries) {
      const [, account, , , stream] = entry.split(' ') as [string, string, string, string, string];
      made.append({ account, stream, body });
    }
    expect(made.vkey).toBe(vectors.vkey);
    expect(made.checkpoint(4)).toBe(vectors.checkpoint4);
    const { account, job, period, system } = vectors.files;
    const job1 = 'job-00000000-0000-7000-8000-0000000000cc';
    expect([made.account(AA, { since: [4] }), made.stream(job1, { since: [4] })]).toEqual([account, job]);
    expect([made.account(AA, { first: 1, last: 2 }), made.account('system')]).toEqual([period, system]);
  });

  it.each(Object.entries(vectors.files))('accepts %s', (_, file) => {
    expectBoth(file, vectors, true);
  });

  it.each(Object.entries(vectors.refused))('refuses: %s', (_, file) => {
    expectBoth(file, vectors, false);
  });

  it('names the changed event', () => {
    const place = 'stream job-00000000-0000-7000-8000-0000000000cc revision 0: CHANGED';
    expectBoth(vectors.refused['body changed, signed again']!, vectors, false, place);
  });
});

describe('an honest file', () => {
  it.each(Object.keys(kinds))('holds: %s', (kind) => expectBoth(kinds[kind]!, records, true));

  it('holds at every size, from each kept checkpoint and head on', () => {
    const sizes = log.logged.map(({ leaf }) => leaf + 1);
    const since = sizes.slice(1);
    const kept = since.map((size) => folder.write(log.checkpoint(size)));
    const heads = log.logged
      .filter(({ account }) => account === AA)
      .map((one) =>
        folder.write(log.head(`account ${AA} ${one.seq} ${one.seq} ${one.seq + 1}`, one, one.leaf + 1)),
      );
    expectBoth(log.account(AA, { since }), { ...records, kept: [...kept, ...heads] }, true);
    const older = since.map((size) =>
      log.account(AA, { size, since: sizes.filter((old) => old < size && old > 1) }),
    );
    for (const each of verdicts(older, records)) expect(each.filter(({ holds }) => !holds)).toEqual([]);
    expectBoth(
      log.stream('job-1', { since }),
      { ...records, kept: older.map((file) => folder.write(file)) },
      true,
    );
  });

  it('lists what it withholds', () => {
    const [node, go] = verdicts([kinds['account with a withheld body']!], records);
    expect(node![0]!.withheld).toEqual(['line 8, stream job-2 revision 0']);
    if (go) expect(go[0]!.withheld).toEqual(node![0]!.withheld);
  });
});

describe('a changed file', () => {
  it(`is refused after any change of one byte (SEED=${seed})`, () => {
    const random = new Random(seed);
    const changed = Object.values(kinds).flatMap((file) =>
      Array.from({ length: 1_000 }, () => {
        const bytes = Buffer.from(file);
        const at = random.below(bytes.length);
        bytes[at] = (bytes[at]! + 1 + random.below(255)) % 256;
        return bytes;
      }),
    );
    expectRefused(changed, records);
  });

  it('is refused when a line is dropped, doubled or swapped, and wherever it is cut', () => {
    const changed = Object.values(kinds).flatMap((file) => {
      const lines = linesOf(file);
      return lines.flatMap((line, at) => [
        lines.toSpliced(at, 1).join(''),
        lines.toSpliced(at, 0, line).join(''),
        lines.slice(0, at).join(''),
        ...((lines[at + 1] ?? line) === line ? [] : [lines.toSpliced(at, 2, lines[at + 1]!, line).join('')]),
      ]);
    });
    const cut = Object.values(kinds).flatMap((file) => [1, 2, 50].map((short) => file.slice(0, -short)));
    expectRefused([...changed, ...cut], records);
  });

  it('is refused also when a forger with the key signs it again', () => {
    const forged = [kinds.account!, kinds.job!].flatMap((file) => {
      const lines = linesOf(file);
      const entries = lines.flatMap((line, at) => (line.startsWith('entry') ? [at] : []));
      return entries.flatMap((at) => {
        const unit = lines[at + 2]!.startsWith('proof') ? 3 : 2;
        const whole = lines.slice(at, at + unit);
        return [
          lines.toSpliced(at, unit),
          lines.toSpliced(at, 0, ...whole),
          lines.toSpliced(at, unit).toSpliced(at + 1, 0, ...whole),
          lines.toSpliced(at + 1, 1, lines[at + 1]!.replace('“', '»')),
          lines.toSpliced(at, 1, lines[at]!.replace(/ (job|account)-/, ' other-')),
        ].map((one) => log.signedAgain(one.join('')));
      });
    });
    expectRefused(forged, records);
  });

  it(`is judged alike by both when anything is changed and signed again (SEED=${seed})`, () => {
    const random = new Random(seed);
    const changed = Array.from({ length: 400 }, () => {
      const file = random.of(Object.values(kinds));
      const lines = linesOf(file.slice(0, file.indexOf('\n\n') + 1));
      for (let edits = 1 + random.below(2); edits > 0; edits--) edit(lines, random);
      return log.signedAgain(lines.join('') + file.slice(file.indexOf('\n\n') + 1));
    });
    const [node, go = node] = verdicts(changed, records);
    const judged = (all: typeof node) => all!.map(({ holds }, n) => [holds, holds ? '' : changed[n]]);
    expect(judged(go)).toEqual(judged(node));
  });

  it('is refused when it lacks a proof that it needs', () => {
    const without = (file: string) =>
      linesOf(file).flatMap((line, at, lines) =>
        line.startsWith('proof') ? [lines.toSpliced(at, 1).join('')] : [],
      );
    expectRefused(
      without(kinds.job!).map((file) => log.signedAgain(file)),
      records,
    );
    expectRefused([log.signedAgain(without(kinds.period!)[0]!)], records);
  });

  it('is refused if it is no proof file at all', () => {
    const random = new Random(seed);
    const noise = Array.from({ length: 20 }, () =>
      Buffer.from(Array.from({ length: 999 }, () => random.below(256))),
    );
    const notes = [log.checkpoint(), log.head('account system 0 0 1', log.logged[0]!)];
    expectRefused(['', '\n', '\n\n\n\n\n\n', ...noise, ...notes, notes.join('\n')], records);
    for (const each of [folder.path, `${folder.path}/nothing`])
      expect(byNode(each, records).holds).toBe(false);
    if (!goIsMissing) expect(byGo([folder.path], records)[0]!.holds).toBe(false);
  });

  it('is refused with a line of 1 GiB', () => {
    const file = folder.write(kinds.account!.slice(0, kinds.account!.indexOf('\nentry') + 6));
    truncateSync(file, 2 ** 30);
    folder.append(file, kinds.account!.slice(kinds.account!.indexOf('\nproof')));
    const all = goIsMissing ? [byNode(file, records)] : [byNode(file, records), ...byGo([file], records)];
    for (const verdict of all) expect(verdict.holds).toBe(false);
  });

  it('is read no further than the head says, and 64 consistency lines', () => {
    const lines = linesOf(kinds.account!);
    const at = lines.findIndex((line) => line.startsWith('consistency'));
    const more = log
      .account(AA)
      .match(/^(entry|body) .*\n/gm)!
      .join('');
    const entries = lines.toSpliced(at, 0, more.repeat(200)).join('');
    expectBoth(entries, records, false, 'an entry beyond number 8 of the head');
    const sizes = Array.from({ length: 65 }, (_, n) => `consistency ${100 + n}\n`);
    const over = (count: number) =>
      log.signedAgain(log.account(AA).replace('\n\n', `\n${sizes.slice(0, count).join('')}\n`));
    expectBoth(over(64), records, true);
    expectBoth(over(65), records, false, 'more than 64 consistency lines');
  });

  it('is refused under another key', () => {
    const other = new EvidenceLog(log.origin, Buffer.alloc(32, 7));
    expectRefused(Object.values(kinds), { vkey: other.vkey });
  });
});

describe('a kept note', () => {
  const keeping = (...notes: string[]) => ({ ...records, kept: notes.map((note) => folder.write(note)) });
  /** Another history under the same key. */
  const remade = sampleLog();
  remade.logged.splice(5);
  for (const stream of ['job-2', 'job-9', 'job-2']) remade.append({ account: AA, stream });
  for (const stream of ['job-3', 'job-8', 'job-1']) remade.append({ account: BB, stream });
  remade.append({ account: AA, stream: 'job-9' });

  it(`is refused after any change of one byte (SEED=${seed})`, () => {
    const random = new Random(seed);
    const older = log.account(AA, { size: 9 });
    const last = log.logged.findLast(({ account, leaf }) => account === AA && leaf < 9)!;
    const notes = [
      log.checkpoint(9),
      log.head(`account ${AA} 0 ${last.seq} ${last.seq + 1}`, last, 9),
      older,
    ];
    const file = folder.write(log.account(AA, { since: [9] }));
    for (const note of notes) {
      // Only the notes at the end of a kept file are read.
      const from = Math.max(0, Buffer.from(note).indexOf('\n\nrps.example'));
      const changed = Array.from({ length: 1_000 }, () => {
        const bytes = Buffer.from(note);
        const at = from + random.below(bytes.length - from);
        bytes[at] = (bytes[at]! + 1 + random.below(255)) % 256;
        return { bytes, kept: [folder.write(bytes)] };
      });
      const held = changed.filter(({ kept }) => byNode(file, { ...records, kept }).holds);
      // A process for each, because one wrong note is enough.
      const some = goIsMissing ? [] : changed.slice(0, 50);
      held.push(...some.filter(({ kept }) => byGo([file], { ...records, kept })[0]!.holds));
      expect(held.map(({ bytes }) => bytes.toString())).toEqual([]);
    }
  });

  it('shows that all was made anew', () => {
    const file = remade.account(AA, { since: [9] });
    expectBoth(file, records, true);
    expectBoth(file, keeping(log.checkpoint(9)), false, 'FORK');
    expectBoth(file, keeping(log.account(AA, { size: 9 })), false, 'FORK');
  });

  it('is enough for two auditors who were shown two histories of one size', () => {
    const size = remade.logged.length;
    expectBoth(remade.stream('job-2'), keeping(log.account(BB, { size })), false, 'FORK');
    expectBoth(log.account(BB, { size }), keeping(remade.stream('job-2')), false, 'FORK');
  });

  it('contradicts another entry of the same number, and fewer entries', () => {
    const last = log.logged.findLast(({ account }) => account === AA)!;
    const head = (one: typeof last, more = 0) =>
      log.head(`account ${AA} ${last.seq} ${last.seq} ${last.seq + 1 + more}`, one);
    expectBoth(log.account(AA), keeping(head(last)), true);
    expectBoth(
      log.account(AA),
      keeping(head(log.logged[0]!)),
      false,
      'CONTRADICTION',
      `stream ${last.stream} revision`,
    );
    expectBoth(log.account(AA), keeping(head(last, 1)), false, 'CONTRADICTION');
    expectBoth(log.stream('job-4'), keeping(head(log.logged[0]!)), false, 'CONTRADICTION');
  });

  it('must not be newer than the file, needs its consistency line, and must be of the same key', () => {
    expectBoth(log.account(AA, { size: 9 }), keeping(log.checkpoint()), false, 'is newer');
    expectBoth(log.account(AA), keeping(log.checkpoint(9)), false, 'since=9');
    const other = new EvidenceLog('rps.example/evidence/0000000000ee').append({
      account: AA,
      stream: 'job-1',
    });
    expectBoth(log.account(AA), keeping(other.checkpoint()), false, 'not');
    expectBoth(log.account(AA), keeping('nonsense'), false);
  });

  it('shows, with its time, that an older event was added later', () => {
    const body = JSON.stringify({ id: 'x', metadata: { at: '2026-01-01T02:00:00.000Z' } });
    const late = sampleLog().append({ account: AA, stream: 'job-late', body });
    const since = [log.logged.length];
    const kept = [folder.write(log.checkpoint())];
    const at = Date.UTC(2026, 0, 1) + log.logged.length * HOUR;
    const check = (file: string, time: number) => byNode(folder.write(file), { ...records, kept }, time);
    expect(check(late.account(AA, { since }), at).findings).toEqual([
      expect.stringMatching(/stream job-late revision 0: LATE/),
    ]);
    expect(check(late.stream('job-late', { since }), at).findings.join()).toContain('LATE');
    expect(check(late.stream('job-1', { since }), at).holds).toBe(true);
    expect(check(late.account(AA, { since }), Date.UTC(2026, 0, 1) + 2 * HOUR).holds).toBe(true);
    expect(check(log.account(AA, { since }), at).holds).toBe(true);
  });
});

describe('verify.mjs as a program', () => {
  const run = (...args: string[]) => spawnSync(process.execPath, [VERIFY_MJS, ...args], { encoding: 'utf8' });

  it('answers with 0, 1 and 2', () => {
    const [good, bad] = [folder.write(kinds.job!), folder.write(kinds.job!.replace('“', '»'))];
    expect(run('--vkey', log.vkey, good)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^HOLDS$/m),
    });
    expect(run('--vkey', log.vkey, bad)).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^FAILS [^]*\nDOES NOT HOLD\n$/),
    });
    const kept = `${folder.write(log.checkpoint(9))}@2026-01-01T09:30:00Z`;
    expect(run('--vkey', log.vkey, '--kept', kept, good).status).toBe(0);
    for (const args of [
      [good],
      ['--vkey', 'x', good],
      ['--vkey', log.vkey],
      ['--vkey', log.vkey, '--odd', good],
    ])
      expect(run(...args)).toMatchObject({ status: 2, stdout: '' });
  });

  it('prints a C2SP tlog-proof of one entry', () => {
    const { stdout } = run('--vkey', log.vkey, '--tlog-proof', '2', folder.write(kinds.job!));
    const [leaf, ...path] = kinds
      .job!.match(/^proof .+$/gm)![2]!
      .split(' ')
      .slice(1);
    expect(stdout).toBe(`c2sp.org/tlog-proof@v1\nindex ${leaf}\n${path.join('\n')}\n\n${log.checkpoint()}`);
  });
});
