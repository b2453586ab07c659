import type { CommandBus } from '@nestjs/cqrs';
import type { Logger } from 'pino';
import { SystemClock } from './system/system-clock.js';
import type { Config } from '../config.js';
import { ParkRestoredJobs, type RestoredJobsParked } from '../contexts/jobs/index.js';
import {
  RaiseRollbackAlarm,
  RecordRestore,
  restores,
  rollbackAlarms,
  STORE_ID,
  type RecentRestore,
} from '../contexts/recovery/index.js';
import type { Position, RecordedEvent } from '../kernel/recorded-event.js';
import type { Instant, Clock } from '../kernel/time.js';
import type { Randomness } from '../kernel/ids.js';
import { StoreRetry } from '../async/retry.js';
import { readRestoreMark, refuseHalfRestored, removeRestoreMark } from './restore-mark.js';
import { CorruptEventError } from '../kernel/errors.js';
import type { EventStore, AggregateStore } from '../event-sourcing/index.js';

const ACTOR = { kind: 'process', id: 'restore' } as const;
/** Their events do not count for the time of the backup. */
const OF_THE_START: ReadonlySet<string> = new Set(['start', ACTOR.id]);
const EVENTS_AT_ONCE = 1_000;

export interface RestoredStart {
  readonly config: Pick<Config, 'dataDir' | 'restored'>;
  readonly commands: CommandBus;
  readonly events: EventStore;
  readonly aggregates: AggregateStore;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly logger: Logger;
}

/** @throws ConfigError for an unfinished restore */
export function isRestored(config: RestoredStart['config']): boolean {
  refuseHalfRestored(config);
  return config.restored || readRestoreMark(config.dataDir) !== undefined;
}

/** Removes the mark last: a start after a crash repeats all steps. Returns early if `stop` aborts. */
export async function recoverRestored(start: RestoredStart, stop?: AbortSignal): Promise<void> {
  const { config, logger } = start;
  const mark = readRestoreMark(config.dataDir);
  const work = () => parkJobs(start, mark?.backup_at, (command) => start.commands.execute(command));
  const signal = stop ?? new AbortController().signal;
  const retries = new StoreRetry(new SystemClock(), (error) =>
    logger.warn({ err: error }, 'could not park the jobs of the restored store yet; retrying'),
  );
  const done = await retries.whileUnavailable(work, signal).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
  if (!done) return;
  removeRestoreMark(config.dataDir);
  logger.warn(
    { parked: done.parked, backup_at: done.backupAt },
    `restored from a backup of ${done.backupAt}: ${done.parked} jobs wait for a decision: ${NEXT}`,
  );
  if (config.restored) logger.warn('RESTORED=true parks all waiting jobs at every start: unset it now');
}

const NEXT =
  '`rps job list --status manual_review`, then retry them or `rps job release --restored-before TIME`';

type Recovering = Pick<RestoredStart, 'events' | 'aggregates' | 'clock' | 'randomness' | 'logger'>;
type Park = (command: ParkRestoredJobs) => Promise<RestoredJobsParked>;

/**
 * May be repeated. @param end head at the detection; other instances may have appended since @throws
 * UnavailableError
 */
export async function recoverRolledBack(recovering: Recovering, end: Position, park: Park): Promise<void> {
  const { aggregates, clock, randomness, logger } = recovering;
  const { parked, backupAt } = await parkJobs(recovering, await newestInstant(recovering.events, end), park);
  const by = { actor: ACTOR, correlationId: randomness.uuid() };
  await aggregates.execute(rollbackAlarms, STORE_ID, new RaiseRollbackAlarm({ at: clock.now(), by }));
  logger.error(
    { parked, backup_at: backupAt },
    `the event store was rolled back to ${backupAt}: ${parked} jobs wait for a decision: ${NEXT}`,
  );
}

async function parkJobs(
  { events, aggregates, clock, randomness }: Recovering,
  backup: Instant | undefined,
  park: Park,
): Promise<{ readonly parked: number; readonly backupAt: Instant }> {
  const by = { actor: ACTOR, correlationId: randomness.uuid() };
  const at = clock.now();
  const backupAt = backup ?? (await newestInstant(events)) ?? at;
  const { parked } = await park(new ParkRestoredJobs({ backupAt, at, by }));
  await aggregates.execute(restores, STORE_ID, new RecordRestore({ backupAt, parked, at, by }));
  return { parked, backupAt };
}

/** Ignores events of a start. Reads the log up to `end`, so it is called for a restored store only. */
async function newestInstant(events: EventStore, end?: Position): Promise<Instant | undefined> {
  let newest: RecordedEvent | undefined;
  let after: Position | undefined;
  for (let max = EVENTS_AT_ONCE; ;) {
    try {
      const page = await events.readAll({ max, ...(after !== undefined && { after }) });
      newest = page.findLast((event) => isOfTheBackup(event, end)) ?? newest;
      after = page.at(-1)?.position;
      if (page.length < max || (end !== undefined && after! >= end)) return newest?.metadata.at;
    } catch (error) {
      if (!(error instanceof CorruptEventError)) throw error;
      // Reads up to the damaged event one by one, then continues behind it.
      if (max === 1) after = error.position;
      max = max === 1 ? EVENTS_AT_ONCE : 1;
    }
  }
}

function isOfTheBackup({ position, metadata }: RecordedEvent, end: Position | undefined): boolean {
  return (end === undefined || position <= end) && !OF_THE_START.has(metadata.actor.id);
}

/** Loads again when a subscription begins, because its event may have been stored before. */
export async function followRestores(
  recent: RecentRestore,
  events: EventStore,
  aggregates: AggregateStore,
): Promise<void> {
  const follow = () => aggregates.load(restores, STORE_ID).then(({ state }) => recent.note(state.newest));
  const followSoon = () => void follow().catch(() => undefined);
  events.listen({ types: new Set(['StoreRestored']), appended: followSoon, subscribed: followSoon });
  await follow();
}
