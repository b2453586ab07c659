import { Fleet } from './kit/fleet.js';
import { killAndRestart, leaderOf } from './kit/kills.js';
import { SharedLoad, SHORT_TIMES } from './kit/shared-load.js';
import { until } from './kit/until.js';

const MINUTE = 60_000;
/** Before the first kill, and between two. */
const JOBS = 25;

describe('three instances that share one load', () => {
  it(
    'lose nothing and double nothing while the holder of one duty after the other is killed',
    async () => {
      const fleet = await Fleet.start(['all', 'all', 'all'], SHORT_TIMES);
      let load: SharedLoad | undefined;
      try {
        load = await SharedLoad.begin(fleet, Number(process.env.CRASH_SEED ?? 1));
        const { journal } = load;
        const more = (jobs: number) =>
          until(`${jobs} jobs`, MINUTE, async () => (journal.size >= jobs ? true : undefined));
        const duties = ['webhooks', 'views', 'timers'] as const;
        for (const duty of duties) {
          await load.during(() => more(journal.size + JOBS));
          await load.during(async () => killAndRestart(fleet, await leaderOf(fleet, duty)));
        }
        await load.during(() => more(6 * JOBS));
        const events = await load.finish();
        const tally = await load.prove(events, duties.length);
        process.stdout.write(`three instances: ${JSON.stringify(tally)}\n`);
      } catch (error) {
        if (process.env.FLEET_LOGS) process.stderr.write(fleet.logs);
        throw error;
      } finally {
        await load?.abandon();
        await fleet.remove();
      }
    },
    4 * MINUTE,
  );
});
