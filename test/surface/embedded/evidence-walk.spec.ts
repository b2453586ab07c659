import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rpsAt } from '../../kit/rps-at.js';
import { EvidenceLog } from '../../../src/evidence/evidence-log.js';
import { documentText } from '../../docs/markdown.js';
import { JobScene } from '../../kit/job-scene.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { byNode, FileFolder, GOCACHE, goIsMissing, VERIFY_GO, VERIFY_MJS } from '../../kit/verifiers.js';

const folder = new FileFolder();
afterAll(() => folder.remove());

const publish = (service: TestService) => service.service.app.get(EvidenceLog, { strict: false }).publish();

describe('the walk of docs/evidence.md', () => {
  /** Commands of the walk; with the first block a checkpoint is kept, then something is printed. */
  const [keep, ...rest] = [...documentText('docs/evidence.md').matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, commands = '']) => commands)
    .filter((commands) => !goIsMissing || !commands.startsWith('GO'));

  async function run(commands: string, env: Record<string, string>): Promise<string> {
    const shell = spawn('bash', ['-ec', commands], {
      cwd: folder.path,
      env: { ...process.env, GOCACHE, ...env },
    });
    let out = '';
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (out += String(chunk)));
    const [code] = (await once(shell, 'close')) as [number];
    if (code !== 0) throw new Error(`${commands}\nended with ${code}: ${out}`);
    return out;
  }

  it('works in an empty folder with nothing but the verifiers', async () => {
    const service = await startTestService();
    const scene = await JobScene.open(service);
    await publish(service);
    for (const program of [VERIFY_MJS, VERIFY_GO])
      copyFileSync(program, join(folder.path, basename(program)));
    const env = { SERVICE: service.url, API_KEY: scene.key };
    await run(keep!, env);
    let job_id = '';
    for (let n = 0; n < 20; n++) ({ job_id } = await scene.at('completed'));
    await publish(service);
    const out = await run(rest.join('\n'), { ...env, JOB_ID: job_id });
    expect(out.match(/^HOLDS$/gm)).toHaveLength(goIsMissing ? 2 : 4);
    expect(out).toMatch(new RegExp(`FAILS .*job-${job_id} revision 1: CHANGED[^]*refused`));
    expect(out).toContain('"type":"JobCompleted"');
    await service.close();
  });
});

describe('evidence with rps', () => {
  it('saves the proof of a job, an account or the installation', async () => {
    const service = await startTestService();
    const scene = await JobScene.open(service);
    const { job_id } = await scene.at('completed');
    await publish(service);
    const { body } = await service.call('GET', '/svc-api-account', { as: scene.key });
    const vkey = (await service.call('GET', '/evidence/log/vkey', { as: scene.key })).text.trim();
    const run = (...words: string[]) => rpsAt(service, ['evidence', 'export', ...words]);
    const { code, out } = await run('--job', job_id);
    expect([code, byNode(folder.write(out), { vkey })]).toMatchObject([0, { holds: true }]);
    const file = join(folder.path, 'account.rps');
    expect((await run('--account', String(body.data!.account_id), '-o', file)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain(job_id);
    expect(byNode(file, { vkey })).toMatchObject({ holds: true });
    // That the operator took the file is an event of the installation.
    await publish(service);
    expect((await run('--system')).out).toContain('rps-evidence/1 account system 0 ');
    expect(await run('--system', '--job', job_id)).toMatchObject({ code: 64, out: '' });
    await service.close();
  });
});

describe('a public log', () => {
  it('shows checkpoint, key and tiles without a key, and nothing else', async () => {
    const service = await startTestService({ env: { EVIDENCE_PUBLIC: 'true' } });
    await JobScene.open(service);
    await publish(service);
    const status = async (path: string) => (await service.call('GET', `/evidence${path}`)).status;
    expect(await Promise.all(['/log/checkpoint', '/log/vkey', '/log/tile/0/000.p/1'].map(status))).toEqual([
      200, 200, 200,
    ]);
    expect(await Promise.all(['/head', '/account'].map(status))).toEqual([401, 401]);
    await service.close();
  });
});
