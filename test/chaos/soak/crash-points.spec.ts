import { killAtEach } from '../crash/kit/crash-points.js';
import {
  databaseSyncs,
  renames,
  documentSyncs,
  folderSyncs,
  logWrites,
  secretSyncs,
  whyNoStrace,
  type Series,
} from '../crash/kit/strace.js';
import { SeedFolder } from '../crash/kit/world.js';
import { closedAccount, firstStart, newComputer } from '../crash/scenarios/accounts.js';
import { automaticRetry, jobLife, largeDocument, manualRetry } from '../crash/scenarios/printing.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const why = whyNoStrace();
const scenarios = [
  jobLife,
  largeDocument,
  automaticRetry,
  manualRetry,
  newComputer,
  closedAccount,
  firstStart,
];
const ofAll: readonly Series[] = [databaseSyncs, logWrites];
const ofDocuments: readonly Series[] = [documentSyncs, renames, folderSyncs];
const ofSecrets: readonly Series[] = [secretSyncs, renames];

describe('killing the service at every sync and write of every scenario', () => {
  let seed: SeedFolder;
  beforeAll(async () => {
    if (why === undefined) seed = await SeedFolder.make();
  }, MINUTE);
  afterAll(() => seed?.remove());

  if (why !== undefined) {
    it(`is left out: ${why}`, () => expect(why).not.toBe(''));
    return;
  }

  it.each([
    ...scenarios.flatMap((scenario) => ofAll.map((series) => ({ scenario, series }))),
    ...ofDocuments.map((series) => ({ scenario: largeDocument, series })),
    ...ofSecrets.map((series) => ({ scenario: firstStart, series })),
  ])(
    '$scenario.name, $series.name',
    async ({ scenario, series }) => {
      const points = await killAtEach(seed, scenario, series);
      process.stdout.write(`crash points of ${scenario.name}: ${points} ${series.name}\n`);
      expect(points).toBeGreaterThan(0);
    },
    HOUR,
  );
});
