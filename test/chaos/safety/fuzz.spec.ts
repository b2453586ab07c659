import { fuzzOperation, type FuzzWorld } from '../fuzz/fuzz-operation.js';
import { openFuzzWorld } from '../fuzz/fuzz-world.js';

/** Always the same, so that a change alone can fail it; `npm run test:fuzz` looks further. */
const SEED = 4711;
const RUNS = 100;

describe('requests made from the documents', () => {
  let world: FuzzWorld & { close(): Promise<void> };
  beforeAll(async () => void (world = await openFuzzWorld()), 60_000);
  afterAll(() => world.close());

  it('are answered as the documents say, right ones and spoilt ones', async () => {
    for (const served of world.operations) {
      const { statuses } = await fuzzOperation(world, served, RUNS, SEED);
      const isGranted = Object.keys(statuses).some((status) => status < '300');
      expect([served.id, isGranted]).toEqual([served.id, true]);
    }
  }, 120_000);
});
