import { startDemo, type Demo } from '../../test/kit/http/demo-app.js';
import { exchange, head } from '../../test/kit/http/raw.js';

const PRINTER = '019a8f3e-5b7c-7d21-9c44-0a1b2c3d4e5f';
const KEY = { 'idempotency-key': 'order-4711' };
const PDF = 'JVBERi0xLjcK';

const textContent = { type: 'text', encoding: 'utf8', data: 'hello' };
const pdf = (data: string) => ({ type: 'pdf', encoding: 'base64', data });
const raw = (data: string) => ({ type: 'raw', encoding: 'base64', data });

/** A create body with a JSON text as one more field. */
const withField = (field: string) =>
  `{"printer_id":"${PRINTER}","content":${JSON.stringify(textContent)},${field}}`;

/** Invalid JSON texts, with the text of the message. */
const malformed: readonly (readonly [string, string | Buffer, RegExp])[] = [
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), /UTF-8/],
  ['a byte order mark', '\ufeff{}', /byte order mark/],
  ['a lone high surrogate', withField('"title":"\\ud800"'), /surrogate/],
  ['a lone low surrogate', withField('"title":"\\udc00x"'), /surrogate/],
  ['a high surrogate before plain text', withField('"title":"\\ud800\\u0041"'), /surrogate/],
  ['a lone surrogate in a key', withField('"\\udfff":1'), /surrogate/],
  ['a duplicate key', withField('"copies":1,"copies":2'), /twice/],
  ['a duplicate key, once escaped', withField('"copies":1,"c\\u006fpies":2'), /twice/],
  ['a duplicate key in content', withField('"x":{"data":"a","data":"b"}'), /twice/],
  ['an overflowing number', withField('"copies":1e400'), /finite/],
  ['a negative overflowing number', withField('"copies":-1e400'), /finite/],
  ['a 20-digit integer', withField('"copies":12345678901234567890'), /Integers/],
  ['__proto__', withField('"__proto__":{"copies":2}'), /__proto__/],
  ['escaped __proto__', withField('"\\u005f_proto__":{"copies":2}'), /__proto__/],
  ['constructor.prototype', withField('"constructor":{"prototype":{"copies":2}}'), /constructor/],
  ['200,000 nested arrays', '['.repeat(200_000) + ']'.repeat(200_000), /32 levels/],
  ['200,000 nested objects', '{"a":'.repeat(200_000) + '1' + '}'.repeat(200_000), /32 levels/],
  ['200,000 values', `[${'1,'.repeat(200_000)}1]`, /100000 values/],
  ['no JSON', '{"printer_id"', /valid JSON/],
  ['a trailing comma', withField('"copies":1,'), /valid JSON/],
  ['an empty body', '', /JSON object/],
  ['an array', '[]', /JSON object/],
  ['null', 'null', /JSON object/],
  ['a string', '"text"', /JSON object/],
];

/** Fields that break a rule, with the text of the message. */
const invalid: readonly (readonly [string, object, RegExp])[] = [
  ['a missing field', { printer_id: undefined }, /^printer_id is required/],
  ['an undeclared field', { colour: 'red' }, /^colour is not a known field/],
  ['an undeclared field that objects have', { toString: 1 }, /^toString is not a known field/],
  ['an operator of a database', { printer_id: { $gt: '' } }, /^printer_id must be a UUID/],
  ['a dotted field', { 'a.b': 1 }, /^a\.b is not a known field/],
  ['a field named for a terminal', { '\u001b[31mred': 1 }, /^\?\[31mred is not/],
  ['a number for text', { title: 5 }, /^title must be/],
  ['text for a number', { copies: '2' }, /^copies must be an integer from 1 to 20/],
  ['zero copies', { copies: 0 }, /^copies/],
  ['21 copies', { copies: 21 }, /^copies/],
  ['half a copy', { copies: 1.5 }, /^copies/],
  ['null where a value is due', { copies: null }, /^copies/],
  ['an empty title', { title: '' }, /^title/],
  ['a title of 161 characters', { title: 'é'.repeat(161) }, /^title must be 1 to 160/],
  ['CRLF in a title', { title: 'a\r\nX-Evil: 1' }, /^title/],
  ['ANSI in a title', { title: '\u001b[2J' }, /^title/],
  ['NUL in a title', { title: 'a\0b' }, /^title/],
  ['a line separator in a title', { title: 'a\u2028b' }, /^title/],
  [
    'a right-to-left override in a title',
    { title: 'invoice\u202efdp.exe' },
    /^title must be .* bidirectional/,
  ],
  ['a malformed UUID', { printer_id: `${PRINTER}0` }, /^printer_id must be a UUID/],
  ['a date without a zone', { expires_at: '2026-11-22T00:00:00' }, /^expires_at must be an RFC 3339/],
  ['30 February', { expires_at: '2027-02-30T00:00:00Z' }, /^expires_at/],
  ['hour 25', { expires_at: '2027-02-20T25:00:00Z' }, /^expires_at/],
  ['no content', { content: undefined }, /content is required/],
  ['content as text', { content: 'hello' }, /content must be an object/],
  ['content as a list', { content: [] }, /content must be an object/],
  ['one more field in content', { content: { ...textContent, url: 'x' } }, /content must carry exactly/],
  ['an unknown type', { content: { ...textContent, type: 'toString' } }, /content\.type/],
  [
    'the wrong encoding',
    { content: { ...textContent, encoding: 'base64' } },
    /content\.encoding must be utf8/,
  ],
  ['an unknown encoding', { content: { ...pdf(PDF), encoding: 'hex' } }, /content\.encoding must be base64/],
  ['data that is no text', { content: { ...textContent, data: 5 } }, /content\.data must be a string/],
  ['empty text', { content: { ...textContent, data: '' } }, /content\.data must hold at least 1 byte/],
  ['an empty raw document', { content: raw('') }, /content\.data must hold at least 1 byte/],
  ['a PDF that is none', { content: pdf('aGVsbG8gd29ybGQh') }, /%PDF-/],
  ['Base64 with garbage and the URL alphabet', { content: pdf('JVBER*i0x\n-_=') }, /strict Base64/],
  ['Base64 of the URL alphabet', { content: raw('-_-_') }, /strict Base64/],
  ['Base64 without padding', { content: raw('YWI') }, /strict Base64/],
  ['Base64 with too much padding', { content: raw('YQ======') }, /strict Base64/],
  ['Base64 with padding inside', { content: raw('YQ==YQ==') }, /strict Base64/],
  ['Base64 with trailing bits', { content: raw('YR==') }, /strict Base64/],
  ['Base64 with a line break', { content: raw('YWJj\nYWJj') }, /strict Base64/],
  ['Base64 with a space', { content: raw('YWJj YWI') }, /strict Base64/],
];

describe('bad input', () => {
  let demo: Demo;
  beforeAll(async () => void (demo = await startDemo({ rateLimitFactor: 0 })));
  afterAll(() => demo.close());

  const create = (
    body: { json?: unknown; raw?: string | Uint8Array },
    headers: Record<string, string> = {},
  ) => demo.call('POST', '/v1/demo-things', { as: 'full', headers: { ...KEY, ...headers }, ...body });
  const valid = { printer_id: PRINTER, content: textContent };

  it.each(malformed)('answers malformed for %s', async (_, body, rule) => {
    const answer = await create({ raw: body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'SVC_VALIDATION_FAILED', retryable: false } });
    expect(answer.body.message).toMatch(rule);
  });

  it.each(invalid)('answers invalid for %s', async (_, fields, rule) => {
    const answer = await create({ json: { ...valid, ...fields } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'SVC_VALIDATION_FAILED' } });
    expect(answer.body.message).toMatch(rule);
  });

  it('never repeats a value in the message', async () => {
    const answer = await create({ json: { ...valid, title: 'secret\n', copies: 'secret' } });
    expect(answer.text).not.toContain('secret');
  });

  it('keeps the connection of a client that sent a malformed body', async () => {
    const answer = await create({ raw: '{' });
    expect(answer.headers.get('connection')).toBe('keep-alive');
  });

  it.each([
    ['gzip', { 'content-encoding': 'gzip' }],
    ['another charset', { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['JSON by another name', { 'content-type': 'application/problem+json' }],
    ['no media type at all', { 'content-type': 'json' }],
  ])('answers 415 for %s', async (_, headers: Record<string, string>) => {
    const answer = await create({ raw: '{}' }, headers);
    expect(answer).toMatchObject({ status: 415, body: { code: 'SVC_UNSUPPORTED_MEDIA_TYPE' } });
  });

  it.each([
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json ; charset=UTF8',
  ])('accepts the content type %s', async (type) => {
    expect(await create({ json: valid }, { 'content-type': type })).toMatchObject({ status: 201 });
  });

  it.each([
    ['missing', {}],
    ['short', { 'idempotency-key': '1234567' }],
    ['8 KiB long', { 'idempotency-key': 'k'.repeat(8192) }],
    ['in latin-1', { 'idempotency-key': 'schlüssel-1' }],
  ])('an Idempotency-Key that is %s is invalid', async (_, headers: Record<string, string>) => {
    const answer = await demo.call('POST', '/v1/demo-things', { as: 'full', headers, json: valid });
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.body.message).toContain('Idempotency-Key');
  });

  it.each(['Idempotency-Key: order-4712', 'Content-Type: application/json', 'X-Correlation-Id: abcdefgh'])(
    'answers malformed for %s twice',
    async (line) => {
      const body = JSON.stringify(valid);
      const request = head(
        'POST /v1/demo-things HTTP/1.1',
        'Host: a',
        'Authorization: Bearer full',
        'Connection: close',
        `Content-Length: ${body.length}`,
        ...(line.startsWith('Content-Type') ? [] : ['Content-Type: application/json']),
        line,
        line,
      );
      const answer = await exchange(demo.port, request + body);
      expect(answer).toMatchObject({ status: 400, answers: 1 });
      expect(answer.text).toContain('must stand once');
    },
  );

  it.each([
    ['status[]=open', /^status\[\] is not a known query parameter/],
    ['status=open&status=done', /status must stand once/],
    ['status[$ne]=open', /^status\[\$ne\] is not a known/],
    ['unknown=1', /^unknown is not a known query parameter/],
    ['__proto__=1', /^__proto__ is not a known query parameter/],
    ['toString=1', /^toString is not a known query parameter/],
    ['status=', /^status must be one of/],
    ['limit=1e1', /^limit/],
    ['limit=%2B5', /^limit/],
    ['limit=05', /^limit/],
    ['limit=0', /^limit/],
    ['limit=101', /^limit/],
    ['limit=', /^limit/],
    ['limit=5.0', /^limit/],
    ['printer_id=%00', /^printer_id must be a UUID/],
    ['printer_id=%ff', /^The query parameter printer_id must be percent-encoded UTF-8/],
  ])('the query %s is invalid', async (query, rule) => {
    const answer = await demo.call('GET', `/v1/demo-things?${query}`, { as: 'full' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'SVC_VALIDATION_FAILED' } });
    expect(answer.body.message).toMatch(rule);
  });

  it('refuses every parameter of an operation without a query', async () => {
    const answer = await demo.call('GET', `/v1/demo-things/${PRINTER}?expand=1`, { as: 'full' });
    expect(answer).toMatchObject({ status: 400 });
  });

  it('refuses every field of an operation without a body, but accepts an empty object', async () => {
    const path = `/v1/demo-things/${PRINTER}/test`;
    expect(await demo.call('POST', path, { as: 'full', json: { a: 1 } })).toMatchObject({ status: 400 });
    expect(await demo.call('POST', path, { as: 'full', json: {} })).toMatchObject({ status: 202 });
    expect(await demo.call('POST', path, { as: 'full' })).toMatchObject({ status: 202 });
  });

  it.each([
    '%2e%2e',
    '%00',
    '%zz',
    'x'.repeat(1000),
    'x'.repeat(9000),
    `${PRINTER}0`,
    `${PRINTER.slice(0, 35)}G`,
  ])('the id %.20s in a path is a resource that does not exist', async (id) => {
    const { text, status } = await exchange(
      demo.port,
      head(
        `GET /v1/demo-things/${id} HTTP/1.1`,
        'Host: a',
        'Authorization: Bearer full',
        'Connection: close',
      ),
    );
    expect(status).toBe(404);
    expect(text).toMatch(/"code":"SVC_(JOB|ROUTE)_NOT_FOUND"/);
  });

  it('accepts ids in any case and passes them on in lower case', async () => {
    const answer = await demo.call('GET', `/v1/demo-things/${PRINTER.toUpperCase()}`, { as: 'full' });
    expect(answer.body.data).toEqual({ thing_id: PRINTER });
    const created = await create({ json: { ...valid, printer_id: PRINTER.toUpperCase() } });
    expect(created.body.data).toMatchObject({ printer_id: PRINTER, copies: 1 });
  });

  it('names the position of a broken rule in nested lists', async () => {
    const lines = [
      { line_id: PRINTER, count: 1 },
      { line_id: 'x', count: 0, more: 1 },
    ];
    const answer = await demo.call('POST', '/v1/demo-lines', { as: 'full', json: { lines } });
    expect(answer.body.message).toBe(
      'lines[1].more is not a known field; lines[1].line_id must be a UUID; lines[1].count must be an integer from 1 to 9.',
    );
    for (const wrong of [5, [5], [], {}, [[]], lines.concat(lines)]) {
      const refused = await demo.call('POST', '/v1/demo-lines', { as: 'full', json: { lines: wrong } });
      expect(refused).toMatchObject({ status: 400 });
    }
  });
});
