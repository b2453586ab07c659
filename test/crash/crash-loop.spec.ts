import { crashLoop } from './loop/crash-loop.js';
import { SeedFolder } from './kit/world.js';

const KILLS = 5;
const MINUTES = 60_000;

describe('killing the service under load', () => {
  let folder: SeedFolder;
  beforeAll(async () => {
    folder = await SeedFolder.make();
  }, MINUTES);
  afterAll(() => folder?.remove());

  it(
    'at random moments loses nothing, doubles nothing and leaves no job stuck',
    async () => {
      const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 1e9));
      const tally = await crashLoop(folder, KILLS, seed).catch((error: unknown) => {
        throw new Error(`CRASH_SEED=${seed}`, { cause: error });
      });
      process.stdout.write(`crash loop, CRASH_SEED=${seed}: ${JSON.stringify(tally)}\n`);
      expect(tally.jobs).toBeGreaterThan(KILLS);
    },
    3 * MINUTES,
  );
});
