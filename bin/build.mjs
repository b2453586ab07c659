import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Touched after each successful build, so that its age is the age of dist as a whole. */
const stamp = path.join(root, 'dist/.built');
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
/** The reader of `GET /v1/docs`: one file shipped from a development package. */
const reader = path.join(root, 'node_modules/@scalar/fastify-api-reference/dist/js/standalone.js');
const sources = [
  ...['src', 'projections', 'agent', 'bench', 'demo', 'sdk/src', 'test/stand-ins', 'test/recordings'],
  ...['test/kit/cupsd.ts', 'test/kit/polling.ts', 'test/kit/windows'], // The demonstration uses them.
  ...['tsconfig.json', 'tsconfig.build.json'],
];

/**
 * Compiles when dist is missing or older than its sources. Without sources or compiler, dist is used as it is.
 */
export function build() {
  if (!isStale() || !existsSync(compiler)) return;
  const started = Date.now();
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
  mkdirSync(path.join(root, 'dist/reading-page'), { recursive: true });
  copyFileSync(reader, path.join(root, 'dist/reading-page/api-reference.js'));
  writeFileSync(stamp, '');
  process.stderr.write(`built in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

function isStale() {
  if (!existsSync(stamp)) return existsSync(path.join(root, 'tsconfig.build.json'));
  const builtAt = statSync(stamp).mtimeMs;
  return sources.some((source) => newest(path.join(root, source)) > builtAt);
}

/** Includes folders: their time changes when a file is added or removed. */
function newest(entry) {
  const found = statSync(entry, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return readdirSync(entry)
    .filter((name) => !name.endsWith('.spec.ts'))
    .reduce((latest, name) => Math.max(latest, newest(path.join(entry, name))), found.mtimeMs);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build();
