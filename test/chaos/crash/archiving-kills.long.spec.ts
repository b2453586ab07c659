import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLogForReading } from '../../../src/event-sourcing/embedded/connection.js';
import { LogReader } from '../../../src/event-sourcing/embedded/log/log-reader.js';
import { countOf } from '../../kit/length.js';
import { eventually } from '../../kit/polling.js';
import { Random } from '../../kit/random.js';
import { shiftedClock } from '../../kit/shifted-clock.js';
import { byStream } from '../../kit/stored-events.js';
import { checkIntegrity } from './kit/integrity.js';
import { seeded, seedFolder } from './kit/seeded.js';
import { SHORT_TIMERS, World } from './kit/world.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const JOBS = 600;
const AT_ONCE = 20;
const kills = countOf('ARCHIVE_KILLS', { short: 4, long: 6, soak: 100 });

/** Six weeks later, so that all jobs ended long ago; their packs move to the archive soon. */
const LATER = {
  ...SHORT_TIMERS,
  ARCHIVE_AFTER_DAYS: '31',
  PACK_AFTER_SECONDS: '0.2',
  NODE_OPTIONS: shiftedClock(42 * DAY).join(' '),
};

describe(`${kills} kills while jobs are archived`, () => {
  const folder = seedFolder();

  it(
    'leave each job archived or not, and a start goes on',
    () =>
      seeded('kills while jobs are archived', async (seed) => {
        const random = new Random(seed);
        const world = await withEndedJobs(await folder.current.grow({ CONTENT_RETENTION_SECONDS: '0.2' }));
        try {
          const counts = [0];
          for (let n = 0; n < kills; n++) {
            await world.start();
            const before = counts.at(-1)!;
            await sleep(random.next() * 100);
            await world.service.kill();
            counts.push(archivedIn(world.dataDir));
            expect(counts.at(-1)).toBeGreaterThanOrEqual(before);
          }
          expect(counts.some((count) => count > 0 && count < JOBS)).toBe(true);
          await expectAllArchived(world);
          return counts;
        } finally {
          await world.remove();
        }
      }),
    10 * MINUTE,
  );
});

/** Cancelled jobs whose documents are deleted, in a stopped service. */
async function withEndedJobs(world: World): Promise<World> {
  await world.start();
  for (let created = 0; created < JOBS; created += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => cancelled(world)));
  await eventually('all documents to be deleted', async () => {
    const purged = (await world.events()).filter(({ type }) => type === 'ContentPurged');
    return purged.length === JOBS || undefined;
  });
  await world.service.stop();
  return new World(world.dataDir, world.seed, LATER);
}

async function cancelled(world: World): Promise<void> {
  const content = { type: 'text', encoding: 'utf8', data: 'Hello' };
  const json = { printer_id: world.seed.printerId, content };
  const created = await world.asClient('POST', '/svc-api-print-jobs', json, {
    'idempotency-key': randomUUID(),
  });
  const path = `/svc-api-print-jobs/${String(created.body.data!.job_id)}/cancel`;
  expect((await world.asClient('POST', path, {})).status).toBe(200);
}

function archivedIn(dataDir: string): number {
  const db = openLogForReading(dataDir);
  try {
    return new LogReader(db).after(0, 100_000).filter(({ type }) => type === 'JobArchived').length;
  } finally {
    db.close();
  }
}

/** Packs that are in the files of months. */
function movedIn(dataDir: string): number {
  const db = openLogForReading(dataDir);
  const moved = db.prepare("SELECT count(*) FROM packs WHERE hex(substr(bytes, 1, 1)) = 'FF'").pluck().get();
  db.close();
  return moved as number;
}

async function expectAllArchived(world: World): Promise<void> {
  await world.start();
  await eventually('all jobs to be archived', async () => archivedIn(world.dataDir) === JOBS || undefined);
  await eventually('their packs to be moved', async () => movedIn(world.dataDir) === JOBS || undefined);
  expect(readdirSync(join(world.dataDir, 'archive')).length).toBeGreaterThan(0);
  await checkIntegrity(world);
  const stories = [...byStream(await world.events())].filter(([stream]) => stream.startsWith('job-'));
  expect(stories).toHaveLength(JOBS);
  for (const [, story] of stories) expect(story.filter(({ type }) => type === 'JobArchived')).toHaveLength(1);
  const listed = await world.asClient('GET', '/svc-api-print-jobs');
  expect(listed.body.data).toMatchObject({ total: 0 });
  const [one] = stories[0]!;
  const shown = await world.asClient('GET', `/svc-api-print-jobs/${one.slice('job-'.length)}`);
  expect(shown.body.data).toMatchObject({ status: 'cancelled' });
}
