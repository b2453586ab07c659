import { chanceFrom } from '../crash/kit/chance.js';
import {
  eventStoreFaults,
  moreEventStoreFaults,
  moreReadStoreFaults,
  readStoreFaults,
  type Fault,
} from '../resilience/servers/kit/faults.js';
import { Lane } from '../resilience/servers/kit/lane.js';
import { workerFaults } from '../resilience/servers/kit/worker-faults.js';

const MINUTE = 60_000;
const ROUNDS = 3;
const MANY = 1_000_000;

const all = [
  ...[...eventStoreFaults, ...moreEventStoreFaults].map((fault) => named('the event store', fault)),
  ...[...readStoreFaults, ...moreReadStoreFaults].map((fault) => named('the read store', fault)),
  ...workerFaults.map((fault) => named('a worker', fault)),
];

function named(who: string, { name, happens }: Fault): Fault {
  return { name: `${who} ${name}`, happens };
}

function shuffled(faults: readonly Fault[], chance: () => number): readonly Fault[] {
  const keyed = faults.map((fault) => [chance(), { ...fault }] as const);
  return keyed.sort(([a], [b]) => a - b).map(([, fault]) => fault);
}

describe('all faults of both stores and of workers, one after the other over the same stores', () => {
  it.each([
    ['two clients', { workers: 2 }],
    ['eight clients of an account whose jobs are counted', { workers: 2, clients: 8, jobsPerMonth: MANY }],
  ])(
    'are survived with %s',
    async (_, options) => {
      const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 1e9));
      const chance = chanceFrom(seed);
      process.stdout.write(`store faults, CRASH_SEED=${seed}\n`);
      for (let round = 0; round < ROUNDS; round++) {
        const faults = shuffled(all, chance);
        const lane = new Lane(faults, options);
        try {
          for (const fault of faults) {
            await lane.result(fault).catch((error: unknown) => {
              throw new Error(`${fault.name}, CRASH_SEED=${seed}`, { cause: error });
            });
          }
          await lane.end();
        } finally {
          await lane.remove();
        }
      }
    },
    60 * MINUTE,
  );
});
