import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Cupsd } from '../../kit/cupsd.js';
import { FakeService } from '../../kit/fake-service.js';
import type { FakeJob } from '../../kit/fake-service-jobs.js';
import { eventually } from '../../kit/polling.js';
import { windowsMissing, windowsPath, Wine } from '../../kit/windows/wine.js';
import { describeUnless } from '../../kit/describe-unless.js';

describeUnless(windowsMissing(), 'the Agent as a service of Windows', serviceTests);

function serviceTests(): void {
  let cupsd: Cupsd;
  let wine: Wine;
  let service: FakeService;

  beforeAll(async () => {
    cupsd = await Cupsd.start();
    await cupsd.addQueue('desk');
    wine = await Wine.start(cupsd.address);
    await wine.setSystemVariable('NODE_SKIP_PLATFORM_CHECK', '1'); // Wine 8 calls itself Windows 7.
    service = await FakeService.start();
  });
  afterAll(async () => {
    await wine.remove();
    await service.stop();
    await cupsd.remove();
  });

  const state = (...names: string[]): string => join(wine.root, 'state', ...names);
  const run = async (...args: string[]): Promise<string> => {
    const program = wine.agent(...args);
    const code = await program.ended;
    const output = await program.output();
    if (code !== 0) throw new Error(`exit ${code}: ${output}`);
    return output;
  };
  const printed = async (job: FakeJob): Promise<void> => {
    try {
      await service.until(() => job.phase === 'over', 'the end of a job', 60_000);
    } catch (error) {
      const read = (name: string): Promise<string> => readFile(state(name), 'utf8').catch(String);
      throw new Error(`${String(error)}\n${await read('agent.log')}\n${await read('service.log')}`);
    }
  };
  const print = (): FakeJob => service.print({ printerKey: 'winspool:desk', contentType: 'raw' });

  const timesPrinted = async ({ jobId, fence }: FakeJob): Promise<number> =>
    (await cupsd.begun()).filter((name) => name === `svc:${jobId}:${fence}`).length;

  it('is installed unattended, prints, is upgraded in place and is removed', async () => {
    const folder = ['--state', windowsPath(state())];
    const options = ['--url', service.url, ...folder, '--inventory-seconds', '0.5'];
    const output = await run('install', ...options, '--token', service.enrollmentToken);
    expect(output).toContain('the service RemotePrintingAgent is installed and running');
    await printed(print());

    // The Agent dies with a job in its journal. Renewing the service needs no token and keeps computer and journal.
    const before = await readFile(state('credential.json'), 'utf8');
    await run('install', ...options, '--simulate', 'crash=after-submit,times=1');
    const interrupted = print();
    await eventually('the interrupted job', async () => (await timesPrinted(interrupted)) === 1 || undefined);
    expect(await run('install')).toContain('the service RemotePrintingAgent runs version');
    await printed(interrupted);
    expect(interrupted.reports).toMatchObject([{ type: 'spooler_vanished', failure_class: 'ambiguous' }]);
    await printed(print());
    expect(await timesPrinted(interrupted)).toBe(1);
    expect(await readFile(state('credential.json'), 'utf8')).toBe(before);

    await run('uninstall');
    await eventually('the orderly end of the service', async () =>
      (await readFile(state('agent.log'), 'utf8')).includes('"msg":"stopped"') ? true : undefined,
    );
    await run('uninstall', '--purge', ...folder);
    await expect(readFile(state('credential.json'))).rejects.toThrow('ENOENT');
  }, 240_000);

  it('is not installed with a used token', async () => {
    const options = ['--url', service.url, '--state', windowsPath(state()), '--token', 'svc_enroll_used'];

    await expect(run('install', ...options)).rejects.toThrow('exit 77');
    await expect(readFile(state('service.log'))).rejects.toThrow('ENOENT');
  });
}
