import { setImmediate } from 'node:timers/promises';
import { ManualClock } from '../../test/kit/manual-clock.js';
import { Patience } from './patience.js';

describe('insisting', () => {
  it('tries again after pauses that double, 100 ms to 10 s, or down to half of that', async () => {
    const clock = new ManualClock();
    const began = Date.parse(clock.now());
    const tried: number[] = [];
    const work = async () => {
      tried.push(Date.parse(clock.now()) - began);
      if (tried.length < 10) throw new Error('not yet');
      return 'done';
    };
    const errors: unknown[] = [];
    const insisted = new Patience(clock).insist(work, (error) => errors.push(error));
    for (let n = 0; n < 500; n++) {
      await setImmediate();
      clock.advance(100);
    }
    expect(await insisted).toBe('done');
    expect(errors).toHaveLength(9);
    const pauses = tried.map((at, n) => at - (tried[n - 1] ?? 0)).slice(1);
    const longest = [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000];
    const inRange = pauses.map((ms, n) => ms >= Math.floor(longest[n]! / 2) && ms <= longest[n]!);
    expect(inRange).toEqual(longest.map(() => true));
  });

  it('ends at once when it is stopped, without an answer', async () => {
    const clock = new ManualClock();
    const patience = new Patience(clock);
    const insisted = patience.insist(
      () => Promise.reject(new Error('never')),
      () => undefined,
    );
    await setImmediate();
    patience.end();
    expect(await insisted).toBeUndefined();
    expect([patience.isOver, clock.pending]).toEqual([true, 0]);
    await patience.wait(1_000);
  });
});
