import fc from 'fast-check';
import { startDemo, type Demo } from '../../test/kit/http/demo-app.js';
import { countOf } from '../../test/kit/length.js';

const BODIES = countOf('RUNS', { short: 400, long: 1_500, soak: 50_000 });
const QUERIES = countOf('RUNS', { short: 200, long: 700, soak: 50_000 });

const ID = '019a8f3e-5b7c-7d21-9c44-0a1b2c3d4e5f';
const content = { type: 'pdf', encoding: 'base64', data: 'JVBERi0xLjcK' };
const valid = Buffer.from(
  JSON.stringify({
    printer_id: ID,
    content,
    copies: 2,
    title: 'Receipt 4711 é',
    expires_at: '2026-11-22T00:00:00Z',
  }),
);

interface Mutation {
  readonly at: number;
  readonly cut: number;
  readonly insert: string;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(valid.length),
  cut: fc.nat(6),
  insert: fc.oneof(
    fc.constantFrom(
      '',
      '"',
      '\\',
      '\\ud800',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '1e999',
      '-',
      'null',
      '__proto__',
      '\0',
      '=',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  ),
});

const mutated = (mutations: readonly Mutation[]) =>
  mutations.reduce<Buffer>(
    (body, { at, cut, insert }) =>
      Buffer.concat([body.subarray(0, at), Buffer.from(insert, 'latin1'), body.subarray(at + cut)]),
    valid,
  );

describe('mutated requests', () => {
  let demo: Demo;
  beforeAll(async () => void (demo = await startDemo({ rateLimitFactor: 0 })));
  afterAll(() => demo.close());

  it('creates or refuses a mutated body, and never fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { maxLength: 4 }), async (mutations) => {
        const headers = { 'idempotency-key': 'order-4711' };
        const answer = await demo.call('POST', '/v1/demo-things', {
          as: 'full',
          raw: mutated(mutations),
          headers,
        });
        expect([201, 400]).toContain(answer.status);
        if (answer.status === 400) expect(answer.body.message).toMatch(/^[\x20-\x7e±−]+$/);
      }),
      { numRuns: BODIES },
    );
  });

  it('answers or refuses a mutated query, and never fails', async () => {
    const part = fc.constantFrom(
      'limit',
      'status',
      'printer_id',
      '=',
      '&',
      '%',
      '%00',
      '%ff',
      '[]',
      '5',
      'open',
      '+',
      '#',
      ';',
      '?',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        const answer = await demo.call('GET', `/v1/demo-things?${parts.join('')}`, { as: 'full' });
        expect([200, 400]).toContain(answer.status);
      }),
      { numRuns: QUERIES },
    );
  });
});
