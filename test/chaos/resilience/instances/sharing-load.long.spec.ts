import { anySeed, countOf, fixedSeed, soakSuite } from '../../../kit/length.js';
import { chanceFrom } from '../../../kit/random.js';
import type { WorkerGroup, Role } from './kit/fleet.js';
import { outagesInTurn } from './kit/outages.js';
import { killAndRestart, killForAWhile, leaderOf } from './kit/kills.js';
import { underLoad } from './kit/under-load.js';

const MINUTE = 60_000;
/** Pause before the first kill, and between two. */
const JOBS = 25;
const GROUPS: readonly WorkerGroup[] = ['webhooks', 'views', 'timers'];

describe('three instances that share one load', () => {
  it(
    'lose and duplicate nothing while the leader of each worker group is killed in turn',
    async () => {
      await underLoad({
        name: 'three instances',
        seed: fixedSeed(1),
        async happens(fleet, load, more) {
          for (const group of GROUPS) {
            await more(JOBS);
            await killAndRestart(fleet, await leaderOf(fleet, group));
          }
          await more(Math.max(0, 6 * JOBS - load.journal.size));
          return GROUPS.length;
        },
      });
    },
    4 * MINUTE,
  );
});

const FLEETS: readonly (readonly Role[])[] = [
  ['all', 'all', 'all'],
  ['api', 'api', 'worker', 'worker'],
];
const MINUTES = countOf('SOAK_MINUTES', { short: 0, long: 0, soak: 10 });

soakSuite().each(FLEETS)('instances that share one load for minutes: %s', (...roles) => {
  it(
    'lose and duplicate nothing while one is killed every few seconds',
    async () => {
      const seed = anySeed();
      const ms = (MINUTES * MINUTE) / FLEETS.length;
      await underLoad({
        ...{ name: roles.join(), seed, roles, mood: { pauseMs: 200 } },
        happens: (fleet) => killForAWhile(fleet, ms, chanceFrom(seed + 1)),
      });
    },
    (MINUTES + 5) * MINUTE,
  );
});

const PRINTED = 5_000;

soakSuite()('three instances over a cluster, with twenty agents', () => {
  it(
    'print 5,000 jobs once each while the leader, an instance and the read store are killed or frozen in turn',
    async () => {
      const seed = anySeed();
      await underLoad({
        ...{ name: 'outages in turn', seed, members: 3, mood: { clients: 16, agents: 20, pauseMs: 300 } },
        happens: (fleet, { journal }) => {
          const end = performance.now() + MINUTES * MINUTE;
          return outagesInTurn(
            fleet,
            chanceFrom(seed + 1),
            () => performance.now() >= end && journal.size >= PRINTED,
          );
        },
      });
    },
    // The webhooks of the last minutes are delivered afterwards.
    (5 * MINUTES + 10) * MINUTE,
  );
});
