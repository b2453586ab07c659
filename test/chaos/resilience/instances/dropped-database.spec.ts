import { MongoClient } from 'mongodb';
import { Fleet } from './kit/fleet.js';
import { SharedLoad, SHORT_TIMES } from './kit/shared-load.js';
import { until } from './kit/until.js';

const MINUTE = 60_000;
const JOBS = 20;
const DATABASE = 'rps';

describe('dropping the database of the read models while three instances run', () => {
  it(
    'heals by itself, and nobody loses a lease or a webhook by it',
    async () => {
      const fleet = await Fleet.start(['all', 'all', 'all'], { ...SHORT_TIMES, LEASE_SECONDS: '30' });
      const client = new MongoClient(fleet.servers.mongo.url);
      let load: SharedLoad | undefined;
      try {
        load = await SharedLoad.begin(fleet, Number(process.env.CRASH_SEED ?? 2), { faultless: true });
        const { journal } = load;
        const more = async () => {
          const jobs = journal.size + JOBS;
          await until(`${jobs} jobs`, MINUTE, async () => (journal.size >= jobs ? true : undefined));
        };
        await load.during(more);
        await client.db(DATABASE).dropDatabase();
        await load.during(more);
        const events = await load.finish();
        // Duties whose leases were lost may have changed hands: what was in flight then may be sent again.
        const tally = await load.prove(events, 1);
        process.stdout.write(`database dropped: ${JSON.stringify(tally)}\n`);
        expect(events.filter(({ type }) => type === 'LeaseLapsed')).toEqual([]);
        expect(events.filter(({ type }) => type === 'ComputerWentOffline')).toEqual([]);
      } catch (error) {
        if (process.env.FLEET_LOGS) process.stderr.write(fleet.logs);
        throw error;
      } finally {
        await load?.abandon();
        await client.close();
        await fleet.remove();
      }
    },
    4 * MINUTE,
  );
});
