import { spawnSync } from 'node:child_process';
import { devNull } from 'node:os';
import { join } from 'node:path';

/** Reason why strace cannot be used here; undefined if it can. */
export function whyNoStrace(): string | undefined {
  const args = [
    '-f',
    '-o',
    devNull,
    '-e',
    'trace=fsync',
    '-e',
    'inject=fsync:error=EIO',
    process.execPath,
    '-v',
  ];
  const { error, status, stderr } = spawnSync('strace', args, { encoding: 'utf8' });
  if (error) return `strace is not installed (${error.message})`;
  return status === 0 ? undefined : `strace may not trace here: ${stderr.trim().split('\n').at(-1)}`;
}

/** System calls, on these files, at which a process can be interrupted. strace counts them per thread. */
export interface Series {
  readonly name: string;
  readonly calls: readonly string[];
  readonly paths: (dataDir: string) => readonly string[];
}

const database = (dataDir: string) =>
  ['rps.db', 'rps.db-wal', 'rps.db-journal'].map((name) => join(dataDir, name));

const contentFolders = (dataDir: string) => {
  const spread = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'));
  return ['', ...spread].map((name) => join(dataDir, 'content', name));
};

/** SQLite uses one of the two, depending on its build. */
export const databaseSyncs: Series = {
  name: 'syncs of the database',
  calls: ['fsync', 'fdatasync'],
  paths: database,
};
export const logWrites: Series = {
  name: 'writes to the log of the database',
  calls: ['pwrite64'],
  paths: (dataDir) => [join(dataDir, 'rps.db-wal')],
};
/** Only document files are synced by fdatasync. */
export const documentSyncs: Series = { name: 'syncs of documents', calls: ['fdatasync'], paths: () => [] };
export const renames: Series = { name: 'renames', calls: ['rename'], paths: () => [] };
export const folderSyncs: Series = { name: 'syncs of folders', calls: ['fsync'], paths: contentFolders };

const SECRETS = ['operator-token.new', 'master.key.new'];
export const secretSyncs: Series = {
  name: 'syncs of secrets and their folder',
  calls: ['fsync'],
  paths: (dataDir) => [dataDir, ...SECRETS.map((name) => join(dataDir, name))],
};

/** Tracer command with this action (`signal=SIGKILL:when=3`, `error=EIO:when=2`, …) at calls of the series. */
export function straceAt({ calls, paths }: Series, dataDir: string, what: string): readonly string[] {
  const names = calls.join(',');
  return [
    'strace',
    '-f',
    '-o',
    devNull,
    ...paths(dataDir).flatMap((path) => ['-P', path]),
    '-e',
    `trace=${names}`,
    '-e',
    `inject=${names}:${what}`,
  ];
}
