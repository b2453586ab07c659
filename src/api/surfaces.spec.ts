import { surfaces } from './surfaces.js';
import { CATALOGUE, type Codes, type SurfaceName } from './errors/catalogue.js';

describe('error codes of the surfaces', () => {
  it.each(surfaces)('are one for each reason: $name', ({ name, refusals }) => {
    const reasons = CATALOGUE.flatMap((row) => Object.entries<Codes>(row.reasons));
    const answered = reasons.filter(([, codes]) => codes[name as SurfaceName] !== undefined);
    expect(answered.map(([reason]) => reason).sort()).toEqual(Object.keys(refusals).sort());
  });

  it.each(surfaces.map((surface) => [surface.name, surface.errors] as const))(
    'have a cause: %s',
    (_, errors) => {
      for (const [code, { status, retryable, cause }] of Object.entries(errors)) {
        expect(code).toMatch(/^[A-Z][A-Z0-9_]+$/);
        expect(status).toBeGreaterThanOrEqual(400);
        expect([code, retryable]).toEqual([
          code,
          status === 429 || (status === 503 && code.endsWith('UNAVAILABLE')),
        ]);
        expect(cause).toMatch(/\.$/);
      }
    },
  );
});
