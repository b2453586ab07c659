import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Has the time at which the last successful build began. */
const stamp = path.join(root, 'dist/.built');
const bundle = path.join(root, 'bin/bundle.mjs');
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
/** The reader of `GET /v1/docs`: one file shipped from a development package. */
const reader = path.join(root, 'node_modules/@scalar/fastify-api-reference/dist/js/standalone.js');
/** What the programs of Node are compiled from. */
export const sources = [
  ...['src', 'projections', 'agent', 'bench', 'demo', 'mcp', 'sdk/src', 'test/stand-ins', 'test/recordings'],
  ...['test/kit/cupsd.ts', 'test/kit/polling.ts', 'test/kit/windows'], // The demonstration uses them.
  ...['tsconfig.json', 'tsconfig.build.json', 'bin/bundle.mjs', 'package-lock.json'],
];

/** Programs of the browser: they have a build of their own. */
export const pages = ['panel', 'sdk/src/generated', 'package-lock.json'];
const panelFolder = path.join(root, 'dist/panel');
const bundler = path.join(root, 'node_modules/vite/bin/vite.js');

/**
 * Compiles when dist is missing or older than its sources. Without sources or compiler, dist is used as it is.
 */
export function build() {
  compile();
  buildPages();
}

/** Everything but the pages of the panel. */
export function compile() {
  if (!isStale() || !existsSync(compiler)) return;
  const started = Date.now();
  runStep('compiling the programs', [compiler, '-p', 'tsconfig.build.json'], { cwd: root });
  removeOrphans(root);
  mkdirSync(path.join(root, 'dist/reading-page'), { recursive: true });
  copyFileSync(reader, path.join(root, 'dist/reading-page/api-reference.js'));
  // In a process of its own: `run.mjs` continues as the service, which would keep the threads of the bundler.
  runStep('bundling the service', [bundle]);
  writeFileSync(stamp, '');
  // What was edited meanwhile is compiled by the next build.
  utimesSync(stamp, started / 1000, started / 1000);
  process.stderr.write(`built in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

/** tsc keeps what it compiled from sources that are gone. */
export function removeOrphans(folder) {
  const dist = path.join(folder, 'dist');
  const compiled = readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.js.map'));
  for (const map of compiled) {
    const program = map.replace(/\.map$/, '');
    if (existsSync(path.join(folder, program.replace(/\.js$/, '.ts')))) continue;
    for (const name of [program, map]) rmSync(path.join(dist, name), { force: true });
  }
}

/** Names the step before it begins: on a busy machine it takes a minute or more. */
function runStep(name, args, options = {}) {
  process.stderr.write(`${name} …\n`);
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 2, 2], ...options });
  if (status !== 0) process.exit(status ?? 1);
}

/** Builds the pages of the panel when they are missing or older than their sources, if Vite is installed. */
function buildPages() {
  const builtAt = statSync(path.join(panelFolder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (!existsSync(path.join(root, 'panel/vite.config.mjs')) || !existsSync(bundler)) return;
  if (pages.every((source) => newest(path.join(root, source)) <= builtAt)) return;
  bundlePages(panelFolder);
}

/** In a process of its own: Vite sets NODE_ENV, and `run.mjs` continues as the service. */
export function bundlePages(folder) {
  runStep(
    'building the pages of the panel',
    [bundler, 'build', path.join(root, 'panel'), '--outDir', folder, '--logLevel', 'warn'],
    { env: { ...process.env, NODE_ENV: 'production' } },
  );
  for (const name of readdirSync(folder, { recursive: true }).filter((each) =>
    /\.(html|js|css)$/.test(each),
  )) {
    const bytes = readFileSync(path.join(folder, name));
    writeFileSync(path.join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    writeFileSync(path.join(folder, `${name}.br`), brotliCompressSync(bytes));
  }
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
    .filter((name) => !/\.spec\.tsx?$/.test(name))
    .reduce((latest, name) => Math.max(latest, newest(path.join(entry, name))), found.mtimeMs);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build();
