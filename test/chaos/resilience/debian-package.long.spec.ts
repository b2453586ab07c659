import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FakeService } from '../../kit/fake-service.js';
import { Overlay, overlayMissing } from '../../kit/overlay.js';
import { describeUnless } from '../../kit/describe-unless.js';

const run = promisify(execFile);
const SETTINGS = '/etc/rps-agent/agent.env';
const STATE = '/var/lib/rps-agent';

describeUnless(overlayMissing(), 'the Debian package of the Agent', packageTests);

function packageTests(): void {
  let folder: string;
  let machine: Overlay;
  let service: FakeService;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deb-'));
    await run(process.execPath, ['bin/agent-package.mjs', 'deb', '--out', folder], { timeout: 120_000 });
    machine = await Overlay.start();
    service = await FakeService.start();
  });
  afterAll(async () => {
    await service.stop();
    await machine.remove();
    await rm(folder, { recursive: true });
  });

  /** The same files as version 99. */
  async function newerPackage(): Promise<string> {
    const [deb, files] = [join(folder, 'newer.deb'), join(folder, 'newer')];
    await run('dpkg-deb', ['-R', join(folder, 'rps-agent.deb'), files]);
    const control = await readFile(join(files, 'DEBIAN/control'), 'utf8');
    await writeFile(join(files, 'DEBIAN/control'), control.replace(/^Version: .*/m, 'Version: 99.0.0'));
    await run('dpkg-deb', ['--root-owner-group', '--build', files, deb]);
    return deb;
  }
  const install = async (deb: string): Promise<string> => {
    await machine.copyIn(deb, '/new.deb');
    return machine.sh('dpkg -i /new.deb 2>&1');
  };
  /** What the unit starts, with more options; the user and the settings are those of the unit. */
  const start = (more = '') =>
    machine.start(`set -a; . ${SETTINGS}; set +a
      line=$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/rps-agent.service)
      eval "exec runuser -u rps-agent -- $(echo "$line" | sed "s|\\$OPTIONS|$OPTIONS|") ${more}"`);

  it('installs a user, a state folder and a unit that systemd understands', async () => {
    await install(join(folder, 'rps-agent.deb'));

    expect(await machine.sh(`stat -c '%U %a' ${STATE} && id -Gn rps-agent`)).toBe(
      'rps-agent 700\nrps-agent lp dialout\n',
    );
    expect(
      await machine.sh(`stat -c '%U %a' ${SETTINGS} /usr/lib/rps-agent /usr/lib/rps-agent/agent/main.js`),
    ).toBe('root 640\nroot 755\nroot 644\n');
    expect(await machine.sh('systemd-analyze verify rps-agent.service 2>&1')).toBe('');
    expect(await machine.sh('systemctl is-enabled rps-agent')).toBe('enabled\n');
  });

  it('holds no test, no map and each package once', async () => {
    const files = (await machine.sh('dpkg -L rps-agent')).trim().split('\n');

    expect(files.filter((file) => /\.(spec|map|d)\.|\.ts$|koffi/.test(file))).toEqual([]);
    const names = files.map((file) => /(packages|node_modules)\/(.+)\.js$/.exec(file)?.[2]).filter(Boolean);
    expect(new Set(names).size).toBe(names.length);
    const kilobytes = Number(await machine.sh("dpkg-query -W -f '${Installed-Size}' rps-agent"));
    expect(kilobytes).toBeLessThan(12_000);
  });

  it('stays unconnected if the token is refused', async () => {
    const connect = machine.sh(`rps-agent connect ${service.url}`, {
      SVC_ENROLLMENT_TOKEN: 'svc_enroll_used',
    });

    await expect(connect).rejects.toMatchObject({ code: 77 });
    expect(await machine.sh(`grep '^URL=' ${SETTINGS}`)).toBe('URL=\n');
  });

  it('is connected with one command, which stores the address but not the token', async () => {
    const options = `--virtual ${STATE}/printed --virtual-name "Front desk"`;
    await machine.sh(`sed -i 's|^OPTIONS=.*|OPTIONS=${options}|' ${SETTINGS}`);
    await machine.sh(`echo ${service.enrollmentToken} | rps-agent connect ${service.url}`);

    expect(await machine.sh(`grep '^URL=' ${SETTINGS}`)).toBe(`URL=${service.url}\n`);
    expect(service.calls.findLast(({ call }) => call === 'inventory')?.body.printers).toMatchObject([
      { name: 'Front desk' },
    ]);
    await expect(
      machine.sh(`grep -rl ${service.enrollmentToken} /etc/rps-agent ${STATE}`),
    ).rejects.toMatchObject({
      code: 1,
    });
  });

  it('is upgraded in place: the newer version finishes a job of the journal', async () => {
    await machine.sh(`sed -i "s|^OPTIONS=.*|OPTIONS='--virtual ${STATE}/printed'|" ${SETTINGS}`);
    const job = service.jobs.add({ printerKey: 'virtual:folder', contentType: 'raw' });
    const killed = start('--simulate crash=after-submit,times=1');
    await once(killed, 'exit');
    expect(await machine.sh(`grep -c ${job.jobId} ${STATE}/journal.ndjson`)).not.toBe('0\n');

    expect(await install(await newerPackage())).not.toContain('conffile');
    const before = job.reports.length;
    const renewed = start();
    await service.until(() => job.phase === 'over', 'the end of the job', 30_000);
    expect(job.reports.slice(before)).not.toEqual([]);
    renewed.kill('SIGTERM');
    await once(renewed, 'exit');
    expect(await machine.sh(`ls ${STATE}/printed | wc -l`)).toBe('1\n');
    expect(await machine.sh(`grep '^URL=' ${SETTINGS}`)).toBe(`URL=${service.url}\n`);
  });

  it('keeps settings and state when it is removed, and nothing when it is purged', async () => {
    await machine.sh('dpkg -r rps-agent');
    expect(await machine.sh(`ls ${SETTINGS} ${STATE}/credential.json`)).toContain('credential.json');

    await machine.sh('dpkg -P rps-agent 2>&1');
    for (const left of ['/etc/rps-agent', STATE, '/usr/lib/rps-agent', '/usr/bin/rps-agent'])
      await expect(machine.sh(`test -e ${left}`)).rejects.toMatchObject({ code: 1 });
    await expect(machine.sh('getent passwd rps-agent')).rejects.toMatchObject({ code: 2 });
  });
}
