import { countOf, fixedSeed, length } from '../../kit/length.js';
import { fuzzOperation, type Figures, type FuzzWorld } from './fuzz-operation.js';
import { openFuzzWorld } from './fuzz-world.js';

/** Requests per operation; `OPERATION` selects one. */
const RUNS = countOf('RUNS', { short: 20, long: 100, soak: 2000 });
const SEED = fixedSeed(4711);
const { OPERATION } = process.env;
/** Refused until thirty days before the end of the credential. */
const NOT_DUE = 'renewCredential';

describe('requests generated from the OpenAPI documents', () => {
  let world: FuzzWorld & { close(): Promise<void> };
  beforeAll(async () => void (world = await openFuzzWorld()));
  afterAll(() => world.close());

  it(`get the documented answers, valid or mutated (seed ${SEED})`, async () => {
    for (const served of world.operations.filter(({ id }) => OPERATION === undefined || OPERATION === id)) {
      const figures = await fuzzOperation(world, served, RUNS, SEED);
      if (served.id === NOT_DUE) continue;
      const isGranted = Object.keys(figures.statuses).some((status) => status < '300');
      expect([served.id, isGranted]).toEqual([served.id, true]);
      if (length === 'soak') process.stdout.write(`${served.id}: ${inWords(figures)}\n`);
    }
  }, 36_000_000);
});

function inWords({ requests, statuses, milliseconds }: Figures): string {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)]!.toFixed(1);
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  return `${requests} requests, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ${counts.join(', ')}`;
}
