import { v7 } from 'uuid';
import { digitsOf, partitionOf, partitions } from './partitions.js';

describe('dividing streams into partitions', () => {
  it.each([1, 2, 3, 4, 16])('gives every digit to one of %s, evenly', (count) => {
    const digits = partitions(count).map(digitsOf);
    expect(digits.join('').split('').sort().join('')).toBe('0123456789abcdef');
    const sizes = digits.map(({ length }) => length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });

  it('puts a stream where its last digit is', () => {
    for (let n = 0; n < 100; n++) {
      const stream = `job-${v7()}`;
      expect(digitsOf({ index: partitionOf(stream, 3), count: 3 })).toContain(stream.at(-1));
    }
  });

  it('puts names without a digit at the end into the first', () => {
    expect(['note-x', 'note-A', ''].map((stream) => partitionOf(stream, 4))).toEqual([0, 0, 0]);
  });
});
