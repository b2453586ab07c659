import fc from 'fast-check';

/** One mutation of a valid request. */
export type Mutation =
  | {
      readonly on: 'field' | 'drop' | 'extra';
      readonly nth: number;
      readonly name: string;
      readonly value: unknown;
    }
  | { readonly on: 'bytes'; readonly at: number; readonly cut: number; readonly insert: string }
  | { readonly on: 'body'; readonly raw: string }
  | { readonly on: 'query'; readonly name: string; readonly value: string }
  | { readonly on: 'header'; readonly name: string; readonly value: string | string[] | undefined }
  | { readonly on: 'param'; readonly nth: number; readonly value: string }
  | { readonly on: 'path'; readonly suffix: string }
  | { readonly on: 'method'; readonly method: string }
  | { readonly on: 'credential'; readonly nth: number };

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER, '', [], {}, [[]], {
    $gt: '',
  }),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    'a\u2028b',
    '\u001b[31m',
    'x'.repeat(5_000),
    '1',
    'true',
    'null',
    '../..',
  ),
  fc.constantFrom(
    "' or 1=1 --",
    '<script>',
    '${jndi:ldap://x}',
    '{{7*7}}',
    '2026-02-30T00:00:00Z',
    '9999-12-31',
  ),
  fc.integer(),
  fc.double(),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.uuid(),
);

const names = fc.constantFrom(
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'account_id',
    'partner_id',
    'environment',
    'provider',
  ],
  ...['', 'a.b', '$where', 'limit', 'id', 'status', 'PRINTER_ID', 'job_id', 'é', 'x'.repeat(300)],
);

const bodies = fc.constantFrom(
  ...[
    '',
    'null',
    '[]',
    '"text"',
    '1e400',
    '{',
    '{"a":1,"a":2}',
    '\ufeff{}',
    '{}{}',
    '{"n":123456789012345678901}',
  ],
  ...['{"\\ud800":1}', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}', '\u0000', '{}\n'],
  `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
  '['.repeat(20_000),
);

const queries = fc.constantFrom(
  ...[
    'limit',
    'offset',
    'cursor',
    'status',
    'printer_id',
    'limit[]',
    'limit[$gt]',
    '__proto__',
    'environment',
    'q',
  ],
);
const queryValues = fc.constantFrom(
  ...[
    '',
    '0',
    '1',
    '101',
    '-1',
    '1.0',
    '0x10',
    '1e2',
    '%201',
    '%00',
    '%ff',
    '%C3%28',
    'online',
    '%5B%5D',
    '+',
    'a=b',
  ],
  'x'.repeat(2_000),
);

const headerChanges = fc.constantFrom<readonly [string, string | string[] | undefined]>(
  ['content-type', 'text/plain'],
  ['content-type', 'application/json; charset=iso-8859-1'],
  ['content-type', 'application/json;charset=UTF-8'],
  ['content-type', undefined],
  ['content-encoding', 'gzip'],
  ['idempotency-key', undefined],
  ['idempotency-key', 'short'],
  ['idempotency-key', ['twice-1234', 'twice-5678']],
  ['idempotency-key', 'ä'.repeat(8)],
  ['x-correlation-id', 'x'.repeat(5_000)],
  ['x-correlation-id', '<script>alert(1)</script>'],
  ['if-none-match', '*'],
  ['if-none-match', 'W/"'],
  ['prefer', 'wait=1e9'],
  ['prefer', 'wait=-1'],
  ['range', 'bytes=0-0'],
  ['range', 'bytes=99999999-'],
  ['if-range', '"x"'],
  ['accept', 'text/html'],
  ['x-http-method-override', 'DELETE'],
  ['x-forwarded-for', '127.0.0.1'],
  ['origin', 'https://evil.example'],
  ['x-big', 'x'.repeat(4_000)],
);

const segments = fc.constantFrom(
  ...[
    'x',
    '%00',
    '%2e%2e',
    '%2F',
    '%ff',
    '%',
    '..',
    '*',
    '$ne',
    'null',
    "'",
    '%F0%9F%96%A8',
    'x'.repeat(1_500),
  ],
);

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

const nth = fc.nat(30);

const onBody: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ on: fc.constant('field' as const), nth, name: names, value: odd }) },
  { weight: 2, arbitrary: fc.record({ on: fc.constant('drop' as const), nth, name: names, value: odd }) },
  { weight: 2, arbitrary: fc.record({ on: fc.constant('extra' as const), nth, name: names, value: odd }) },
  {
    weight: 3,
    arbitrary: fc.record({
      on: fc.constant('bytes' as const),
      at: fc.nat(400),
      cut: fc.nat(6),
      insert: fc.string({ unit: fc.constantFrom(...'"\\{}[],:0e-\u0000\u00ff\u00c3n'), maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ on: fc.constant('body' as const), raw: bodies }) },
);

const elsewhere: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ on: fc.constant('query' as const), name: queries, value: queryValues }),
  },
  { weight: 3, arbitrary: headerChanges.map(([name, value]) => ({ on: 'header' as const, name, value })) },
  { weight: 2, arbitrary: fc.record({ on: fc.constant('param' as const), nth, value: segments }) },
  {
    weight: 1,
    arbitrary: fc.record({
      on: fc.constant('path' as const),
      suffix: fc.constantFrom('/', '//', '/x', '%20', ';a=b', '/..', '#f', '?', '?%', '.json'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ on: fc.constant('method' as const), method: fc.constantFrom(...METHODS) }),
  },
  { weight: 1, arbitrary: fc.record({ on: fc.constant('credential' as const), nth }) },
);

/** None for a third of the requests; for half of the others the body, if there is one. */
export const mutationsFor = (hasBody: boolean): fc.Arbitrary<Mutation[]> => {
  const one = hasBody ? fc.oneof(onBody, elsewhere) : elsewhere;
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant<Mutation[]>([]) },
    { weight: 3, arbitrary: one.map((each) => [each]) },
    { weight: 1, arbitrary: fc.array(one, { minLength: 2, maxLength: 3 }) },
  );
};
