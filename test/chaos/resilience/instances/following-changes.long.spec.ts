import { NO_FAULTS } from '../../../kit/change-follower.js';
import { countOf, fixedSeed, length } from '../../../kit/length.js';
import { Fleet } from './kit/fleet.js';
import { FollowedFleet } from './kit/followed-fleet.js';
import { SHORT_TIMES } from './kit/shared-load.js';

const HOUR = 3_600_000;
/** Ten accounts have a reader of their own. */
const SIZE = {
  accounts: countOf('ACCOUNTS', { short: 14, long: 14, soak: 2_000 }),
  jobs: countOf('JOBS', { short: 60, long: 60, soak: 10_000 }),
  kills: countOf('KILLS', { short: 3, long: 3, soak: 50 }),
  answers: countOf('ANSWERS', { short: 50, long: 50, soak: 10_000 }),
};
/** Abandoned leases end within the run; a restarted service is back before others do. No computer has to be heard. */
const ENV = {
  ...SHORT_TIMES,
  LEASE_SECONDS: '15',
  ACCEPT_GRACE_SECONDS: '60',
  PRESENCE_TIMEOUT_SECONDS: '86400',
};

/** At other lengths the crash loop follows the changes of embedded stores through kills. */
const EMBEDDED = [['one process on embedded stores', () => Fleet.embedded(ENV)] as const];

describe('readers that follow the changes of a partner while instances are killed', () => {
  it.each([
    ['three instances on server stores', () => Fleet.start(['all', 'all', 'all'], ENV)] as const,
    ...(length === 'soak' ? EMBEDDED : []),
  ])(
    'see each event once and in order, and the past as it was answered: %s',
    async (name, start) => {
      const seed = fixedSeed(5);
      const fleet = await start();
      try {
        const { readers, ...figures } = await FollowedFleet.run(fleet, SIZE, seed);
        process.stdout.write(`${name}, SEED=${seed}: ${JSON.stringify({ ...SIZE, ...figures, readers })}\n`);
        expect(readers.length).toBe(11);
        expect(figures.answers).toBeGreaterThanOrEqual(SIZE.answers);
        for (const reader of readers) expect(reader).toMatchObject(NO_FAULTS);
      } catch (error) {
        if (process.env.FLEET_LOGS) process.stderr.write(fleet.logs);
        throw new Error(`${name}, SEED=${seed}`, { cause: error });
      } finally {
        await fleet.remove();
      }
    },
    2 * HOUR,
  );
});
