import { chanceFrom } from '../crash/kit/chance.js';
import { Fleet, type Role } from '../resilience/instances/kit/fleet.js';
import { killForAWhile } from '../resilience/instances/kit/kills.js';
import { SharedLoad, SHORT_TIMES } from '../resilience/instances/kit/shared-load.js';

const MINUTE = 60_000;
const MINUTES = Number(process.env.SOAK_MINUTES ?? 10);
const PAUSE_MS = 200;

const FLEETS: readonly (readonly Role[])[] = [
  ['all', 'all', 'all'],
  ['api', 'api', 'worker', 'worker'],
];

describe.each(FLEETS)('instances that share one load: %s', (...roles) => {
  it(
    'lose nothing and double nothing while one is killed every few seconds',
    async () => {
      const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 1e9));
      const fleet = await Fleet.start(roles, SHORT_TIMES);
      let load: SharedLoad | undefined;
      try {
        const running = (load = await SharedLoad.begin(fleet, seed, { pauseMs: PAUSE_MS }));
        const ms = (MINUTES * MINUTE) / FLEETS.length;
        const kills = await running.during(() => killForAWhile(fleet, ms, chanceFrom(seed + 1)));
        const events = await running.finish();
        const tally = await running.prove(events, kills);
        process.stdout.write(
          `${roles.join()}, CRASH_SEED=${seed}, ${kills} kills: ${JSON.stringify(tally)}\n`,
        );
      } catch (error) {
        if (process.env.FLEET_LOGS) process.stderr.write(fleet.logs);
        throw new Error(`CRASH_SEED=${seed}`, { cause: error });
      } finally {
        await load?.abandon();
        await fleet.remove();
      }
    },
    (MINUTES + 5) * MINUTE,
  );
});
