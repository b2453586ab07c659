import { setTimeout as pause } from 'node:timers/promises';
import { LoadGenerator } from '../load/load.js';
import { atMost, type Bench, type Figure } from '../measure.js';
import type { ServiceProcess } from '../programs/service.js';
import { quantile } from '../statistics.js';
import { call, creates, type Customer } from '../world.js';

/** Of 60, the 99th percentile would be the slowest. */
const JOBS_PER_ROUND = 300;
/** Long enough for the reader to wait when the job is created. */
const ASLEEP_MS = 25;
const WAIT_SECONDS = 25;
/** Connections that create jobs. The service ends those that are unused for ten seconds. */
const MAX_CREATORS = 32;

export interface Page {
  readonly items: readonly object[];
  readonly next_cursor: string;
  readonly has_more: boolean;
}

let keys = 0;

const authorized = ({ key }: Customer) => ({ authorization: `Bearer ${key}` });
/** The end of the changes of the customer's account. */
export const now = ({ url }: ServiceProcess, { key }: Customer) =>
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

/** One request of a reader that waits, or a stream. */
export const waitFor = (
  { url }: ServiceProcess,
  customer: Customer,
  after: string,
  more: { readonly types?: string; readonly signal?: AbortSignal; readonly isStream?: boolean } = {},
) =>
  fetch(`${url}/svc-api-changes?after=${after}${more.types ? `&event_types=${more.types}` : ''}`, {
    headers: {
      ...authorized(customer),
      ...(more.isStream ? { accept: 'text/event-stream' } : { prefer: `wait=${WAIT_SECONDS}` }),
    },
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
    const connections = Math.min(MAX_CREATORS, perSecond);
    const requested = { url: service.url, connections, requests: creates(customer) };
    let left = Infinity;
    const create = async () =>
      void (left = (await generator.run({ ...requested, perSecond, seconds }, 201)).count);
    const follow = async () => {
      for (; seen < left; requests++) {
        const answer = await waitFor(service, customer, after, { types: 'job.created' });
        if (answer.status === 304) continue;
        const { data } = (await answer.json()) as { readonly data: Page };
        seen += data.items.length;
        after = data.next_cursor;
      }
    };
    // A failed load ends the measure at once.
    await Promise.all([create(), follow()]);
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
