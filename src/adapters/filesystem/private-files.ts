import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOR_OTHERS = 0o077;
const CANNOT = ['ENOENT', 'EPERM', 'EROFS'];

/**
 * Makes a folder and those above it, 0700 each. One by one: Node's own recursive call never ends where a folder
 * cannot be made and looks absent, such as below /proc. @throws ErrnoException
 */
export function makeFolders(path: string): void {
  if (existsSync(path)) return;
  makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Takes from others what they may do with the files (0600) and folders (0700) of these names, and all below them. */
export function makePrivate(folder: string, names: readonly string[]): void {
  for (const name of names) tighten(join(folder, name));
}

/** Below a folder that is closed to others nothing needs to be looked at. */
function tighten(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || (found.mode & FOR_OTHERS) === 0) return;
  if (found.isDirectory()) for (const name of readdirSync(path)) tighten(join(path, name));
  try {
    chmodSync(path, found.mode & 0o700);
  } catch (error) {
    // Of another owner, or on a file system that cannot: the doctor names the secrets that others may read.
    if (!CANNOT.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
