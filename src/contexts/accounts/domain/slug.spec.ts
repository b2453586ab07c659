import fc from 'fast-check';
import { Random } from '../../../../test/kit/random.js';
import { SLUG_MAX_LENGTH, SLUG_PATTERN, slugCandidates, slugOf } from './slug.js';

describe('deriving a slug', () => {
  const random = new Random(1);
  const randomNumber = () => random.below(100_000_000);

  it.each([
    ['Acme', 'acme'],
    ['  Müller & Söhne GmbH ', 'muller-sohne-gmbh'],
    ['Café 24/7', 'cafe-24-7'],
    ['--', 'account'],
    ['株式会社', 'account'],
    ['x'.repeat(120), 'x'.repeat(48)],
  ])('converts %s to %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it('appends a number until the slug is free', () => {
    const candidates = slugCandidates('Acme', randomNumber);
    expect([1, 2, 3].map(() => candidates.next().value)).toEqual(['acme', 'acme-2', 'acme-3']);
  });

  it('takes few tries for each of many accounts of one name', () => {
    const taken = new Set<string>();
    const triesOfOne = () => {
      let tries = 0;
      for (const candidate of slugCandidates('Acme', randomNumber)) {
        tries++;
        if (taken.has(candidate)) continue;
        taken.add(candidate);
        break;
      }
      return tries;
    };
    const tries = Array.from({ length: 2_000 }, triesOfOne);
    expect(Math.max(...tries)).toBeLessThan(15);
  });

  it('always produces a valid slug', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        let count = 0;
        for (const candidate of slugCandidates(name, () => 99_999_999)) {
          expect(candidate).toMatch(SLUG_PATTERN);
          expect(candidate.length).toBeLessThanOrEqual(SLUG_MAX_LENGTH);
          if (++count === 12) break;
        }
      }),
    );
  });
});
