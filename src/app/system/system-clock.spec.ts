import { mock } from 'node:test';
import { SystemClock } from './system-clock.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('a wait of more days than setTimeout takes', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  /** Days after which the callback was called. */
  function calls(ofDays: number, cancelledAfter = Infinity): number[] {
    const found: number[] = [];
    let hours = 0;
    const cancel = new SystemClock().after(ofDays * DAY, () => found.push(Math.floor(hours / 24)));
    for (hours = 1; hours <= 120 * 24; hours++) {
      mock.timers.tick(HOUR);
      if (hours === cancelledAfter * 24) cancel();
    }
    return found;
  }

  it('ends once, at its time', () => {
    expect([calls(30), calls(90)]).toEqual([[30], [90]]);
  });

  it('can be cancelled at any time', () => {
    expect([calls(90, 1), calls(90, 60)]).toEqual([[], []]);
  });
});
