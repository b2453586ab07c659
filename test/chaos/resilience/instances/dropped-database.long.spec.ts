import { MongoClient } from 'mongodb';
import { fixedSeed } from '../../../kit/length.js';
import { underLoad } from './kit/under-load.js';

const MINUTE = 60_000;
const JOBS = 20;
const DATABASE = 'rps';

describe('dropping the database of the read models while three instances run', () => {
  it(
    'rebuilds them without losing a lease or a webhook',
    async () => {
      const { events } = await underLoad({
        ...{ name: 'database dropped', seed: fixedSeed(2), env: { LEASE_SECONDS: '30' } },
        mood: { faultless: true },
        async happens(fleet, _load, more) {
          await more(JOBS);
          await drop(fleet.servers.mongo.url);
          await more(JOBS);
          // Workers whose leases were lost may have changed hands: what was in flight then may be sent again.
          return 1;
        },
      });
      expect(events.filter(({ type }) => type === 'LeaseLapsed')).toEqual([]);
      expect(events.filter(({ type }) => type === 'ComputerWentOffline')).toEqual([]);
    },
    4 * MINUTE,
  );
});

async function drop(url: string): Promise<void> {
  const client = new MongoClient(url);
  await client.db(DATABASE).dropDatabase();
  await client.close();
}
