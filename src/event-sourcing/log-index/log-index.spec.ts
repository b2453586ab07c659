import { ManualClock } from '../../../test/kit/manual-clock.js';
import { UnavailableError } from '../../kernel/errors.js';
import type { IndexStores } from '../ports/index-blocks.port.js';
import { LogIndex } from './log-index.js';

describe('an index whose last event cannot be read', () => {
  it('answers that it is unavailable, instead of never', async () => {
    const clock = new ManualClock();
    const away = () => Promise.reject(new UnavailableError('the archive is away', 'not_written'));
    const stores = {
      events: { listen: () => () => undefined, load: away, readAll: away },
      checkpoints: { get: away },
    } as unknown as IndexStores;
    const failures: unknown[] = [];
    const index = new LogIndex(stores, clock, {
      ...{ name: 'notes', isPublic: () => true, ownersOf: async () => [] },
      onError: (error) => void failures.push(error),
    });
    index.start();
    for (const read of [() => index.after('shop', '', 9), () => index.newest('shop')]) {
      const refused = expect(read()).rejects.toThrow(UnavailableError);
      clock.advance(2_000);
      await refused;
    }
    expect(failures.length).toBeGreaterThan(0);
    await index.stop();
  });
});
