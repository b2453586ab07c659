import { setTimeout as pause } from 'node:timers/promises';
import { LoadGenerator } from '../load/load.js';
import { atMost, type Bench, type Figure, type Measure } from '../measure.js';
import { ServiceProcess } from '../programs/service.js';
import { median, rounds } from '../statistics.js';
import { Sink } from '../webhooks/sink-process.js';
import type { Arrivals } from '../webhooks/sink.js';
import {
  createWebhook,
  INSECURE,
  subscribe,
  WEBHOOKS_PER_ACCOUNT,
  type Subscriber,
} from '../webhooks/subscribers.js';
import { creates } from '../world.js';
import { fillBacklog } from './webhooks.js';

const CONNECTIONS = 16;
/** Waits for deliveries in flight at the end of a round. */
const REST_MS = 500;

/** Creates jobs at a fixed rate; resolves to the arrivals at the receiver. */
async function paced(
  bench: Bench,
  { service, sink, subscribers, perSecond }: Scene & { readonly perSecond: number },
): Promise<Arrivals> {
  const generator = new LoadGenerator();
  const requests = subscribers.flatMap(({ customer }) => creates(customer));
  const load = { url: service.url, connections: CONNECTIONS, requests, seconds: bench.seconds, perSecond };
  try {
    await sink.forget();
    await generator.run(load, 201);
    await pause(REST_MS);
    return (await sink.report()).ok!;
  } finally {
    generator.stop();
  }
}

interface Scene {
  readonly service: ServiceProcess;
  readonly sink: Sink;
  readonly subscribers: readonly Subscriber[];
}

/** Each job causes these two events. */
const BOTH = ['job.created', 'job.queued'];
const JOBS_PER_SECOND = 250;

export const webhookLag: Measure = {
  name: 'webhook-lag',
  about:
    'from an event (before its commit) to its request at the receiver, 250 jobs with 500 events a second',

  async run(bench) {
    const sink = await Sink.start();
    const service = await ServiceProcess.start(bench.folder('webhook-lag'), { env: INSECURE });
    try {
      const scene = { service, sink, subscribers: [await subscribe(service, sink, 1, BOTH)] };
      const load = { ...scene, perSecond: JOBS_PER_SECOND };
      await paced(bench, load);
      const found = await rounds(bench.rounds, () => paced(bench, load));
      const figure = (name: string, of: (one: Arrivals) => number, most: number): Figure => ({
        name: `event → receiver at 500/s, ${name}`,
        unit: 'ms',
        rounds: found.map(of),
        target: atMost(most),
      });
      return [figure('p50', (one) => one.p50, 15), figure('p99', (one) => one.p99, 100)];
    } finally {
      await service.stop();
      sink.stop();
    }
  },
};

const ACCOUNTS = 5;
const HOLE_PENDING = 50_000;
const FAIR_JOBS_PER_SECOND = 50;

/** Creates 99 webhooks and, `withHole`, one that never answers and has a backlog. */
async function customers(bench: Bench, sink: Sink, withHole: boolean): Promise<Scene> {
  const dataDir = bench.folder(`webhook-hole-${withHole}`);
  const service = await ServiceProcess.start(dataDir, { env: INSECURE });
  const subscribers: Subscriber[] = [];
  for (let n = 0; n < ACCOUNTS; n++) {
    subscribers.push(await subscribe(service, sink, WEBHOOKS_PER_ACCOUNT - (n === 0 ? 1 : 0)));
  }
  if (!withHole) return { service, sink, subscribers };
  const { customer } = subscribers[0]!;
  // No event of the load has this type: new deliveries would pause a webhook with such a backlog.
  const hole = await createWebhook(service, customer.accountId, sink.url('hole', 'one'), ['job.failed']);
  await service.stop();
  await fillBacklog({ dataDir, cast: customer, jobs: HOLE_PENDING, pendingFor: [hole] });
  return { service: await ServiceProcess.start(dataDir, { env: INSECURE }), sink, subscribers };
}

export const webhookHole: Measure = {
  name: 'webhook-hole',
  about:
    'the same for 99 webhooks with 1,000 deliveries a second, beside one that never answers and has 50,000',

  async run(bench) {
    const sink = await Sink.start();
    const scenes: Scene[] = [];
    try {
      for (const withHole of [false, true]) scenes.push(await customers(bench, sink, withHole));
      const [usual, beside] = scenes as [Scene, Scene];
      const load = (scene: Scene) => paced(bench, { ...scene, perSecond: FAIR_JOBS_PER_SECOND });
      for (const scene of scenes) await load(scene);
      // Alternating, so that compared loads run under the same conditions.
      const found = await rounds(bench.rounds, async () => [await load(usual), await load(beside)] as const);
      const middle = (of: (one: Arrivals) => number) => median(found.map(([one]) => of(one)));
      return [
        {
          name: 'webhooks beside a black hole, p99, of the usual',
          unit: 'x',
          rounds: found.map(([one, other]) => other.p99 / one.p99),
          target: atMost(1.5),
          note: `usual p50 ${middle(({ p50 }) => p50)} ms, p99 ${middle(({ p99 }) => p99)} ms`,
        },
      ];
    } finally {
      for (const { service } of scenes) await service.stop();
      sink.stop();
    }
  },
};
