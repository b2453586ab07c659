import { ManualClock } from '../../test/kit/manual-clock.js';
import { Waiters } from './waiters.js';

describe('counting waiters', () => {
  it('counts each until it is closed, however often', () => {
    const waiters = new Waiters(new ManualClock());
    const [first, second] = [waiters.open('a'), waiters.open('a')];
    waiters.open('b');
    expect(waiters.size).toBe(3);
    first.close();
    first.close();
    expect(waiters.size).toBe(2);
    second.close();
    expect(waiters.size).toBe(1);
  });
});
