import fc from 'fast-check';
import { SLUG_MAX_LENGTH, SLUG_PATTERN, slugCandidates, slugOf } from './slug.js';

describe('deriving a slug', () => {
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
    const candidates = slugCandidates('Acme');
    expect([1, 2, 3].map(() => candidates.next().value)).toEqual(['acme', 'acme-2', 'acme-3']);
  });

  it('always produces a valid slug', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        for (const candidate of slugCandidates(name)) {
          expect(candidate).toMatch(SLUG_PATTERN);
          expect(candidate.length).toBeLessThanOrEqual(SLUG_MAX_LENGTH);
          if (candidate.endsWith('-3')) break;
        }
      }),
    );
  });
});
