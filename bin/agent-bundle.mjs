import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { compile } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = path.join(root, 'dist');
const NAME_IN_PATH = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/;

/** Packages with a native module, WebAssembly or a font: these files of them are copied. */
const COPIED = {
  '@hyzyla/pdfium': ['package.json', 'dist/index.esm.js', 'dist/pdfium.wasm'],
  '@fontsource/dejavu-mono': ['package.json', 'LICENSE', 'files/dejavu-mono-latin-400-normal.woff'],
  koffi: ['package.json', 'LICENSE.txt', 'index.js', 'build/koffi/win32_x64/koffi.node'],
};
/** How a module finds a program that it starts. */
const PROGRAM = /new URL\('\.\/([\w-]+)\.js', import\.meta\.url\)/g;
const ASSET = /\.(node|wasm|ttf|otf|woff2?)$/;

/**
 * Makes the Agent in `folder`: its programs, joined with what they import, without unused parts, and what several or
 * only some runs need in files of its own. Of the packages with a native module it holds those in `copied`.
 */
export async function bundleAgent(folder, copied = Object.keys(COPIED)) {
  compile();
  const names = await bundle(folder);
  for (const name of copied)
    for (const file of COPIED[name]) {
      const target = path.join(folder, 'node_modules', name, file);
      mkdirSync(path.dirname(target), { recursive: true });
      cpSync(path.join(root, 'node_modules', name, file), target);
    }
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify({ version, type: 'module' })}\n`);
  writeFileSync(path.join(folder, 'LICENSES.txt'), names.map(licenceOf).join('\n'));
}

/** @returns the names of the packages in the bundle */
async function bundle(folder) {
  const build = await rolldown({
    input: programs(),
    platform: 'node',
    external: Object.keys(COPIED),
    logLevel: 'warn',
  });
  const { output } = await build.write({
    dir: path.join(folder, 'agent'),
    format: 'esm',
    keepNames: true,
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  });
  await build.close();
  const names = output.flatMap(({ moduleIds = [] }) => moduleIds.map(packageOf)).filter(Boolean);
  return [...new Set(names)].sort().map(withoutAssets);
}

/** The Agent, and the programs that its modules start from a file beside them, by their names. */
function programs() {
  const modules = readdirSync(path.join(built, 'agent'), { recursive: true }).filter((name) =>
    name.endsWith('.js'),
  );
  const started = modules.flatMap((name) => {
    const code = readFileSync(path.join(built, 'agent', name), 'utf8');
    return [...code.matchAll(PROGRAM)].map(([, program]) => path.join(path.dirname(name), program));
  });
  return ['main', ...started].map((name) => path.join(built, 'agent', `${name}.js`));
}

const packageOf = (id) => NAME_IN_PATH.exec(id)?.[1];

/** Files that a package reads at run time are not in a bundle. */
function withoutAssets(name) {
  const files = readdirSync(path.join(root, 'node_modules', name), { recursive: true });
  const asset = files.find((file) => ASSET.test(file));
  if (asset) throw new Error(`${name} needs ${asset}: list its files in bin/agent-bundle.mjs`);
  return name;
}

function licenceOf(name) {
  const folder = path.join(root, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file ? readFileSync(path.join(folder, file), 'utf8') : `Licence: ${license}\n`;
  return `== ${name} ${version}\n\n${text}`;
}

/** Bytes of the files in a folder. */
export function sizeOf(folder) {
  const entries = readdirSync(folder, { recursive: true }).map((name) => statSync(path.join(folder, name)));
  return entries.reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
}
