import { anySeed, soakSuite } from '../../../kit/length.js';
import { Random } from '../../../kit/random.js';
import {
  eventStoreFaults,
  moreEventStoreFaults,
  moreReadStoreFaults,
  readStoreFaults,
  type Fault,
} from './kit/faults.js';
import { Lane } from './kit/lane.js';
import { workerFaults } from './kit/worker-faults.js';

const lanes = [
  { who: 'the event store', faults: eventStoreFaults, workers: 0 },
  { who: 'the read store', faults: readStoreFaults, workers: 0 },
  { who: 'a worker', faults: workerFaults, workers: 2 },
];

describe('serving clients during store and worker faults', () => {
  const running = new Map<string, Lane>();
  beforeAll(() => {
    for (const { who, faults, workers } of lanes) running.set(who, new Lane(faults, { workers }));
  });
  afterAll(() => Promise.all([...running.values()].map((lane) => lane.remove())));

  const cases = lanes.flatMap(({ who, faults }) => faults.map((fault) => ({ who, name: fault.name, fault })));
  it.each(cases)('gives correct answers while $who $name', ({ who, fault }) =>
    running.get(who)!.result(fault),
  );

  it.each(lanes)('ends with all jobs and webhooks accounted for after faults of $who', ({ who }) =>
    running.get(who)!.end(),
  );
});

const ROUNDS = 3;
const HOUR = 3_600_000;
const MANY = 1_000_000;
const more: Readonly<Record<string, readonly Fault[]>> = {
  'the event store': moreEventStoreFaults,
  'the read store': moreReadStoreFaults,
};
const all = lanes.flatMap(({ who, faults }) =>
  [...faults, ...(more[who] ?? [])].map(({ name, happens }) => ({ name: `${who} ${name}`, happens })),
);

soakSuite()('all faults of both stores and of workers, in sequence over the same stores', () => {
  it.each([
    ['two clients', { workers: 2 }],
    ['eight clients of an account whose jobs are counted', { workers: 2, clients: 8, jobsPerMonth: MANY }],
  ])(
    'lose nothing with %s',
    async (_, options) => {
      const seed = anySeed();
      const random = new Random(seed);
      process.stdout.write(`store faults, SEED=${seed}\n`);
      for (let round = 0; round < ROUNDS; round++) {
        const faults = shuffled(all, random);
        const lane = new Lane(faults, options);
        try {
          for (const fault of faults) {
            await lane.result(fault).catch((error: unknown) => {
              throw new Error(`${fault.name}, SEED=${seed}`, { cause: error });
            });
          }
          await lane.end();
        } finally {
          await lane.remove();
        }
      }
    },
    HOUR,
  );
});

function shuffled(faults: readonly Fault[], random: Random): readonly Fault[] {
  const keyed = faults.map((fault) => [random.next(), { ...fault }] as const);
  return keyed.sort(([a], [b]) => a - b).map(([, fault]) => fault);
}
