import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const FOR_OTHERS = 0o077;
const STICKY = 0o1000;
const CANNOT = ['ENOENT', 'EPERM', 'EROFS'];

/** Mode 0700. Node's recursive mkdir loops forever where the folder looks absent, e.g. below /proc. */
export function makeFolders(path: string): void {
  if (existsSync(path)) return;
  makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Folders 0700, files 0600. Skips a folder with the sticky bit, such as `/tmp`. */
export function makePrivate(folder: string, names: readonly string[]): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found && (found.mode & FOR_OTHERS) !== 0 && (found.mode & STICKY) === 0) restrict(folder, found.mode);
  for (const name of names) tighten(join(folder, name));
}

/** Skips the contents of a folder that is already closed to others. */
function tighten(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || (found.mode & FOR_OTHERS) === 0) return;
  if (found.isDirectory()) for (const name of readdirSync(path)) tighten(join(path, name));
  restrict(path, found.mode);
}

function restrict(path: string, mode: number): void {
  try {
    chmodSync(path, mode & 0o700);
  } catch (error) {
    // Another user's file, or no permissions on this file system: `rps doctor` reports readable secrets.
    if (!CANNOT.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Without the line end; undefined if the file does not exist. */
export function readSecretFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Atomic, mode 0600; durable on return. */
export function writeSecretFile(path: string, secret: string): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    chmodSync(temporary, 0o600);
    writeSync(file, `${secret}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/** Makes additions to and removals from the folder durable. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
