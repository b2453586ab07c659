import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config.js';
import type { Instant } from '../kernel/time.js';
import { readSecretFile, syncFolder, writeSecretFile } from '../event-sourcing/index.js';

/** Written by `rps restore`, kept until the first start has parked its jobs. */
export interface RestoreMark {
  /** `copying`: the restore is running or was interrupted. `copied`: complete, not started yet. */
  readonly state: 'copying' | 'copied';
  readonly backup_at: Instant;
  readonly restored_at: Instant;
}

const FILE = 'restored.json';

/** @throws ConfigError if the mark is damaged */
export function readRestoreMark(dataDir: string): RestoreMark | undefined {
  const text = readSecretFile(join(dataDir, FILE));
  if (text === undefined) return undefined;
  try {
    const { state, backup_at, restored_at } = JSON.parse(text) as RestoreMark;
    const isKnown = state === 'copying' || state === 'copied';
    if (isKnown && !Number.isNaN(Date.parse(backup_at))) return { state, backup_at, restored_at };
  } catch {
    // Invalid JSON is reported like an unknown state.
  }
  throw new ConfigError([`DATA_DIR/${FILE} is damaged: empty the folder and restore the backup again`]);
}

/** Durable on return. */
export function writeRestoreMark(dataDir: string, mark: RestoreMark): void {
  writeSecretFile(join(dataDir, FILE), JSON.stringify(mark));
}

export function removeRestoreMark(dataDir: string): void {
  rmSync(join(dataDir, FILE), { force: true });
  syncFolder(dataDir);
}

/** @throws ConfigError if the folder holds an unfinished restore */
export function refuseHalfRestored({ dataDir }: { readonly dataDir: string }): void {
  if (readRestoreMark(dataDir)?.state !== 'copying') return;
  throw new ConfigError(['DATA_DIR holds an unfinished restore: run `rps restore` again']);
}
