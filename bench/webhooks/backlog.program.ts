import { v7 } from 'uuid';
import { openEmbeddedStores } from '../../src/event-sourcing/embedded/embedded-stores.js';
import { SystemClock } from '../../src/app/system/system-clock.js';
import { CreateJob, defaultJobPolicy, makeJobDecider } from '../../src/contexts/jobs/index.js';
import {
  CreateDelivery,
  defaultDeliveryPolicy,
  deliveryIdOf,
  makeDeliveries,
} from '../../src/contexts/webhooks/index.js';
import type { DomainEvent, Origin, RecordedEvent } from '../../src/kernel/recorded-event.js';
import { instant } from '../../src/kernel/time.js';
import type { Append } from '../../src/event-sourcing/ports/event-store.port.js';
import { describe, type Cast } from '../library/job-story.js';
import { given, report } from '../programs/program.js';

export interface BacklogParameters {
  readonly dataDir: string;
  readonly cast: Cast;
  /** Number of new jobs without deliveries. */
  readonly jobs: number;
  /** Webhooks for which each job also gets a pending delivery. */
  readonly pendingFor?: readonly string[];
}

export interface BacklogReport {
  readonly deliveries: number;
}

const TOGETHER = 200;
const CHECKPOINT = 'webhook-fan-out';

const { dataDir, cast, jobs, pendingFor } = given<BacklogParameters>();
const stores = await openEmbeddedStores({
  dataDir,
  projectionsUrl: new URL('../../src/app/configured-projections.js', import.meta.url).href,
  clock: new SystemClock(),
});
const job = makeJobDecider({ ...defaultJobPolicy, lifetimeMs: 300 * 86_400_000 });
const delivery = makeDeliveries(defaultDeliveryPolicy).decider;
const by: Origin = { actor: { kind: 'api_key', id: cast.accountId }, correlationId: v7() };
const now = () => instant(Date.now());

function append(stream: string, decision: { accepted: boolean; events?: readonly DomainEvent[] }): Append {
  const metadata = { ...by, at: now(), schemaVersion: 1 };
  const events = decision.events!.map(({ type, data }) => ({ id: v7(), type, data, metadata }));
  return { stream, expected: 'no_stream', events };
}

function newJob(n: number): Append {
  const jobId = v7();
  const create = new CreateJob({ jobId, job: describe(cast, n), at: now(), by });
  return append(`job-${jobId}`, job.decide(job.initialState, create));
}

function waiting(webhookId: string, { id: eventId, stream, revision }: RecordedEvent): Append {
  const id = deliveryIdOf(webhookId, eventId);
  const { accountId } = cast;
  const told = {
    accountId,
    webhookId,
    eventId,
    eventType: 'job.created',
    source: { stream, revision },
  } as const;
  const create = new CreateDelivery({ deliveryId: id, delivery: told, at: now(), by });
  return append(`delivery-${id}`, delivery.decide(delivery.initialState, create));
}

let deliveries = 0;
for (let n = 0; n < jobs; n += TOGETHER) {
  const appends = Array.from({ length: Math.min(TOGETHER, jobs - n) }, (_, m) => newJob(n + m));
  const created = (await stores.events.appendInOrder(appends)).map(({ events }) => events[0]!);
  for (const webhookId of pendingFor ?? []) {
    await stores.events.appendInOrder(created.map((event) => waiting(webhookId, event)));
    deliveries += created.length;
  }
}
if (pendingFor) await stores.checkpoints.put(CHECKPOINT, (await stores.events.head())!);
await stores.close();
report<BacklogReport>({ deliveries });
