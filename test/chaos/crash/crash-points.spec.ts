import { killAtEach } from './kit/crash-points.js';
import { databaseSyncs, renames, documentSyncs, folderSyncs, whyNoStrace } from './kit/strace.js';
import { SeedFolder } from './kit/world.js';
import { jobLife, largeDocument } from './scenarios/printing.js';

const MINUTES = 60_000;
const why = whyNoStrace();

describe('killing the service at each of its syncs', () => {
  let seed: SeedFolder;
  beforeAll(async () => {
    if (why === undefined) seed = await SeedFolder.make();
  }, MINUTES);
  afterAll(() => seed?.remove());

  if (why !== undefined) {
    it(`is left out: ${why}`, () => expect(why).not.toBe(''));
    return;
  }

  it.each([
    { scenario: jobLife, series: databaseSyncs, atLeast: 6 },
    { scenario: largeDocument, series: databaseSyncs, atLeast: 3 },
    { scenario: largeDocument, series: documentSyncs, atLeast: 1 },
    { scenario: largeDocument, series: renames, atLeast: 1 },
    { scenario: largeDocument, series: folderSyncs, atLeast: 2 },
  ])(
    '$scenario.name, $series.name: nothing acknowledged is lost, and repeating finishes it once',
    async ({ scenario, series, atLeast }) => {
      const points = await killAtEach(seed, scenario, series);
      process.stdout.write(`crash points of ${scenario.name}: ${points} ${series.name}\n`);
      expect(points).toBeGreaterThanOrEqual(atLeast);
    },
    3 * MINUTES,
  );
});
