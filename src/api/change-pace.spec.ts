import { gatherMs } from './change-pace.js';

const MINUTE = 60_000;
/** From the commit of an event to the answer of a waiting request, and from there to the next request. */
const ANSWERED_MS = 6;
const ASKED_MS = 4;

/** A reader with `Prefer: wait` during ten minutes of changes that come at a fixed rate, and are shown `lag` ms later. */
function follow(perSecond: number, limit: number, lag = 0) {
  const every = 1_000 / perSecond;
  const until = 10 * MINUTE;
  let [requests, refused, seen, latest] = [0, 0, 0, 0];
  let window = { start: 0, used: 0 };
  for (let now = 0, last = -MINUTE; now < until;) {
    if (now - window.start >= MINUTE) window = { start: now, used: 0 };
    window.used++;
    requests++;
    if (window.used > limit) {
      refused++;
      now = window.start + MINUTE;
      continue;
    }
    const rate = {
      ...{ limit, remaining: limit - window.used, exceeded: false },
      resetSeconds: Math.ceil((window.start + MINUTE - now) / 1_000),
    };
    const asked = now;
    const waits = (seen + 1) * every + lag;
    now = Math.ceil(Math.max(now, waits));
    const countAt = (time: number) => Math.floor((time - lag) / every + 1e-9) - seen;
    for (let more = 1; more > 0; now += Math.ceil(more))
      more = gatherMs({ count: countAt(now), sinceLast: now - last, sinceAsked: now - asked, rate });
    latest = Math.max(latest, now - waits);
    seen += countAt(now);
    last = seen * every;
    now += ANSWERED_MS + ASKED_MS;
  }
  return { ofEach: requests / seen, refused, latest };
}

describe('gathering the changes of a reader that waits', () => {
  it('takes one request for each change that comes alone, at once', () => {
    expect(follow(1, 120)).toEqual({ ofEach: 1, refused: 0, latest: 0 });
    expect(follow(1, Infinity)).toEqual({ ofEach: 1, refused: 0, latest: 0 });
  });

  it('takes at most one request for fifty changes at 500 a second', () => {
    for (const limit of [120, 300, 12_000, Infinity])
      for (const lag of [0, 60, 500]) expect(follow(500, limit, lag).ofEach).toBeLessThanOrEqual(1 / 50);
  });

  it.each([2, 3, 5, 10, 30, 100, 300])('keeps within the rate limit at %d changes a second', (perSecond) => {
    for (const limit of [120, 300]) {
      const { refused, latest } = follow(perSecond, limit);
      expect(refused).toBe(0);
      expect(latest).toBeLessThan(2_000);
    }
  });

  it('answers the two events of a create at once, although the one before is new', () => {
    expect(gatherMs({ count: 2, sinceLast: 16, sinceAsked: 9, rate: undefined })).toBe(0);
    expect(gatherMs({ count: 2, sinceLast: 5, sinceAsked: 9, rate: undefined })).toBe(10);
  });
});
