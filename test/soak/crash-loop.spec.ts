import { SeedFolder } from '../crash/kit/world.js';
import { crashLoop } from '../crash/loop/crash-loop.js';

const KILLS = 100;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('killing the service under load, a hundred times', () => {
  let folder: SeedFolder;
  beforeAll(async () => {
    folder = await SeedFolder.make();
  }, MINUTE);
  afterAll(() => folder?.remove());

  it(
    'loses nothing, doubles nothing and leaves no job stuck',
    async () => {
      const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 1e9));
      const tally = await crashLoop(folder, KILLS, seed).catch((error: unknown) => {
        throw new Error(`CRASH_SEED=${seed}`, { cause: error });
      });
      process.stdout.write(`crash loop, CRASH_SEED=${seed}: ${JSON.stringify(tally)}\n`);
      expect(tally.unanswered).toBeGreaterThan(0);
    },
    HOUR,
  );
});
