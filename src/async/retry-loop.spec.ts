import { setImmediate } from 'node:timers/promises';
import { ManualClock } from '../../test/kit/manual-clock.js';
import { RetryLoop } from './retry.js';

describe('a retry loop', () => {
  it('repeats failing work after waits until it succeeds', async () => {
    const clock = new ManualClock();
    const errors: unknown[] = [];
    const work = async () => {
      if (errors.length < 9) throw new Error('not yet');
      return 'done';
    };
    const done = new RetryLoop(clock).retryUntilStopped(work, (error) => errors.push(error));
    for (let n = 0; n < 500; n++) {
      await setImmediate();
      clock.advance(100);
    }
    expect(await done).toBe('done');
    expect(errors).toHaveLength(9);
  });

  it('ends its waits when stopped, with undefined', async () => {
    const clock = new ManualClock();
    const loop = new RetryLoop(clock);
    const done = loop.retryUntilStopped(
      () => Promise.reject(new Error('never')),
      () => undefined,
    );
    await setImmediate();
    loop.stop();
    expect(await done).toBeUndefined();
    expect([loop.isStopped, clock.pending]).toEqual([true, 0]);
    await loop.wait(1_000);
  });
});
