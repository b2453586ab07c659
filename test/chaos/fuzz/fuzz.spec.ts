import { seedOf } from '../model/job-model.js';
import { fuzzOperation, type Figures, type FuzzWorld } from './fuzz-operation.js';
import { openFuzzWorld } from './fuzz-world.js';

/** `SEED` repeats a run, `RUNS` is the number of requests to an operation, `OPERATION` leaves the others out. */
const { RUNS = '2000', OPERATION } = process.env;

describe('requests made from the documents, many', () => {
  let world: FuzzWorld & { close(): Promise<void> };
  beforeAll(async () => void (world = await openFuzzWorld()));
  afterAll(() => world.close());

  it('are answered as the documents say, right ones and spoilt ones', async () => {
    const seed = seedOf(process.env);
    process.stdout.write(`SEED=${seed} RUNS=${RUNS}\n`);
    for (const served of world.operations.filter(({ id }) => OPERATION === undefined || OPERATION === id)) {
      const figures = await fuzzOperation(world, served, Number(RUNS), seed);
      process.stdout.write(`${served.id}: ${inWords(figures)}\n`);
    }
  }, 36_000_000);
});

function inWords({ requests, statuses, milliseconds }: Figures): string {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)]!.toFixed(1);
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  return `${requests} requests, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ${counts.join(', ')}`;
}
