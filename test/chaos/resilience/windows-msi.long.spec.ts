import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Cupsd } from '../../kit/cupsd.js';
import { FakeService } from '../../kit/fake-service.js';
import type { FakeJob } from '../../kit/fake-service-jobs.js';
import { eventually } from '../../kit/polling.js';
import { windowsMissing, windowsPath, Wine } from '../../kit/windows/wine.js';
import { describeUnless } from '../../kit/describe-unless.js';

const missing = existsSync('/usr/bin/wixl')
  ? windowsMissing()
  : 'wixl is not installed (Debian package wixl)';

describeUnless(missing, 'the MSI of the Agent', msiTests);

const run = promisify(execFile);
const UNINSTALL = 'HKLM\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall';
const SERVICE = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\RemotePrintingAgent';

function msiTests(): void {
  let cupsd: Cupsd;
  let wine: Wine;
  let service: FakeService;

  beforeAll(async () => {
    cupsd = await Cupsd.start();
    await cupsd.addQueue('desk');
    wine = await Wine.start(cupsd.address, 'msi');
    await wine.setSystemVariable('NODE_SKIP_PLATFORM_CHECK', '1'); // Wine 8 calls itself Windows 7.
    service = await FakeService.start();
  });
  afterAll(async () => {
    await wine.remove();
    await service.stop();
    await cupsd.remove();
  });

  const state = (name = ''): string => join(wine.root, 'state', name);
  const program = (name = ''): string =>
    join(wine.root, 'prefix/drive_c/Program Files/Remote Printing Agent', name);
  const msi = (name: string): string => join(wine.root, name);
  const log = (): Promise<string> => readFile(msi('msi.log'), 'utf8');
  /** Silent, as a software distribution calls it. */
  const msiexec = async (...args: string[]): Promise<void> => {
    const installer = wine.program('msiexec', ...args, '/qn', '/l*v', windowsPath(msi('msi.log')));
    const code = await installer.ended;
    if (code === 0) return;
    const actions = (await log()).split('\n').filter((line) => line.startsWith('Action'));
    throw new Error(
      `msiexec ended with ${code}: ${[await installer.output(), ...actions.slice(-9)].join('\n')}`,
    );
  };
  const options = (more = ''): string =>
    `OPTIONS=--state ${windowsPath(join(wine.root, 'state'))} --inventory-seconds 0.5 ${more}`;
  const install = (token: string, more?: string): Promise<void> =>
    msiexec('/i', windowsPath(msi('rps-agent.msi')), `URL=${service.url}`, `TOKEN=${token}`, options(more));

  const print = (): FakeJob => service.print({ printerKey: 'winspool:desk', contentType: 'raw' });
  const printed = (job: FakeJob): Promise<void> =>
    service.until(() => job.phase === 'over', 'the end of a job', 60_000);
  const timesPrinted = async ({ jobId, fence }: FakeJob): Promise<number> =>
    (await cupsd.begun()).filter((name) => name === `svc:${jobId}:${fence}`).length;

  /** Versions of the Agent in "Apps" of Windows. */
  const listed = async (): Promise<readonly (string | undefined)[]> => {
    const entries = (await wine.command('reg', 'query', UNINSTALL, '/s')).split('HKEY_LOCAL_MACHINE');
    return entries
      .filter((entry) => entry.includes('Remote Printing Agent'))
      .map((entry) => /DisplayVersion\s+REG_SZ\s+(\S+)/.exec(entry)?.[1]);
  };
  const isService = (): Promise<boolean> =>
    wine.command('reg', 'query', SERVICE).then(
      () => true,
      () => false,
    );

  /** The same files as version 99 of the product. */
  async function newerMsi(): Promise<string> {
    const file = msi('newer.msi');
    await copyFile(msi('rps-agent.msi'), file);
    const set = (name: string, value: string): string[] => [
      '-q',
      `UPDATE \`Property\` SET \`Value\` = '${value}' WHERE \`Property\` = '${name}'`,
    ];
    const newId = (): string => `{${randomUUID().toUpperCase()}}`;
    await run('msibuild', [
      file,
      ...set('ProductVersion', '99.0.0'),
      ...set('ProductCode', newId()),
      ...['-s', 'Agent', 'Test', 'x64;1033', newId()],
    ]);
    return file;
  }

  it('leaves nothing behind if the token is refused', async () => {
    await expect(install('svc_enroll_used')).rejects.toThrow('msiexec ended with');

    expect([existsSync(program('node.exe')), await isService(), await listed()]).toEqual([false, false, []]);
  });

  it('installs the service silently and keeps the token out of its log', async () => {
    await install(service.enrollmentToken, '--simulate crash=after-submit,times=1');

    // Wine lists also hidden properties at its end; Windows does not.
    const lines = (await log()).split('\n').filter((line) => !line.startsWith('Property(S)'));
    expect(lines.filter((line) => line.includes('InstallService'))).not.toEqual([]);
    expect(lines.filter((line) => line.includes(service.enrollmentToken))).toEqual([]);
    const { stdout } = await run('msiinfo', ['export', msi('rps-agent.msi'), 'Property']);
    expect(stdout).toMatch(/^MsiHiddenProperties\tTOKEN;ARGUMENTS\r$/m);
    expect(await listed()).toEqual([await packageVersion()]);
    await service.until(() => service.count('leases') > 0, 'a lease asked for by the service', 60_000);
  });

  it('is upgraded in place: the newer version finishes a job of the journal', async () => {
    const credential = await readFile(state('credential.json'), 'utf8');
    // So only the new version can finish the job.
    await wine.command(program('nssm.exe'), 'set', 'RemotePrintingAgent', 'AppRestartDelay', '600000');
    const interrupted = print();
    await eventually('the interrupted job', async () => (await timesPrinted(interrupted)) === 1 || undefined);

    // Wine removes the older version without UPGRADINGPRODUCTCODE, and so its service: give the settings again.
    await msiexec('/i', windowsPath(await newerMsi()), `URL=${service.url}`, options());

    await printed(interrupted);
    expect(interrupted.reports).toMatchObject([{ type: 'spooler_vanished', failure_class: 'ambiguous' }]);
    await printed(print());
    expect(await timesPrinted(interrupted)).toBe(1);
    expect(await readFile(state('credential.json'), 'utf8')).toBe(credential);
    expect(await listed()).toEqual(['99.0.0']);
  });

  it('refuses to replace a newer version', async () => {
    await expect(msiexec('/i', windowsPath(msi('rps-agent.msi')))).rejects.toThrow('msiexec ended with');

    expect(await listed()).toEqual(['99.0.0']);
  });

  it('removes service and programs, and the state if asked', async () => {
    await msiexec('/x', windowsPath(msi('newer.msi')));
    expect([existsSync(program('node.exe')), await isService(), await listed()]).toEqual([false, false, []]);
    expect(existsSync(state('credential.json'))).toBe(true);

    await msiexec('/i', windowsPath(msi('newer.msi')), `URL=${service.url}`, options());
    await printed(print());
    await msiexec('/x', windowsPath(msi('newer.msi')), 'PURGE=1');
    expect([existsSync(program('node.exe')), existsSync(state())]).toEqual([false, false]);
  });
}

async function packageVersion(): Promise<string> {
  return (JSON.parse(await readFile('package.json', 'utf8')) as { version: string }).version;
}
