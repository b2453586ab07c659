import { statfs } from 'node:fs/promises';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { ImportGate } from '../api/operator/export-import/event-import.js';
import { AGENT_TIMING } from '../api/agent-timing.js';
import { NAMES_TRACES } from '../api/agent/leases/leases.controller.js';
import { BlockedSignIns } from '../api/panel/sessions/sign-in-limits.js';
import {
  FREE_SPACE,
  INSTALLATION,
  type FreeSpace,
  type Installation,
} from '../api/operator/service/service.controller.js';
import { PUBLIC_ADDRESS } from '../http/session-cookie.js';
import { PRODUCT_VERSION } from '../http/surface.js';
import { Readiness } from '../kernel/readiness.js';
import type { Config } from '../config.js';
import { WebhookPayloads, type Sending, WebhookClient } from '../contexts/webhooks/index.js';
import { Clock } from '../kernel/time.js';
import { MasterKey } from '../kernel/sealing.js';
import { Randomness } from '../kernel/ids.js';
import { RateCounters } from '../kernel/rate-counters.js';
import type { Tracing } from '../kernel/tracing.js';
import { EvidenceLog } from '../evidence/evidence-log.js';
import { NoteKey } from '../evidence/signed-note.js';
import { changeIndexOf } from './change-index.js';
import { evidenceKeyOf, evidenceLogOf } from './evidence.js';
import { CONSUMER_GROUPS } from './singleton-workers.js';
import { ProjectedPayloads } from '../api/resources/projected-payloads.js';
import { processesFor } from './processes.js';
import { TIMED_VIEWS } from './projections.js';
import { StoreReadiness } from './store-readiness.js';
import {
  CheckpointStore,
  ContentStore,
  DueTimers,
  EventStore,
  HashStore,
  Locks,
  LivenessStore,
  LogIndex,
  StoredTexts,
  type Stores,
  ViewMaintenance,
  ViewStore,
  AggregateStore,
} from '../event-sourcing/index.js';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { MemoryRateCounters } from './system/memory-rate-counters.js';
import { SystemClock } from './system/system-clock.js';
import { countedBlocks } from '../operations/metrics/metrics.js';
import { ProcessRegistry } from '../operations/metrics/process-registry.js';
import { masterKeyFor } from './master-key.js';
import { ensureOperatorToken } from './operator-token.js';
import { sendingOf, webhookClientFor } from './webhook-sending.js';

export interface Platform {
  readonly config: Config;
  readonly productVersion: string;
  readonly masterKey: MasterKey;
  readonly stores: Stores;
  readonly clock: Clock;
  /** Follows the system, also in tests with a manual clock. */
  readonly electionClock: Clock;
  readonly randomness: Randomness;
  readonly logger: Logger;
  readonly aggregates: AggregateStore;
  readonly registry: Registry;
  readonly webhookClient: WebhookClient;
  readonly sending: Sending;
  readonly rateCounters: RateCounters;
  readonly blockedSignIns: BlockedSignIns;
  readonly onLeadership: ((group: string, leading: boolean) => void) | undefined;
  readonly stop: AbortSignal;
  /** Absent without a collector. */
  readonly tracing: Tracing | undefined;
}

export const PLATFORM = Symbol('platform');

@Global()
@Module({})
export class PlatformModule {
  static of(platform: Platform): DynamicModule {
    const { stores, clock, randomness, aggregates, registry, tracing } = platform;
    const { leaseMs, presenceTimeoutMs, publicUrl, role } = platform.config;
    const evidenceKey = evidenceKeyOf(platform.config, platform.masterKey);
    const importGate = new ImportGate(role, stores.leases, CONSUMER_GROUPS, randomness.uuid());
    const providers = [
      { provide: PLATFORM, useValue: platform },
      { provide: EventStore, useValue: stores.events },
      { provide: ViewStore, useValue: stores.views },
      { provide: ContentStore, useValue: stores.contents },
      { provide: CheckpointStore, useValue: stores.checkpoints },
      { provide: LivenessStore, useValue: stores.liveness },
      { provide: Locks, useValue: stores.locks },
      { provide: StoredTexts, useValue: stores.texts },
      { provide: HashStore, useValue: stores.hashes },
      { provide: NoteKey, useValue: evidenceKey },
      { provide: EvidenceLog, useValue: evidenceLogOf(platform, evidenceKey) },
      { provide: ViewMaintenance, useValue: stores.maintenance },
      { provide: Clock, useValue: clock },
      { provide: Randomness, useValue: randomness },
      { provide: AggregateStore, useValue: aggregates },
      { provide: WebhookClient, useValue: platform.webhookClient },
      { provide: MasterKey, useValue: platform.masterKey },
      { provide: PRODUCT_VERSION, useValue: platform.productVersion },
      { provide: Registry, useValue: registry },
      { provide: RateCounters, useValue: platform.rateCounters },
      { provide: BlockedSignIns, useValue: platform.blockedSignIns },
      { provide: INSTALLATION, useValue: installationOf(platform.config) },
      { provide: FREE_SPACE, useValue: freeSpaceOf(platform.config) },
      { provide: PUBLIC_ADDRESS, useValue: { publicUrl } },
      { provide: AGENT_TIMING, useValue: { leaseMs, presenceTimeoutMs, publicUrl } },
      { provide: NAMES_TRACES, useValue: tracing !== undefined },
      { provide: ImportGate, useValue: importGate },
      { provide: Readiness, useClass: StoreReadiness },
      ProjectedPayloads,
      { provide: WebhookPayloads, useExisting: ProjectedPayloads },
      {
        provide: LogIndex,
        inject: [WebhookPayloads],
        useFactory: (payloads: WebhookPayloads) => changeIndexOf({ ...platform, payloads }),
      },
      { provide: DueTimers, useValue: dueTimersOf(platform) },
    ];
    return {
      module: PlatformModule,
      imports: [CqrsModule.forRoot()],
      providers,
      exports: [...providers.map((one) => ('provide' in one ? one.provide : one)), CqrsModule],
    };
  }
}

const dueTimersOf = ({ stores: { views, events }, config }: Platform) =>
  new DueTimers(views, events, TIMED_VIEWS, processesFor(config));

/** Server stores are on volumes that this process does not see. */
const freeSpaceOf =
  ({ eventStoreUrl, dataDir }: Config): FreeSpace =>
  async () => {
    if (eventStoreUrl !== undefined) return undefined;
    const room = await statfs(dataDir).catch(() => undefined);
    return room && room.bavail * room.bsize;
  };

const installationOf = ({ eventStoreUrl, role }: Config): Installation => ({
  stores: eventStoreUrl === undefined ? 'embedded' : 'servers',
  role,
});

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
  const { config, stores, clock, randomness, logger, registry = new ProcessRegistry() } = options;
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
    electionClock: new SystemClock(),
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
