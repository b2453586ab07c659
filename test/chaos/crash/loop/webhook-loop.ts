import { publicTypeOf } from '../../../../src/contexts/webhooks/index.js';
import { contentOf, WebhookReceiver, type ReceivedRequest } from '../../../kit/webhook-receiver.js';
import { chanceFrom } from '../../../kit/random.js';
import { eventually } from '../../../kit/polling.js';
import type { StoredEvent } from '../../../kit/stored-events.js';
import type { SeedFolder, World } from '../kit/world.js';
import { createJobs, type Load } from './clients.js';
import { Gate } from './gate.js';

export interface WebhookRun {
  readonly kills: number;
  /** Per round, with one kill in each; a job has two events, and one more if it is cancelled. */
  readonly jobs: number;
  readonly seed: number;
}

export interface WebhookTally {
  /** Number of events that each endpoint must receive. */
  readonly events: number;
  readonly requests: number;
  /** Repeated requests, of one event to one endpoint. */
  readonly duplicates: number;
  readonly interrupted: number;
}

const ENV = {
  WEBHOOK_ALLOW_INSECURE_TARGETS: 'true',
  WEBHOOK_TIMEOUT_SECONDS: '5',
  WEBHOOK_RETRY_DELAYS_SECONDS: '0.2,0.2,0.2,0.2,0.2',
};
const ENDPOINTS = ['/ok/one', '/ok/two', '/ok/three'];
const CLIENTS = 4;
const EARLIEST_KILL_MS = 10;
const LATEST_KILL_MS = 250;
/** Requests in flight to one endpoint. */
const IN_FLIGHT = 4;

/**
 * Kills a service that sends events of new jobs to three endpoints, repeatedly, and checks what each received.
 */
export async function webhookLoop(folder: SeedFolder, run: WebhookRun): Promise<WebhookTally> {
  const world = await folder.grow(ENV);
  const receiver = await WebhookReceiver.start();
  try {
    await world.start();
    for (const path of ENDPOINTS) await subscribe(world, `http://127.0.0.1:${receiver.port}${path}`);
    const before = (await world.events()).length;
    await underLoad(world, run);
    const told = await eventually('every event to be told and recorded', async () => {
      const events = (await world.events()).slice(before);
      return isToldOf(events) ? events : undefined;
    });
    await expectViewsEqualReplay(world);
    return tallyOf(told, receiver.requests, run);
  } finally {
    await world.remove();
    await receiver.close();
  }
}

async function subscribe(world: World, url: string): Promise<void> {
  const created = await world.asClient('POST', '/svc-create-webhook', { url });
  if (created.status !== 201) throw new Error(created.text);
}

async function underLoad(world: World, { kills, jobs, seed }: WebhookRun): Promise<void> {
  const chance = chanceFrom(seed);
  const gate = new Gate(world);
  const load: Load = { world, gate, chance, journal: [], printerIds: [world.seed.printerId] };
  try {
    for (let n = 0; n < kills; n++) {
      const clients = Array.from({ length: CLIENTS }, () => createJobs(load, jobs / CLIENTS));
      const moment = EARLIEST_KILL_MS + chance() * (LATEST_KILL_MS - EARLIEST_KILL_MS);
      await new Promise((resolve) => setTimeout(resolve, moment));
      const killed = world.service.kill();
      gate.close();
      await killed;
      await world.start();
      gate.open();
      await Promise.all(clients);
    }
  } finally {
    gate.giveUp();
  }
}

const toldOf = (events: readonly StoredEvent[]) => events.filter((event) => publicTypeOf(event));

/** Every event has a successful delivery to each endpoint. */
function isToldOf(events: readonly StoredEvent[]): boolean {
  const delivered = events.filter(({ type }) => type === 'DeliverySucceeded').length;
  return delivered === toldOf(events).length * ENDPOINTS.length;
}

function tallyOf(
  events: readonly StoredEvent[],
  requests: readonly ReceivedRequest[],
  { kills }: WebhookRun,
): WebhookTally {
  const told = toldOf(events).map(({ event_id }) => event_id);
  const attempts = attemptsOf(events);
  let duplicates = 0;
  for (const path of ENDPOINTS) {
    const received = new Map<string, ReceivedRequest[]>();
    for (const request of requests.filter((it) => it.path === path)) {
      const id = request.headers['x-svc-event-id']!;
      received.set(id, [...(received.get(id) ?? []), request]);
    }
    expect([...received.keys()].sort()).toEqual([...told].sort());
    for (const [first, ...others] of received.values()) {
      duplicates += others.length;
      for (const other of others) expect(contentOf(other)).toEqual(contentOf(first!));
      const id = first!.headers['x-svc-delivery-id']!;
      expect(others.length).toBeLessThan(attempts.get(id) ?? 0);
    }
  }
  const interrupted = events.filter(({ data }) => data.failureCode === 'INTERRUPTED').length;
  expect(interrupted).toBeLessThanOrEqual(kills * ENDPOINTS.length * IN_FLIGHT);
  expect(duplicates).toBeLessThanOrEqual(interrupted);
  return { events: told.length, requests: requests.length, duplicates, interrupted };
}

/** Started attempts by delivery. */
function attemptsOf(events: readonly StoredEvent[]): Map<string, number> {
  const attempts = new Map<string, number>();
  for (const { type, stream } of events) {
    if (type !== 'DeliveryAttemptStarted') continue;
    const id = stream.slice('delivery-'.length);
    attempts.set(id, (attempts.get(id) ?? 0) + 1);
  }
  return attempts;
}

async function expectViewsEqualReplay(world: World): Promise<void> {
  const { items } = await world.operate('POST', '/views/verify');
  expect((items as { equal: boolean }[]).filter(({ equal }) => !equal)).toEqual([]);
}
