import type { Milliseconds, Clock } from '../../kernel/time.js';
import { atRest } from '../../app/packing.js';
import { refuseHalfRestored } from '../../app/restore-mark.js';
import { BackupError } from './manifest.js';
import { DataDirLockedError } from '../../kernel/errors.js';
import { embeddedStores } from '../../event-sourcing/index.js';

const { compactDatabase, CompactionError } = await embeddedStores();

export interface CompactOptions {
  readonly dataDir: string;
  readonly packAfterMs: Milliseconds;
  readonly clock: Clock;
}

export interface FolderCompacted {
  readonly data_dir: string;
  readonly moved_events: number;
  readonly packed_streams: number;
  readonly bytes_before: number;
  readonly bytes_after: number;
}

/** Precondition: the service is stopped. @throws BackupError; errors of the disk */
export async function compact({ dataDir, clock, ...options }: CompactOptions): Promise<FolderCompacted> {
  refuseHalfRestored({ dataDir });
  try {
    const done = await compactDatabase(dataDir, atRest(options, clock));
    return {
      data_dir: dataDir,
      moved_events: done.moved,
      packed_streams: done.packed,
      bytes_before: done.bytesBefore,
      bytes_after: done.bytesAfter,
    };
  } catch (error) {
    if (error instanceof DataDirLockedError)
      throw new BackupError(`${error.message}: stop the service first`);
    if (error instanceof CompactionError) throw new BackupError(error.message);
    throw error;
  }
}
