import { RepeatedRun } from '../async/repeated-run.js';
import { JobArchive, type ArchivedStores } from '../contexts/jobs/index.js';
import type { Milliseconds } from '../kernel/time.js';
import type { Platform } from './platform.module.js';
import { retriedFailures } from './retried-failures.js';

const PAUSE_MS: Milliseconds = 600_000;

/** Undefined unless jobs are to be archived. */
export function archivingOf(
  { config, clock, logger }: Pick<Platform, 'config' | 'clock' | 'logger'>,
  stores: ArchivedStores,
): RepeatedRun | undefined {
  if (config.archiveAfterMs === undefined) return undefined;
  const failures = retriedFailures(logger);
  const onError = (error: unknown) => failures(error, 'archiving jobs failed; it runs again later');
  const archive = new JobArchive(stores, clock, config.archiveAfterMs, onError);
  const work = async (signal: AbortSignal) => {
    const archived = await archive.run(signal);
    if (archived) logger.info({ archived }, 'archived jobs');
  };
  return new RepeatedRun(work, PAUSE_MS, clock, onError);
}
