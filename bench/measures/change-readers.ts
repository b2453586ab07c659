import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { LoadGenerator } from '../load/load.js';
import { atMost, type Bench, type Figure } from '../measure.js';
import type { ServiceProcess } from '../programs/service.js';
import { costOf, memoryOf, usageOf } from '../programs/usage.js';
import { quantile } from '../statistics.js';
import { call, creates, type Customer } from '../world.js';

const JOBS_PER_ROUND = 60;
/** Long enough for the reader to wait when the job is created. */
const ASLEEP_MS = 25;
const WAIT_SECONDS = 25;
const READERS = 1_000;
/** V8 frees the memory of the first requests meanwhile. */
const SETTLE_MS = 10_000;
const WATCHED_MS = 60_000;
/** Connections that create jobs. */
const CREATORS = 32;

export interface Page {
  readonly items: readonly object[];
  readonly next_cursor: string;
  readonly has_more: boolean;
}

let keys = 0;

const authorized = ({ key }: Customer) => ({ authorization: `Bearer ${key}` });
const now = ({ url }: ServiceProcess, { key }: Customer) =>
  call<Page>(url, key, 'GET', '/svc-api-changes?after=now');

/** Time from sending a job to the answer of a reader that waits. */
async function createdToReader(service: ServiceProcess, customer: Customer): Promise<number> {
  const { url } = service;
  const { next_cursor } = await now(service, customer);
  const reading = waitFor(service, customer, next_cursor);
  await pause(ASLEEP_MS);
  const start = performance.now();
  const creating = fetch(`${url}/svc-api-print-jobs`, {
    method: 'POST',
    headers: {
      ...authorized(customer),
      'content-type': 'application/json',
      'idempotency-key': `bench-changes-${keys++}`,
    },
    body: JSON.stringify({
      printer_id: customer.printerIds[0],
      content: { type: 'text', encoding: 'utf8', data: 'Hello' },
    }),
  });
  await (await reading).text();
  const ms = performance.now() - start;
  if ((await creating).status !== 201) throw new Error('a job was refused');
  return ms;
}

const waitFor = (
  { url }: ServiceProcess,
  customer: Customer,
  after: string,
  more: { readonly types?: string; readonly signal?: AbortSignal } = {},
) =>
  fetch(`${url}/svc-api-changes?after=${after}${more.types ? `&event_types=${more.types}` : ''}`, {
    headers: { ...authorized(customer), prefer: `wait=${WAIT_SECONDS}` },
    ...(more.signal && { signal: more.signal }),
  });

/** p99 of each round. */
export async function latencyOf(
  bench: Bench,
  service: ServiceProcess,
  customer: Customer,
  mostMs: number,
  kind = '',
): Promise<Figure> {
  const rounds: number[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    const times: number[] = [];
    for (let n = 0; n < JOBS_PER_ROUND; n++) times.push(await createdToReader(service, customer));
    rounds.push(quantile(times, 0.99));
  }
  return {
    name: `created → waiting reader of changes, p99${kind}`,
    unit: 'ms',
    rounds,
    target: atMost(mostMs),
  };
}

/** Requests of one reader for each change, while jobs are created at this rate. */
export async function requestsAt(
  service: ServiceProcess,
  customer: Customer,
  load: { readonly perSecond: number; readonly seconds: number; readonly most: number },
): Promise<Figure> {
  const { perSecond, seconds, most } = load;
  const generator = new LoadGenerator();
  let after = (await now(service, customer)).next_cursor;
  let requests = 0;
  let seen = 0;
  try {
    const requested = { url: service.url, connections: CREATORS, requests: creates(customer) };
    let left = Infinity;
    const creating = generator
      .run({ ...requested, perSecond, seconds }, 201)
      .then(({ count }) => (left = count));
    for (; seen < left; requests++) {
      const answer = await waitFor(service, customer, after, { types: 'job.created' });
      if (answer.status === 304) continue;
      const { data } = (await answer.json()) as { readonly data: Page };
      seen += data.items.length;
      after = data.next_cursor;
    }
    await creating;
  } finally {
    generator.stop();
  }
  return {
    name: `requests for each change at ${perSecond} changes/s`,
    unit: 'x',
    rounds: [requests / seen],
    target: atMost(most),
    note: `${requests} requests, ${seen} changes, ${Math.round(seen / seconds)} a second`,
  };
}

/** CPU of the service in the next minute, in percent of a core. */
async function busy({ pid }: ServiceProcess, passed: (ms: number) => Promise<unknown>): Promise<number> {
  const [usage, began] = [usageOf(pid), performance.now()];
  await passed(WATCHED_MS);
  return (costOf(usage, usageOf(pid), 1_000).total * 100_000) / (performance.now() - began);
}

/**
 * Memory and CPU of readers that wait, and ask again after each wait, while nothing happens.
 * @param service has done nothing else, because freed memory would hide that of the readers
 */
export async function waitingReaders(service: ServiceProcess, customer: Customer): Promise<Figure[]> {
  const { next_cursor } = await now(service, customer);
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  const follow = async () => {
    for (;;) {
      const { status } = await waitFor(service, customer, next_cursor, over);
      if (status !== 304) throw new Error(`a reader was answered ${status}`);
    }
  };
  await pause(SETTLE_MS);
  const idle = await busy(service, pause);
  const before = memoryOf(service.pid).now;
  const readers = Promise.all(Array.from({ length: READERS }, follow));
  const passed = (ms: number) => Promise.race([readers, pause(ms)]);
  await passed(SETTLE_MS);
  const cpu = (await busy(service, passed)) - idle;
  const mb = memoryOf(service.pid).now - before;
  over.abort();
  await readers.catch(() => undefined);
  return [
    { name: `memory of ${READERS} waiting readers`, unit: 'MB', rounds: [mb], target: atMost(50) },
    { name: `CPU of ${READERS} waiting readers`, unit: '%', rounds: [cpu], target: atMost(1) },
  ];
}
