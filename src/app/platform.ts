import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { MemoryRateCounters } from './system/memory-rate-counters.js';
import type { Config } from '../config.js';
import type { WebhookClient } from '../contexts/webhooks/index.js';
import type { Clock } from '../kernel/time.js';
import type { Randomness } from '../kernel/ids.js';
import type { RateCounters } from '../kernel/rate-counters.js';
import type { Tracing } from '../kernel/tracing.js';
import { countedBlocks } from '../operations/metrics/metrics.js';
import { masterKeyFor } from './master-key.js';
import { ensureOperatorToken } from './operator-token.js';
import type { Platform } from './platform.module.js';
import { sendingOf, webhookClientFor } from './webhook-sending.js';
import { type Stores, AggregateStore } from '../event-sourcing/index.js';

export interface ServiceOptions {
  readonly config: Config;
  readonly productVersion: string;
  readonly stores: Stores;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly logger: Logger;
  readonly registry?: Registry;
  /** Shared by all instances; default: counters of this process. */
  readonly rateCounters?: RateCounters | undefined;
  readonly onLeadership?: Platform['onLeadership'];
  /** Replaces the network client in tests; closed with the service. */
  readonly webhookClient?: WebhookClient | undefined;
  readonly stop?: AbortSignal;
  readonly tracing?: Tracing | undefined;
}

/** Closing the instance leaves the stores open. */
export async function platformOver(options: ServiceOptions): Promise<Platform> {
  const { config, stores, clock, randomness, logger, registry = new Registry() } = options;
  const masterKey = masterKeyFor(config, randomness);
  const aggregates = new AggregateStore(stores.events, randomness, { shared: stores.leases !== undefined });
  const shared = stores.leases && masterKey;
  const replaced = await ensureOperatorToken(config.dataDir, aggregates, {
    clock,
    randomness,
    ...(shared && { shared }),
  });
  if (replaced)
    logger.error(
      'SVC_MASTER_KEY is not the one that was used before: secrets sealed with that one cannot be opened',
    );
  return {
    ...options,
    masterKey,
    aggregates,
    registry,
    webhookClient: options.webhookClient ?? webhookClientFor(config, logger),
    sending: sendingOf({ ...options, masterKey }, registry),
    rateCounters: options.rateCounters ?? new MemoryRateCounters(clock),
    blockedSignIns: countedBlocks(registry, logger),
    onLeadership: options.onLeadership,
    tracing: options.tracing,
    stop: options.stop ?? new AbortController().signal,
  };
}

export async function addressOf(app: NestFastifyApplication): Promise<string> {
  return `${(await app.getUrl()).replace('[::1]', '127.0.0.1')}/v1`;
}
