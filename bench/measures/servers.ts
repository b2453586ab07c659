import { atLeast, atMost, type Bench, type Figure, type Measure } from '../measure.js';
import type { CatchUpParameters, CatchUpReport } from '../servers/catch-up.program.js';
import { startServers, type Servers } from '../servers/servers.js';
import type { VisibleParameters, VisibleReport } from '../servers/visible.program.js';
import { runProgram } from '../programs/program.js';
import { LoadGenerator } from '../load/load.js';
import type { RequestSpec } from '../load/load-spec.js';
import type { ServiceProcess } from '../programs/service.js';
import { median, rounds } from '../statistics.js';
import { Sink } from '../webhooks/sink-process.js';
import { INSECURE, subscribe, type Subscriber } from '../webhooks/subscribers.js';
import { costOf, medianCost, usageOf } from '../programs/usage.js';
import { call, creates, get, openCustomer, type Customer } from '../world.js';
import { batchesOf } from './batches.js';
import { latencyOf, requestsAt } from './change-readers.js';
import { figuresOf, loadRounds } from './service-load.js';
import { waitingReaders } from './waiting-readers.js';
import { withService } from './with-service.js';

const WRITERS = 8;
const ONE_CLIENT = 1;
/** Requests of each kind in a round. */
const REQUESTS = 100;

async function withServers<T>(work: (servers: Servers) => Promise<T>): Promise<T> {
  const servers = await startServers();
  try {
    return await work(servers);
  } finally {
    await servers.stop();
  }
}

const createsOnServers: Measure = {
  name: 'server-creates',
  about: 'the creates of the embedded bench over EventStoreDB and MongoDB, one instance, 64 connections',

  run: (bench) =>
    withServers(({ env, kind }) =>
      withService(
        bench.folder('server-creates'),
        async (service, generator) => {
          const requests = creates(await openCustomer(service));
          const loaded = await loadRounds(bench, generator, { service, requests, expected: 201 });
          return figuresOf(`creates over HTTP, ${kind}`, loaded, { rate: 1000 });
        },
        { env },
      ),
    ),
};

const batchesOnServers: Measure = {
  name: 'server-batches',
  about: 'jobs by requests of 100, of jobs by single creates, over EventStoreDB and MongoDB',
  run: (bench) => withServers(({ env, kind }) => batchesOf(bench, kind, { env })),
};

interface JobPage {
  readonly items: readonly { readonly job_id: string }[];
}

/** Median of each kind of request, in milliseconds. */
async function latencies(service: ServiceProcess, generator: LoadGenerator, customer: Customer) {
  const { key } = customer;
  const medianOf = async (requests: readonly RequestSpec[], expected: number) => {
    const spec = { url: service.url, connections: ONE_CLIENT, requests, count: REQUESTS };
    return (await generator.run(spec, expected)).p50;
  };
  const create = await medianOf(creates(customer), 201);
  const newest = `/svc-api-print-jobs?limit=${REQUESTS}&status=queued`;
  const { items } = await call<JobPage>(service.url, key, 'GET', newest);
  const paths = items.map(({ job_id }) => `/svc-api-print-jobs/${job_id}`);
  const asJson = { 'content-type': 'application/json' };
  const cancels = paths.map((path) => ({
    ...get(key, `${path}/cancel`, asJson),
    method: 'POST',
    body: '{}',
  }));
  return {
    create,
    get: await medianOf(
      paths.map((path) => get(key, path)),
      200,
    ),
    list: await medianOf([get(key, '/svc-api-print-jobs?limit=25&status=queued')], 200),
    cancel: await medianOf(cancels, 200),
  };
}

const GOALS_MS = { create: 20, get: 4, list: 4, cancel: 12 } as const;

const latency: Measure = {
  name: 'server-latency',
  about: 'medians of one client: create, get with history, list of 25, cancel',

  run: (bench) =>
    withServers(({ env, kind }) =>
      withService(
        bench.folder('server-latency'),
        async (service, generator) => {
          const customer = await openCustomer(service);
          await latencies(service, generator, customer);
          const measured = await rounds(bench.rounds, () => latencies(service, generator, customer));
          const kinds = Object.keys(GOALS_MS) as (keyof typeof GOALS_MS)[];
          return kinds.map((one) => ({
            name: `${one}, one client, p50, ${kind}`,
            unit: 'ms' as const,
            rounds: measured.map((round) => round[one]),
            target: atMost(GOALS_MS[one]),
          }));
        },
        { env },
      ),
    ),
};

const catchUpOf = (bench: Bench, partitions: readonly number[]) =>
  withServers(async ({ eventStoreUrl, mongoUrl, kind }): Promise<readonly Figure[]> => {
    const { rounds } = bench;
    const given = { eventStoreUrl, mongoUrl, jobs: bench.seconds * 1_000, rounds, partitions };
    const report = await runProgram<CatchUpParameters, CatchUpReport>('servers/catch-up.program.js', given);
    const { events, builds, rssMb } = report;
    return builds.map(({ partitions: count, perSecond, costs }) => {
      const total = median(costs.map((cost) => cost.total));
      const cost = { total, main: total, writer: 0 };
      const parts = count > 1 ? ` by ${count} partitions, each alone` : '';
      const name = `projections in catch-up${parts}, ${kind}`;
      const target = atLeast(15_000 * count);
      return { name, unit: '/s', rounds: perSecond, target, cost, rssMb, note: `${events} events` };
    });
  });

const catchUp: Measure = {
  name: 'server-catch-up',
  about: 'all read models built from the events of jobs by one worker, starting from none',
  run: (bench) => catchUpOf(bench, [1]),
};

const partitioned: Measure = {
  name: 'server-partitions',
  about: 'the same in 1, 2 and 4 partitions, one after the other; each rate is that of the slowest partition',
  run: (bench) => catchUpOf(bench, [1, 2, 4]),
};

const visible: Measure = {
  name: 'server-visible',
  about: `from the answer of an append until another instance reads it, ${WRITERS} writers`,

  run: (bench: Bench) =>
    withServers(async ({ eventStoreUrl, mongoUrl, kind }): Promise<readonly Figure[]> => {
      const given = { eventStoreUrl, mongoUrl, writers: WRITERS, appends: bench.seconds * 400 };
      const { p50, p99 } = await runProgram<VisibleParameters, VisibleReport>('servers/visible.program.js', {
        ...given,
        rounds: bench.rounds,
      });
      const note = `p50 ${median(p50).toFixed(1)} ms`;
      const name = `append to visible elsewhere, p99, ${kind}`;
      return [{ name, unit: 'ms', rounds: p99, target: atMost(30), note }];
    }),
};

const WEBHOOKS = 2;
const CONNECTIONS = 64;
const DELIVERED_WITHIN_MS = 300_000;

/** Creates `jobs` jobs; resolves to the rate at which their webhooks arrive, and what a delivery costs the service. */
async function delivered(service: ServiceProcess, sink: Sink, { customer }: Subscriber, jobs: number) {
  const generator = new LoadGenerator();
  try {
    await sink.forget();
    const before = usageOf(service.pid);
    const { url } = service;
    await generator.run({ url, connections: CONNECTIONS, requests: creates(customer), count: jobs }, 201);
    const count = jobs * WEBHOOKS;
    const { ok } = await sink.until(count, DELIVERED_WITHIN_MS);
    const perSecond = (count * 1000) / (ok!.last - ok!.first);
    return { perSecond, cost: costOf(before, usageOf(service.pid), count) };
  } finally {
    generator.stop();
  }
}

const webhooks: Measure = {
  name: 'server-webhooks',
  about: `deliveries to ${WEBHOOKS} webhooks of an account, from the first to the last arrival, with the creates`,

  run: (bench) =>
    withServers(async ({ env, kind }) => {
      const sink = await Sink.start();
      const run = async (service: ServiceProcess): Promise<readonly Figure[]> => {
        const subscriber = await subscribe(service, sink, WEBHOOKS);
        const once = () => delivered(service, sink, subscriber, bench.seconds * 200);
        const found = await rounds(bench.rounds, once);
        const cost = medianCost(found.map((one) => one.cost));
        return [
          {
            name: `webhook deliveries, ${kind}`,
            unit: '/s',
            rounds: found.map(({ perSecond }) => perSecond),
            cost,
          },
        ];
      };
      const options = { env: { ...env, ...INSECURE } };
      try {
        return await withService(bench.folder('server-webhooks'), run, options);
      } finally {
        sink.stop();
      }
    }),
};

const changes: Measure = {
  name: 'server-changes',
  about: 'readers of changes that wait: from creating a job, requests for each change, memory and CPU',

  run: (bench) =>
    withServers(async ({ env, kind }) => {
      const seconds = bench.seconds * 4;
      const follow = async (service: ServiceProcess) => {
        const customer = await openCustomer(service);
        return [
          await latencyOf(bench, service, customer, 60, `, ${kind}`),
          await requestsAt(service, customer, { perSecond: 1, seconds, most: 1.05 }),
          await requestsAt(service, customer, { perSecond: 500, seconds, most: 1 / 50 }),
        ];
      };
      const options = { env };
      return [
        ...(await withService(bench.folder('server-changes'), follow, options)),
        ...(await waitingReaders(bench, 'pages', options)),
        ...(await waitingReaders(bench, 'streams', options)),
      ];
    }),
};

/** Measures of `--stores servers`. */
export const serverMeasures: readonly Measure[] = [
  createsOnServers,
  batchesOnServers,
  latency,
  catchUp,
  partitioned,
  visible,
  webhooks,
  changes,
];
