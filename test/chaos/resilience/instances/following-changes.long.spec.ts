import { NO_FAULTS } from '../../../kit/change-follower.js';
import { anySeed, countOf, soakSuite } from '../../../kit/length.js';
import { Fleet } from './kit/fleet.js';
import { FollowedFleet } from './kit/followed-fleet.js';
import { SHORT_TIMES } from './kit/shared-load.js';

const HOUR = 3_600_000;
const SIZE = {
  accounts: countOf('ACCOUNTS', { short: 0, long: 0, soak: 2_000 }),
  jobs: countOf('JOBS', { short: 0, long: 0, soak: 10_000 }),
  kills: countOf('KILLS', { short: 0, long: 0, soak: 50 }),
  answers: countOf('ANSWERS', { short: 0, long: 0, soak: 10_000 }),
};
/** Abandoned leases end within the run; a restarted service is back before others do. No computer has to be heard. */
const ENV = {
  ...SHORT_TIMES,
  LEASE_SECONDS: '15',
  ACCEPT_GRACE_SECONDS: '60',
  PRESENCE_TIMEOUT_SECONDS: '86400',
};

soakSuite()('readers that follow the changes of a partner while instances are killed', () => {
  it.each([
    ['three instances on server stores', () => Fleet.start(['all', 'all', 'all'], ENV)],
    ['one process on embedded stores', () => Fleet.embedded(ENV)],
  ])(
    'see each event once and in order, and the past as it was answered: %s',
    async (name, start) => {
      const seed = anySeed();
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
