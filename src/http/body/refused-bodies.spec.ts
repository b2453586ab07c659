import { RefusedBodies } from './refused-bodies.js';

const MIB = 1_048_576;

describe('reading what is left of refused bodies', () => {
  let now: number;
  let bodies: RefusedBodies;

  beforeEach(() => {
    now = 1_000;
    bodies = new RefusedBodies(() => now);
  });

  it('reads the first two megabytes of an owner at once', () => {
    expect(bodies.pauseAfter('account', MIB)).toBeLessThan(0);
    expect(bodies.pauseAfter('account', MIB)).toBe(0);
  });

  it('reads 8 MiB a second of one owner, however many bodies it sends', () => {
    let paused = 0;
    for (let n = 0; n < 100; n++) {
      const pause = Math.max(0, bodies.pauseAfter('account', MIB));
      paused += pause;
      now += pause;
    }
    expect(paused).toBeCloseTo((100 / 8) * 1_000 - 250);
  });

  it('slows no other owner', () => {
    for (let n = 0; n < 100; n++) bodies.pauseAfter('account', MIB);
    expect(bodies.pauseAfter('other account', MIB)).toBeLessThan(0);
  });

  it('forgets what an owner sent once its time is over', () => {
    for (let n = 0; n < 16; n++) bodies.pauseAfter('account', MIB);
    now += 2_000;
    expect(bodies.pauseAfter('account', MIB)).toBeLessThan(0);
  });
});
