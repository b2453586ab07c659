import Database from 'better-sqlite3';
import { join } from 'node:path';
import { openForReading } from '../../../src/event-sourcing/embedded/connection.js';
import { SqliteHashStore } from '../../../src/event-sourcing/embedded/sqlite-derived-stores.js';
import { SqliteStoredTexts } from '../../../src/event-sourcing/embedded/sqlite-event-store.js';
import { expectOneLog, publishAndKeep, stepOf, STEPS } from '../../kit/publications.js';
import { killAtEach, type Scenario, type Step } from './kit/crash-points.js';
import { creates } from './kit/steps.js';
import { databaseSyncs, whyNoStrace, type Series } from './kit/strace.js';
import { SeedFolder, type World } from './kit/world.js';

const MINUTE = 60_000;
const why = whyNoStrace();

const hashWrites: Series = {
  name: 'writes to the log of the hash store',
  calls: ['pwrite64'],
  paths: (dataDir) => [join(dataDir, 'evidence.db-wal')],
};

const reached = new Set<string>();
const keptOf = (world: World) => world.remembered<string[]>('kept', () => []);

const publishes: Step = {
  name: 'publish',
  async run(world) {
    if (world.crashes > 0) reached.add(await stepOf(world));
    await publishAndKeep(world, world.seed.key, keptOf(world));
  },
};

const twoCheckpoints: Scenario = {
  name: 'two checkpoints',
  steps: [publishes, creates('label'), publishes],
  async outcome(world) {
    const events = openForReading(world.dataDir);
    const hashes = new SqliteHashStore(new Database(':memory:'));
    const sources = { texts: new SqliteStoredTexts(events), hashes };
    await expectOneLog(world, world.seed.key, keptOf(world), sources).finally(() => {
      events.close();
      hashes.close();
    });
  },
};

describe('killing the service at each write of a publication', () => {
  let seed: SeedFolder;
  beforeAll(async () => {
    if (why === undefined) seed = await SeedFolder.make();
  });
  afterAll(() => seed?.remove());

  if (why !== undefined) {
    it(`is skipped: ${why}`, () => expect(why).not.toBe(''));
    return;
  }

  // At every fourth frame, which are two writes each: head and page. The steps that count are listed below.
  it.each([
    { ...hashWrites, step: 8 },
    { ...databaseSyncs, step: 1 },
  ])(
    'forks no log, and gives the same trees ($name)',
    async (series) => {
      const points = await killAtEach(seed, twoCheckpoints, series, series.step);
      process.stdout.write(`crash points of ${twoCheckpoints.name}: ${points} ${series.name}\n`);
      expect(points).toBeGreaterThan(5);
    },
    10 * MINUTE,
  );

  it('has met each step that these calls can leave', () => {
    // Between a write of a hash and the next append there is none; test/chaos/resilience/servers meets these steps.
    const between: readonly string[] = ['hashes stored', 'its beginning read'];
    expect(STEPS.filter((step) => !reached.has(step) && !between.includes(step))).toEqual([]);
  });
});
