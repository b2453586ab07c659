import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../src/config.js';
import { composed, substituted } from './compose.js';
import { documentText } from './markdown.js';

const UNIT = 'deploy/systemd/remote-printing.service';
const ANALYZE = '/usr/bin/systemd-analyze';
const withSystemd = existsSync(ANALYZE) ? it : it.skip;
if (!existsSync(ANALYZE)) console.warn(`${ANALYZE} is not installed: the unit is not verified`);

describe('the unit for systemd', () => {
  withSystemd('is understood by systemd', async () => {
    const path = fileURLToPath(new URL(`../../${UNIT}`, import.meta.url));
    const { stderr } = await promisify(execFile)(ANALYZE, ['verify', '--man=no', path]);
    expect(stderr).not.toContain(UNIT);
  });

  it('passes settings that the service accepts', () => {
    const [, line = ''] = /^Environment=(.+)$/m.exec(documentText(UNIT)) ?? [];
    const settings = Object.fromEntries(line.split(' ').map((one) => one.split('=')));
    expect(loadConfig(settings)).toMatchObject({ host: '127.0.0.1', port: 3000 });
    expect(settings.DATA_DIR).toBe('/var/lib/remote-printing');
  });

  it('is not started again after exits that need a person', () => {
    const [, codes = ''] = /^RestartPreventExitStatus=(.+)$/m.exec(documentText(UNIT)) ?? [];
    expect(codes.split(' ')).toEqual(['70', '78']);
    for (const code of codes.split(' '))
      expect(documentText('docs/operations.md')).toContain(`\n| ${code} |`);
  });
});

describe('the compose file of one process', () => {
  const { services, volumes } = composed('deploy/compose.yml');
  const service = services.service!;

  it('runs one service on the embedded stores, and publishes its port to this machine only', () => {
    expect(Object.keys(services)).toEqual(['service']);
    expect(service.ports).toEqual(['127.0.0.1:3000:3000']);
    const set = Object.entries(service.environment!).map(([name, value]) => [name, substituted(value, {})]);
    expect(loadConfig(Object.fromEntries(set))).toMatchObject({ eventStoreUrl: undefined });
  });

  it('keeps the data folder of the image in a volume', () => {
    expect(service.volumes).toEqual(['data:/data']);
    expect(Object.keys(volumes)).toEqual(['data']);
    expect(documentText('Dockerfile')).toContain('DATA_DIR=/data');
  });
});
