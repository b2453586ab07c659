import { ManualClock } from '../../test/kit/manual-clock.js';
import { ReadingPace } from './reading-pace.js';

/** After how many chunks of 64 kB a client is slow that takes this long for each, up to 1,000. */
function chunksTaken(seconds: number): number {
  const clock = new ManualClock();
  let isSlow = false;
  const pace = new ReadingPace(clock, () => (isSlow = true));
  for (let taken = 0; taken < 1000; taken++) {
    const wanted = pace.given(64_000);
    clock.advance(seconds * 1000);
    wanted();
    if (isSlow) return taken;
  }
  return 1000;
}

describe('the pace of a client', () => {
  it('may be 64 kB a second', () => expect(chunksTaken(0.9)).toBe(1000));
  it('may not be slower for long', () => expect(chunksTaken(10)).toBe(3));
  it('may not stop for 30 seconds', () => expect(chunksTaken(30)).toBe(0));
});
