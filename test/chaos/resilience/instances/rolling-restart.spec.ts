import { Fleet } from './kit/fleet.js';
import { SharedLoad, SHORT_TIMES } from './kit/shared-load.js';
import { until } from './kit/until.js';

const MINUTE = 60_000;
const JOBS = 12;

describe('restarting one instance after the other under load', () => {
  it(
    'fails no client, and nothing is lost, lapses or is sent twice',
    async () => {
      const fleet = await Fleet.start(['all', 'all', 'all'], { ...SHORT_TIMES, LEASE_SECONDS: '30' });
      let load: SharedLoad | undefined;
      try {
        load = await SharedLoad.begin(fleet, Number(process.env.CRASH_SEED ?? 3), { faultless: true });
        const { journal } = load;
        const more = async () => {
          const jobs = journal.size + JOBS;
          await until(`${jobs} jobs`, MINUTE, async () => (journal.size >= jobs ? true : undefined));
        };
        for (const instance of fleet.instances) {
          await load.during(more);
          expect(await load.during(() => fleet.stop(instance))).toBe(0);
          await load.during(() => fleet.start(instance));
        }
        await load.during(more);
        const events = await load.finish();
        const tally = await load.prove(events, 0);
        process.stdout.write(`rolling restart: ${JSON.stringify(tally)}\n`);
        expect(events.filter(({ type }) => type === 'LeaseLapsed')).toEqual([]);
        expect(fleet.trouble.unavailable).toBe(0);
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
