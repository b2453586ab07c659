import { randomUUID } from 'node:crypto';
import { checkIntegrity } from './kit/integrity.js';
import { ServiceGone } from './kit/service-process.js';
import { databaseSyncs, documentSyncs, folderSyncs, logWrites, straceAt, whyNoStrace } from './kit/strace.js';
import { eventually } from '../../kit/polling.js';
import { creates, LARGE, SMALL } from './kit/steps.js';
import { SeedFolder, type World } from './kit/world.js';
import { describeUnless } from '../../kit/describe-unless.js';

const PARALLEL = 64;
const why = whyNoStrace();

describeUnless(why, 'running on a slow, failing or full disk', () => {
  let seed: SeedFolder;
  let world: World;
  beforeAll(async () => {
    seed = await SeedFolder.make();
  });
  beforeEach(async () => {
    world = await seed.grow();
  });
  afterEach(() => world?.remove());
  afterAll(() => seed?.remove());

  const create = (data: string) => {
    const json = { printer_id: world.seed.printerId, content: { type: 'text', encoding: 'utf8', data } };
    return world.asClient('POST', '/svc-api-print-jobs', json, { 'idempotency-key': randomUUID() });
  };

  it('shares one commit between many creates when each sync takes 5 ms more', async () => {
    await world.start(straceAt(databaseSyncs, world.dataDir, 'delay_exit=5000'));
    const creates = await Promise.all(Array.from({ length: PARALLEL }, () => create(SMALL)));
    expect(creates.map(({ status }) => status)).toEqual(creates.map(() => 201));

    const alone = await batchesOf(world, 1);
    const all = await batchesOf(world, Infinity);
    expect(all - alone).toBeGreaterThan(0);
    expect(all).toBeLessThan(PARALLEL);
  });

  it.each(['EIO', 'ENOSPC'])(
    'ends the process when a sync fails with %s, and keeps everything acknowledged',
    async (error) => {
      await world.start(straceAt(databaseSyncs, world.dataDir, `error=${error}:when=6`));
      const refused = await untilRefused(world, create);
      expect(refused).toMatch(/^(503 SVC_UNAVAILABLE retryable|gone)$/);
      expect(await world.service.ended).toMatchObject({ code: 70 });

      world.crashes++;
      await world.start();
      await checkIntegrity(world);
      await creates('one').run(world);
    },
  );

  it('refuses writes while the disk is full, serves reads, and accepts writes once there is room', async () => {
    await world.start(straceAt(logWrites, world.dataDir, 'error=ENOSPC:when=100..150'));
    const refused = await untilRefused(world, create);
    expect(refused).toBe('503 SVC_UNAVAILABLE retryable');
    expect((await world.asClient('GET', '/svc-api-print-jobs')).status).toBe(200);
    await eventually('room', async () => ((await create(SMALL)).status === 201 ? true : undefined));
    await checkIntegrity(world);
  });

  it.each([
    { series: documentSyncs, error: 'EIO' },
    { series: documentSyncs, error: 'ENOSPC' },
    { series: folderSyncs, error: 'EIO' },
  ])(
    'refuses a large document when $series.name fail with $error, and leaves no part of it',
    async ({ series, error }) => {
      await world.start(straceAt(series, world.dataDir, `error=${error}:when=1`));
      expect(await answerTo(() => create(LARGE))).toBe('503 SVC_UNAVAILABLE retryable');
      // If syncing its folder failed, the file stays until the content sweep.
      if (series === folderSyncs) world.crashes++;
      await checkIntegrity(world);
      await creates('poster', LARGE).run(world);
      await checkIntegrity(world);
    },
  );
});

async function answerTo(ask: () => ReturnType<World['call']>): Promise<string> {
  try {
    const { status, body } = await ask();
    if (status === 201) return `201 ${String(body.data!.job_id)}`;
    return `${status} ${body.code} ${body.retryable === true ? 'retryable' : 'final'}`;
  } catch (error) {
    if (error instanceof ServiceGone) return 'gone';
    throw error;
  }
}

/** Creates jobs until one is refused. */
async function untilRefused(
  world: World,
  create: (data: string) => ReturnType<World['call']>,
): Promise<string> {
  for (let n = 0; n < 20; n++) {
    const answer = await answerTo(() => create(SMALL));
    if (!answer.startsWith('201 ')) return answer;
    world.acknowledge(`job-${answer.slice('201 '.length)}`, 'JobCreated', 'JobQueued');
  }
  throw new Error('never refused');
}

/** Number of commits with at most this many requests, from the metrics. */
async function batchesOf(world: World, atMost: number): Promise<number> {
  const url = world.service.url.replace(/\/v1$/, '/metrics');
  const text = await (await fetch(url)).text();
  const le = atMost === Infinity ? '+Inf' : String(atMost);
  const line = text.split('\n').find((one) => one.startsWith(`rps_commit_batch_size_bucket{le="${le}"}`));
  return Number(line?.split(' ').at(-1));
}
