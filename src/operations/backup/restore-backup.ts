import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Instant, Clock } from '../../kernel/time.js';
import { readRestoreMark, writeRestoreMark } from '../../app/restore-mark.js';
import {
  ARCHIVE,
  BackupError,
  compare,
  DATABASE,
  mustBeFile,
  readManifest,
  SECRETS,
  type Manifest,
} from './manifest.js';
import { DataDirLockedError } from '../../kernel/errors.js';
import { copyFile, sumOf, syncFolders, embeddedStores } from '../../event-sourcing/index.js';

const { damageOf, lockDataDir } = await embeddedStores();

export interface RestoreOptions {
  readonly dataDir: string;
  readonly folder: string;
  readonly keyInEnvironment: boolean;
  readonly clock: Clock;
}

export interface BackupRestored {
  readonly data_dir: string;
  readonly backup_time: Instant;
  readonly restored_at: Instant;
  readonly files: number;
  readonly bytes: number;
  readonly events: number;
  readonly next: readonly string[];
}

const STORE = [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, 'content', ARCHIVE, ...SECRETS];

/**
 * Mark first, database last, so that an unfinished restore is refused. @throws BackupError; errors of the
 * disk
 */
export async function restoreBackup(options: RestoreOptions): Promise<BackupRestored> {
  const { dataDir, folder, clock } = options;
  // The lock creates the folder: take it late, so that a refused backup leaves no folder behind.
  let unlock = existsSync(dataDir) ? lock(dataDir) : undefined;
  try {
    if (unlock) refuseStore(dataDir);
    const manifest = readManifest(folder);
    await verify(folder, manifest);
    unlock ??= lock(dataDir);
    const restoredAt = clock.now();
    await fill(dataDir, folder, manifest, restoredAt);
    return outcomeOf(options, manifest, restoredAt);
  } finally {
    unlock?.();
  }
}

/** @throws BackupError */
function lock(dataDir: string): () => void {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (!(error instanceof DataDirLockedError)) throw error;
    throw new BackupError(`${error.message}: stop the service first`);
  }
}

/** Accepts the remains of an interrupted restore. @throws BackupError */
function refuseStore(dataDir: string): void {
  if (readRestoreMark(dataDir)?.state === 'copying') return;
  const found = STORE.find((name) => existsSync(join(dataDir, name)));
  if (found === undefined) return;
  throw new BackupError(`${dataDir} holds a store (${found}): move the folder away first`);
}

/** @throws BackupError */
async function verify(folder: string, { files }: Manifest): Promise<void> {
  for (const file of files) {
    mustBeFile(folder, file.path);
    compare(file, await sumOf(join(folder, file.path)));
  }
  const damage = damageOf(folder);
  if (damage !== undefined) throw new BackupError(`the database of the backup is damaged: ${damage}`);
}

async function fill(dataDir: string, folder: string, { files, time }: Manifest, restoredAt: Instant) {
  const mark = { backup_at: time, restored_at: restoredAt };
  chmodSync(dataDir, 0o700);
  writeRestoreMark(dataDir, { state: 'copying', ...mark });
  for (const name of STORE) rmSync(join(dataDir, name), { recursive: true, force: true });
  const databaseLast = [...files].sort((a, b) => Number(a.path === DATABASE) - Number(b.path === DATABASE));
  for (const file of databaseLast) {
    compare(file, await copyFile(join(folder, file.path), join(dataDir, file.path)));
  }
  await syncFolders(dataDir, files);
  writeRestoreMark(dataDir, { state: 'copied', ...mark });
}

function outcomeOf(
  { dataDir, keyInEnvironment }: RestoreOptions,
  { files, time, events }: Manifest,
  restoredAt: Instant,
): BackupRestored {
  const hasKey = keyInEnvironment || files.some(({ path }) => path === 'master.key');
  return {
    ...{ data_dir: dataDir, backup_time: time, restored_at: restoredAt },
    ...{ files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), events },
    next: [
      ...(hasKey ? [] : ['Set SVC_MASTER_KEY to the key of the lost service: the backup holds none.']),
      'Start the service: it parks every job that may have been printed since the backup before it serves.',
      'Look at them with `rps job list --status manual_review` and decide on each, or on all at once with `rps job release --restored-before TIME`.',
      'Run `rps views verify`. For 24 hours creates answer Service-Restored-From, so that clients can hold back repeats.',
    ],
  };
}
