import { backoffMs, retryAfterMs } from './backoff.js';

const limits = { firstMs: 200, longestMs: 10_000 };

describe('backoff between attempts', () => {
  it('doubles up to the limit', () => {
    const waits = [1, 2, 3, 6, 7, 100].map((attempt) => backoffMs(attempt, limits, () => 1));
    expect(waits).toEqual([200, 400, 800, 6400, 10_000, 10_000]);
  });

  it('subtracts a random part of at most half', () => {
    expect(backoffMs(3, limits, () => 0)).toBe(400);
  });
});

describe('reading Retry-After', () => {
  const now = Date.parse('2026-11-21T10:00:00Z');

  it.each([
    ['7', 7000],
    ['0', 0],
    ['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('converts %s to %s ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
