import { length } from '../../kit/length.js';
import { killAtEach, type Scenario } from './kit/crash-points.js';
import {
  databaseSyncs,
  documentSyncs,
  folderSyncs,
  logWrites,
  renames,
  secretSyncs,
  whyNoStrace,
  type Series,
} from './kit/strace.js';
import { SeedFolder } from './kit/world.js';
import { closedAccount, firstStart, newComputer } from './scenarios/accounts.js';
import { automaticRetry, jobLife, largeDocument, manualRetry } from './scenarios/printing.js';
import { describeUnless } from '../../kit/describe-unless.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const why = whyNoStrace();

interface Points {
  readonly scenario: Scenario;
  readonly series: Series;
  readonly atLeast: number;
}

const atEach = (scenario: Scenario, ...all: readonly Series[]): readonly Points[] =>
  all.map((series) => ({ scenario, series, atLeast: 1 }));

const usual: readonly Points[] = [
  { scenario: jobLife, series: databaseSyncs, atLeast: 6 },
  { scenario: largeDocument, series: databaseSyncs, atLeast: 3 },
  { scenario: largeDocument, series: folderSyncs, atLeast: 2 },
  ...atEach(largeDocument, documentSyncs, renames),
];
const others: readonly Points[] = [
  ...atEach(jobLife, logWrites),
  ...atEach(largeDocument, logWrites),
  ...[automaticRetry, manualRetry, newComputer, closedAccount].flatMap((scenario) =>
    atEach(scenario, databaseSyncs, logWrites),
  ),
  ...atEach(firstStart, databaseSyncs, logWrites, secretSyncs, renames),
];

describeUnless(why, 'killing the service at each of its syncs', () => {
  let seed: SeedFolder;
  beforeAll(async () => {
    seed = await SeedFolder.make();
  });
  afterAll(() => seed.remove());

  it.each(length === 'soak' ? [...usual, ...others] : usual)(
    'loses nothing acknowledged, and a repeat completes it once ($scenario.name, $series.name)',
    async ({ scenario, series, atLeast }) => {
      const points = await killAtEach(seed, scenario, series);
      process.stdout.write(`crash points of ${scenario.name}: ${points} ${series.name}\n`);
      expect(points).toBeGreaterThanOrEqual(atLeast);
    },
    length === 'soak' ? HOUR : 3 * MINUTE,
  );
});
