import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { LoadGenerator } from '../load/load.js';
import { atMost, type Bench, type Figure } from '../measure.js';
import type { ServiceOptions, ServiceProcess } from '../programs/service.js';
import { costOf, memoryOf, usageOf } from '../programs/usage.js';
import { rounds } from '../statistics.js';
import { creates, openCustomer, type Customer } from '../world.js';
import { now, waitFor } from './change-readers.js';
import { withService } from './with-service.js';

const READERS = 1_000;
const ACCOUNTS = 100;
/** V8 frees the memory of the start meanwhile. */
const SETTLE_MS = 10_000;
/** Each reader asks again once in it. */
const WATCHED_MS = 25_000;
const WATCHED_SECONDS = WATCHED_MS / 1_000;
const CREATES_PER_SECOND = 50;
const CREATORS = 8;

interface Reader {
  readonly customer: Customer;
  /** The end of the changes of its account. */
  readonly after: string;
}

interface Scene {
  readonly service: ServiceProcess;
  readonly kind: Waiting;
  readonly readers: readonly Reader[];
  /** The work of others, whose jobs concern no reader. */
  readonly others: () => Promise<unknown>;
}

/** In percent of a core. */
interface Busy {
  readonly idle: number;
  readonly others: number;
}

/** With `Prefer: wait`, or as server-sent events. */
export type Waiting = 'pages' | 'streams';

/**
 * Memory and CPU of readers that wait, ten for each account, and ask again after each wait or keep a stream open: while
 * nothing happens, and while another account creates jobs. Measured with and without them in turn.
 */
export async function waitingReaders(
  bench: Bench,
  kind: Waiting,
  options: ServiceOptions = {},
): Promise<Figure[]> {
  const dataDir = bench.folder(`waiting-${kind}`);
  const prepared = await withService(dataDir, prepare, options);
  // Freed memory of a service that has done something would hide that of the readers.
  return withService(
    dataDir,
    (service, generator) => measure(bench, { service, generator, kind }, prepared),
    options,
  );
}

async function prepare(service: ServiceProcess) {
  const busy = await openCustomer(service);
  const readers: Reader[] = [];
  for (let n = 0; n < ACCOUNTS; n++) {
    const customer = await openCustomer(service, 1);
    readers.push({ customer, after: (await now(service, customer)).next_cursor });
  }
  return { busy, readers: Array.from({ length: READERS }, (_, n) => readers[n % ACCOUNTS]!) };
}

async function measure(
  bench: Bench,
  { service, generator, kind }: { service: ServiceProcess; generator: LoadGenerator; kind: Waiting },
  { busy, readers }: Awaited<ReturnType<typeof prepare>>,
): Promise<Figure[]> {
  const load = { url: service.url, connections: CREATORS, requests: creates(busy) };
  const paced = { ...load, perSecond: CREATES_PER_SECOND, seconds: WATCHED_SECONDS };
  const scene = { service, kind, readers, others: () => generator.run(paced, 201) };
  const memory = await memoryOfReaders(scene);
  // A round takes more than two minutes.
  const found = await rounds(Math.ceil(bench.rounds / 3), async () => {
    const without = await busyIn(scene);
    const beside = await whileReading(scene, () => busyIn(scene));
    return { idle: beside.idle - without.idle, others: beside.others - without.others };
  });
  const cpu = (when: keyof Busy, name: string): Figure => ({
    ...{ name: `CPU of ${READERS} waiting readers (${kind}), ${name}`, unit: '%' },
    ...{ rounds: found.map((round) => round[when]), target: atMost(1) },
  });
  return [
    {
      name: `memory of ${READERS} waiting readers (${kind})`,
      unit: 'MB',
      rounds: [memory],
      target: atMost(50),
    },
    cpu('idle', 'nothing else'),
    cpu('others', `beside ${CREATES_PER_SECOND} creates/s of another account`),
  ];
}

/** After two waits of each. */
async function memoryOfReaders(scene: Scene): Promise<number> {
  const { pid } = scene.service;
  await pause(SETTLE_MS);
  const before = memoryOf(pid).now;
  return whileReading(scene, async () => {
    await pause(2 * WATCHED_MS);
    return memoryOf(pid).now - before;
  });
}

async function busyIn({ service, others }: Scene): Promise<Busy> {
  const idle = await busyWhile(service, () => pause(WATCHED_MS));
  return { idle, others: await busyWhile(service, others) };
}

async function busyWhile({ pid }: ServiceProcess, work: () => Promise<unknown>): Promise<number> {
  const [usage, began] = [usageOf(pid), performance.now()];
  await work();
  return (costOf(usage, usageOf(pid), 1_000).total * 100_000) / (performance.now() - began);
}

/** @throws Error if a reader is answered otherwise than by the end of its wait, or its stream ends */
async function whileReading<T>({ service, kind, readers }: Scene, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const { signal } = over;
  setMaxListeners(0, signal);
  const follow = async ({ customer, after }: Reader, n: number): Promise<never> => {
    // They come one after the other, as they would ask one by one later.
    await pause((n * WATCHED_MS) / READERS, undefined, { signal });
    for (;;) {
      const answer = await waitFor(service, customer, after, { signal, isStream: kind === 'streams' });
      await answer.text();
      if (answer.status !== 304) throw new Error(`a reader was answered ${answer.status}`);
    }
  };
  const reading = readers.map(follow);
  const settled = Promise.allSettled(reading);
  try {
    await Promise.race([pause(WATCHED_MS + SETTLE_MS), ...reading]);
    return await Promise.race([work(), ...reading]);
  } finally {
    over.abort();
    await settled;
  }
}
