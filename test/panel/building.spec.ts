import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(tmpdir(), 'rps-pages-'));
let printed = '';

beforeAll(() => {
  const program = `
    import { bundlePages } from './bin/build.mjs';
    await bundlePages(process.argv[1]);
    console.log(process.env.NODE_ENV ?? 'not set');
  `;
  const { NODE_ENV: _, ...env } = process.env;
  printed = String(execFileSync(process.execPath, ['--input-type=module', '-e', program, folder], { env }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bytes of scripts and style sheets as they are sent with gzip. */
const sentBytes = (names: readonly string[]) =>
  names.reduce((sum, name) => sum + statSync(path.join(folder, `${name}.gz`)).size, 0);

it('builds the pages without affecting the environment of the next service', () => {
  expect(printed.trim()).toBe('not set');
  expect(existsSync(path.join(folder, 'index.html.br'))).toBe(true);
});

it('needs at most 160 KB for the first page, and 380 KB for all', () => {
  const html = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const first = [...html.matchAll(/assets\/[^"]+\.(?:js|css)/g)].map(([name]) => name);
  const all = readdirSync(path.join(folder, 'assets'))
    .filter((name) => /\.(?:js|css)$/.test(name))
    .map((name) => `assets/${name}`);
  expect(first.length).toBeGreaterThan(1);
  expect(sentBytes(first)).toBeLessThanOrEqual(160_000);
  expect(sentBytes(all)).toBeLessThanOrEqual(380_000);
});
