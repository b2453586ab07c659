import { surfaces } from './surfaces.js';
import { ApiError, refusalOf, type RejectionTable } from '../http/errors/api-error.js';

describe('error codes of the surfaces', () => {
  it.each(surfaces.map((surface) => [surface.name, surface] as const))(
    'include every rejection: %s',
    (_, surface) => {
      for (const code of Object.values(surface.refusals)) expect(surface.errors).toHaveProperty([code]);
    },
  );

  it.each(surfaces.map((surface) => [surface.name, surface.errors] as const))(
    'have a cause and a remedy: %s',
    (_, errors) => {
      for (const [code, { status, retryable, cause, remedy }] of Object.entries(errors)) {
        expect(code).toMatch(/^[A-Z][A-Z0-9_]+$/);
        expect(status).toBeGreaterThanOrEqual(400);
        expect([code, retryable]).toEqual([
          code,
          status === 429 || (status === 503 && code.endsWith('UNAVAILABLE')),
        ]);
        expect(cause).toMatch(/\.$/);
        expect(remedy).toMatch(/\.$/);
      }
    },
  );

  it('map a domain rejection to its code in the table of rejections', () => {
    type Refused = { code: 'Plain' } | { code: 'Detailed'; limit: number };
    const table: RejectionTable<Refused> = {
      Plain: 'SVC_JOB_STATE_CONFLICT',
      Detailed: ({ limit }) => new ApiError('SVC_PLAN_LIMIT_REACHED', `${limit} jobs a month.`),
    };
    expect(refusalOf<Refused>(table, { code: 'Plain' })).toMatchObject({ key: 'SVC_JOB_STATE_CONFLICT' });
    expect(refusalOf<Refused>(table, { code: 'Detailed', limit: 5 })).toMatchObject({
      key: 'SVC_PLAN_LIMIT_REACHED',
      message: '5 jobs a month.',
    });
  });
});
