import { anySeed, countOf, soakSuite } from '../../../kit/length.js';
import { chanceFrom } from '../../../kit/random.js';
import type { Role } from './kit/fleet.js';
import { outagesInTurn } from './kit/outages.js';
import { killForAWhile } from './kit/kills.js';
import { underLoad } from './kit/under-load.js';

const MINUTE = 60_000;

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
