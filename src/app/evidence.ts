import type { Logger } from 'pino';
import { EvidenceLog } from '../evidence/evidence-log.js';
import type { Progress } from '../evidence/progress.js';
import { NoteKey } from '../evidence/signed-note.js';
import type { Config } from '../config.js';
import type { Stores } from '../event-sourcing/index.js';
import type { Randomness } from '../kernel/ids.js';
import type { MasterKey } from '../kernel/sealing.js';
import type { Clock } from '../kernel/time.js';
import { retriedFailures } from './retried-failures.js';

interface Dependencies {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly config: Pick<Config, 'evidenceIntervalMs' | 'publicUrl'>;
  readonly logger: Logger;
}

/** RFC 6761 reserves the domain: no host has this name. */
const NO_HOST = 'rps.invalid';

export function evidenceKeyOf({ evidenceKey }: Pick<Config, 'evidenceKey'>, masterKey: MasterKey): NoteKey {
  return new NoteKey(evidenceKey ?? masterKey.derive('evidence'));
}

export function evidenceLogOf(
  { stores, clock, randomness, config, logger }: Dependencies,
  key: NoteKey,
): EvidenceLog {
  const failures = retriedFailures(logger);
  const { reading } = stores;
  return new EvidenceLog({
    sources: { texts: stores.texts, hashes: stores.hashes },
    builder: reading && { advance: (recheck) => reading.call(recheck) as Promise<Progress> },
    events: stores.events,
    ...{ clock, randomness, key, interval: config.evidenceIntervalMs },
    host: config.publicUrl === undefined ? NO_HOST : new URL(config.publicUrl).host,
    onHalt: (halt) =>
      logger.error(
        { halt },
        'the evidence log halted and signs nothing: docs/operations.md, "The evidence log"',
      ),
    onError: (error) => failures(error, 'building the evidence log failed; it is tried again'),
  });
}
