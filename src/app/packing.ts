import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { RepeatedRun } from '../async/repeated-run.js';
import { plus, type Milliseconds, type Clock } from '../kernel/time.js';
import { retriedFailures } from './retried-failures.js';
import { untilAborted } from '../async/pauses.js';
import type { PackingRule, Stores } from '../event-sourcing/index.js';

const PAUSE_MS: Milliseconds = 60_000;
/** Server stores make a file a day; what failed is tried again. */
const PAUSE_OF_SERVERS_MS: Milliseconds = 3_600_000;
const CATEGORIES = ['job', 'delivery', 'claim'];
/** Nothing follows but late results and notes. */
export const OVER = ['JobArchived'];

export function atRest({ packAfterMs }: Pick<Config, 'packAfterMs'>, clock: Clock): PackingRule {
  return { before: plus(clock.now(), -packAfterMs), categories: CATEGORIES, over: OVER };
}

interface Packing {
  readonly config: Config;
  readonly stores: Stores;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Undefined if the store keeps its size itself. */
export function packingOf({ config, stores, clock, logger }: Packing): RepeatedRun | undefined {
  const { packing, leases } = stores;
  if (!packing) return undefined;
  const failures = retriedFailures(logger);
  const work = async (signal: AbortSignal) => {
    // A stop does not wait for the rest, which follows after the next start.
    const packed = await untilAborted(packing.run(atRest(config, clock), signal), signal);
    if (packed) logger[leases ? 'info' : 'debug']({ packed }, 'packed events');
  };
  const pause = leases ? PAUSE_OF_SERVERS_MS : Math.min(PAUSE_MS, config.packAfterMs);
  return new RepeatedRun(work, pause, clock, (error) =>
    failures(error, 'packing events failed; it runs again later'),
  );
}
