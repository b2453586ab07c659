import { execFile, spawn } from 'node:child_process';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CONTROLLED_WITHIN_MS = 60_000;

/** Runs a program of Windows and resolves to its output. @throws Error with its exit code as `code` */
export type RunProgram = (file: string, args: readonly string[]) => Promise<string>;

/** Without pipes: a service that the program starts could keep them open. The error repeats what the program says. */
export async function runProgram(file: string, args: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rps-agent-'));
  const output = await open(join(folder, 'output'), 'w');
  try {
    const code = await exitCode(file, args, output.fd);
    const bytes = await readFile(join(folder, 'output'));
    // NSSM writes UTF-16.
    const said = bytes.toString(bytes.includes(0) ? 'utf16le' : 'utf8').trim();
    if (code === 0) return said;
    const message = `${file} ${args[0]} ended with ${code}: ${said}`;
    throw Object.assign(new Error(message), { code });
  } finally {
    await output.close();
    // Windows keeps a file that a program started by this one has open.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function exitCode(file: string, args: readonly string[], output: number): Promise<number | null> {
  return new Promise((done, reject) => {
    const child = spawn(file, args, {
      stdio: ['ignore', output, output],
      windowsHide: true,
      timeout: CONTROLLED_WITHIN_MS,
    });
    child.once('error', reject);
    child.once('exit', done);
  });
}

/** Accounts by number, because their names are translated: the system, the administrators, the owner of a file. */
const KEEPERS = ['*S-1-5-18', '*S-1-5-32-544', '*S-1-3-4'].map((account) => `${account}:(OI)(CI)F`);
const USERS_READ = '*S-1-5-32-545:(OI)(CI)RX';

/** Nobody else may open the folder. @throws Error as `RunProgram` */
export function keepSecret(folder: string, run: RunProgram = runProgram): Promise<unknown> {
  return grantOnly(folder, KEEPERS, run);
}

/** Nobody else may change the folder, whose programs the system account runs. @throws Error as `RunProgram` */
export function keepUnchanged(folder: string, run: RunProgram = runProgram): Promise<unknown> {
  return grantOnly(folder, [...KEEPERS, USERS_READ], run);
}

function grantOnly(folder: string, grants: readonly string[], run: RunProgram): Promise<unknown> {
  return run('icacls', [folder, '/inheritance:r', ...grants.flatMap((grant) => ['/grant:r', grant])]);
}

const PROTECTED_PRINT = 'HKLM\\SOFTWARE\\Policies\\Microsoft\\Windows NT\\Printers\\WPP';

/** True if Windows loads no drivers of vendors (protected print mode): most label printers then have no queue. */
export function isProtectedPrint(): Promise<boolean> {
  const query = ['query', PROTECTED_PRINT, '/v', 'WindowsProtectedPrintMode'];
  return new Promise((done) => {
    execFile('reg', query, { windowsHide: true, timeout: CONTROLLED_WITHIN_MS }, (error, output) =>
      done(!error && /0x0*[1-9a-f]/i.test(output)),
    );
  });
}

/** True for an administrator whose rights are in force ("Run as administrator"). */
export async function isAdministrator(): Promise<boolean> {
  // Its native calls can be loaded on Windows only.
  const { default: koffi } = await import('koffi');
  return koffi.load('shell32.dll').func('int __stdcall IsUserAnAdmin()')() !== 0;
}
