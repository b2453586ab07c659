import { SeedFolder } from '../crash/kit/world.js';
import { webhookLoop } from '../crash/loop/webhook-loop.js';

const MINUTE = 60_000;

describe('killing the service ten times while it tells three webhooks of 2,000 events', () => {
  let folder: SeedFolder;
  beforeAll(async () => {
    folder = await SeedFolder.make();
  }, MINUTE);
  afterAll(() => folder?.remove());

  it(
    'keeps every event for every endpoint, and sends again only what was in flight',
    async () => {
      const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 1e9));
      const tally = await webhookLoop(folder, { kills: 10, jobs: 100, seed }).catch((error: unknown) => {
        throw new Error(`CRASH_SEED=${seed}`, { cause: error });
      });
      process.stdout.write(`webhooks, CRASH_SEED=${seed}: ${JSON.stringify(tally)}\n`);
      expect(tally.events).toBeGreaterThanOrEqual(2_000);
    },
    10 * MINUTE,
  );
});
