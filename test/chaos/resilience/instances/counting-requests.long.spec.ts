import { openAccount } from '../../../kit/world.js';
import { Fleet } from './kit/fleet.js';

/** Calls of getAccount per minute and key. */
const LIMIT = 120;
const ASKED = 200;
const AT_ONCE = 10;

describe('counting the requests of a key', () => {
  it('counts over all instances together', async () => {
    const fleet = await Fleet.start(['all', 'all', 'all'], { RATE_LIMIT_FACTOR: '1' });
    try {
      const { key: as } = await openAccount(fleet);
      const statuses: number[] = [];
      for (let n = 0; n < ASKED; n += AT_ONCE) {
        const asked = Array.from({ length: AT_ONCE }, () => fleet.call('GET', '/svc-api-account', { as }));
        for (const { status } of await Promise.all(asked)) statuses.push(status);
      }
      const of = (status: number) => statuses.filter((one) => one === status).length;
      expect({ ok: of(200), refused: of(429) }).toEqual({ ok: LIMIT, refused: ASKED - LIMIT });
    } finally {
      await fleet.remove();
    }
  });
});
