import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(tmpdir(), 'rps-pages-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('builds the pages without affecting the environment of the next service', () => {
  const program = `
    import { bundlePages } from './bin/build.mjs';
    await bundlePages(process.argv[1]);
    console.log(process.env.NODE_ENV ?? 'not set');
  `;
  const { NODE_ENV: _, ...env } = process.env;

  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program, folder], { env });

  expect(String(printed).trim()).toBe('not set');
  expect(existsSync(path.join(folder, 'index.html.br'))).toBe(true);
});
