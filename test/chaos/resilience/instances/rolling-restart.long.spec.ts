import { fixedSeed } from '../../../kit/length.js';
import { underLoad } from './kit/under-load.js';

const MINUTE = 60_000;
const JOBS = 12;

describe('restarting one instance after another under load', () => {
  it(
    'fails no client, loses nothing, and sends nothing twice',
    async () => {
      const { events, unavailable } = await underLoad({
        ...{ name: 'rolling restart', seed: fixedSeed(3) },
        // A busy machine is no fault of a receiver or an Agent.
        env: { LEASE_SECONDS: '30', WEBHOOK_TIMEOUT_SECONDS: '15' },
        mood: { faultless: true },
        async happens(fleet, _load, more) {
          for (const instance of fleet.instances) {
            await more(JOBS);
            expect(await fleet.stop(instance)).toBe(0);
            await fleet.start(instance);
          }
          await more(JOBS);
          return 0;
        },
      });
      expect(events.filter(({ type }) => type === 'LeaseLapsed')).toEqual([]);
      expect(unavailable).toBe(0);
    },
    4 * MINUTE,
  );
});
