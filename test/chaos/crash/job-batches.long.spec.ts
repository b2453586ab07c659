import { eventually } from '../../kit/polling.js';
import { countOf } from '../../kit/length.js';
import { checkIntegrity } from './kit/integrity.js';
import { seeded, seedFolder } from './kit/seeded.js';
import { SHORT_TIMERS, type World } from './kit/world.js';
import { Random } from '../../kit/random.js';

const REQUESTS = 10;
const JOBS = 100;
const LATEST_KILL_MS = 400;
const MINUTE = 60_000;
const kills = countOf('BATCH_KILLS', { short: 1, long: 3, soak: 50 });

interface Result {
  readonly status: number;
  readonly data: { readonly job_id: string };
}

describe('killing the service during a run of 1,000 labels in ten requests', () => {
  const folder = seedFolder();

  it(
    'creates each label once, with its document, when the same requests are sent again',
    () => seeded('batches', (seed) => run(new Random(seed))),
    10 * MINUTE,
  );

  async function run(random: Random) {
    const world = await folder.current.grow(SHORT_TIMERS);
    try {
      // A kill leaves the documents of two requests at most.
      world.creators = 2 * JOBS;
      await world.start();
      for (let kill = 0; kill < kills; kill++) await killWhileSending(world, kill, random);
      const results = await send(world, 'last');
      expect(results.map(({ status }) => status)).toEqual(Array(REQUESTS * JOBS).fill(201));
      const { total } = (await world.asClient('GET', '/svc-api-print-jobs?limit=1')).body.data!;
      expect(total).toBe((kills + 1) * REQUESTS * JOBS);
      await checkIntegrity(world);
      return { jobs: total };
    } finally {
      await world.remove();
    }
  }

  async function killWhileSending(world: World, kill: number, random: Random): Promise<void> {
    const interrupted = send(world, `run-${kill}`).catch(() => undefined);
    const moment = random.bits() % LATEST_KILL_MS;
    await new Promise((resolve) => setTimeout(resolve, moment));
    await world.service.kill();
    world.crashes++;
    await interrupted;
    await world.start();
    const results = await eventually('answers to all requests', () => send(world, `run-${kill}`));
    for (const { status } of results) expect([200, 201]).toContain(status);
    expect(new Set(results.map(({ data }) => data.job_id)).size).toBe(REQUESTS * JOBS);
    const again = await send(world, `run-${kill}`);
    expect(again.map(({ status }) => status)).toEqual(Array(REQUESTS * JOBS).fill(200));
  }

  /** All results of the ten requests, of which two are under way at a time. */
  async function send(world: World, name: string): Promise<Result[]> {
    const answers: Result[][] = [];
    const requests = Array.from({ length: REQUESTS }, (_, n) => n).values();
    const client = async () => {
      for (const request of requests) answers[request] = await sendOne(world, `${name}-${request}`);
    };
    await Promise.all([client(), client()]);
    return answers.flat();
  }

  async function sendOne(world: World, name: string): Promise<Result[]> {
    const jobs = Array.from({ length: JOBS }, (_, n) => ({
      idempotency_key: `${name}-label-${n}`,
      printer_id: world.seed.printerId,
      // Each tenth one is stored as a file.
      content: { type: 'text', encoding: 'utf8', data: `${name} ${n} `.repeat(n % 10 === 0 ? 3_000 : 1) },
    }));
    const answered = await world.asClient('POST', '/svc-api-print-jobs/batch', { jobs });
    if (answered.status !== 200) throw new Error(answered.text);
    for (const { data } of answered.body.data!.results as Result[])
      world.acknowledge(`job-${data.job_id}`, 'JobCreated', 'JobQueued');
    return answered.body.data!.results as Result[];
  }
});
