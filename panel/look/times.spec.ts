import { ago, offset } from './times.js';

describe('an offset', () => {
  it('has milliseconds while they matter, then the units of people', () => {
    expect(offset(62_140)).toBe('+62.140 s');
    expect(offset(16 * 60_000)).toBe('+16 min');
    expect(offset(24_456_652)).toBe('+6 h 48 min');
    expect(offset(27 * 3_600_000)).toBe('+1 day 3 h');
    expect(offset(50 * 3_600_000)).toBe('+2 days 2 h');
  });
});

describe('how long ago something was', () => {
  const now = Date.parse('2026-11-25T12:00:00.000Z');
  const seconds = (n: number) => ago(new Date(now - n * 1_000).toISOString(), now);

  it('has one unit: the next one from where it rounds to two', () => {
    expect([0, 89, 90, 89 * 60, 90 * 60, 35 * 3_600, 36 * 3_600].map(seconds)).toEqual([
      ...['now', '89 s ago', '2 min ago', '89 min ago', '2 h ago', '35 h ago', '2 days ago'],
    ]);
    expect(seconds(-14 * 86_400)).toBe('in 14 days');
  });
});
