import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

describe('making the packages of the Agent', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'packages-'))));
  afterEach(() => rm(folder, { recursive: true }));

  const make = (names: readonly string[], env: Record<string, string>) =>
    run(process.execPath, ['bin/agent-package.mjs', ...names, '--out', folder], {
      env: { ...process.env, ...env },
      timeout: 170_000,
    });

  it('skips those whose tools are missing, and names the tools', async () => {
    // npm, for the first time, but none of the tools.
    const tools = join(folder, 'tools');
    await run('sh', ['-c', `mkdir ${tools} && ln -s "$(command -v npm)" "$(command -v node)" ${tools}`]);
    const { stdout, stderr } = await make([], { PATH: tools });

    expect(stderr).toContain(
      'skipped: rps-agent.msi needs wixl and msibuild (Debian packages wixl and msitools)',
    );
    expect(stderr).toContain('skipped: rps-agent.deb needs dpkg-deb (Debian packages dpkg)');
    expect(stdout).toMatch(/rps-agent-windows-x64: \d+\.\d MB on a computer\n/);
    expect(existsSync(join(folder, 'rps-agent-windows-x64/node.exe'))).toBe(true);
    await expect(make(['msi'], { PATH: tools })).rejects.toThrow('rps-agent.msi needs wixl and msibuild');
  });

  const missing = ['wixl', 'msibuild', 'osslsigncode', 'openssl'].filter((tool) => spawnSync(tool).error);
  if (missing.length > 0) {
    it(`does not sign: ${missing.join(', ')} not installed`, () => {
      process.stderr.write(`agent-packages: signing not tested, without ${missing.join(', ')}\n`);
    });
    return;
  }

  it('signs the MSI, and the service program in it, with a given certificate', async () => {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const request = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=Your company',
    ];
    const usage = ['-addext', 'extendedKeyUsage=codeSigning'];
    await run('openssl', [...request, ...usage, '-keyout', key, '-out', certificate]);
    await writeFile(join(folder, 'rps-agent.msi'), 'an older package');

    const { stdout } = await make(['msi'], { AGENT_SIGN: `-certs ${certificate} -key ${key}` });

    expect(stdout).toMatch(
      /rps-agent\.msi: \d+\.\d MB on a computer, packed \d+\.\d MB, SHA-256 [0-9a-f]{64}\n/,
    );
    for (const file of ['rps-agent.msi', 'rps-agent-windows-x64/nssm.exe']) {
      const verified = await run('osslsigncode', [
        'verify',
        '-CAfile',
        certificate,
        '-in',
        join(folder, file),
      ]);
      expect(verified.stdout).toContain('Signature verification: ok');
    }
  });
});
