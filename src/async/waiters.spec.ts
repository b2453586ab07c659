import { ManualClock } from '../../test/kit/manual-clock.js';
import { Waiters } from './waiters.js';

describe('counting waiters', () => {
  it('counts each until it is closed, however often', () => {
    const waiters = new Waiters(new ManualClock());
    const [first, second] = [waiters.open('a'), waiters.open('a')];
    waiters.open('b');
    expect([waiters.size, waiters.countOf('a')]).toEqual([3, 2]);
    first.close();
    first.close();
    expect([waiters.size, waiters.countOf('a')]).toEqual([2, 1]);
    second.close();
    expect([waiters.size, waiters.countOf('a')]).toEqual([1, 0]);
  });
});
