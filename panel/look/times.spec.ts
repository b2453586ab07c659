import { offset } from './times.js';

describe('an offset', () => {
  it('has milliseconds while they matter, then the units of people', () => {
    expect(offset(62_140)).toBe('+62.140 s');
    expect(offset(16 * 60_000)).toBe('+16 min');
    expect(offset(24_456_652)).toBe('+6 h 48 min');
    expect(offset(27 * 3_600_000)).toBe('+1 day 3 h');
    expect(offset(50 * 3_600_000)).toBe('+2 days 2 h');
  });
});
