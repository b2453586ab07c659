import { startDemo, type Demo } from '../../test/kit/http/demo-app.js';
import { exchange, head } from '../../test/kit/http/raw.js';

const SMUGGLED = 'GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

const HOST = 'Host: a';
const AUTH = 'Authorization: Bearer full';
const JSON_TYPE = 'Content-Type: application/json';
const POST = 'POST /v1/demo-lines HTTP/1.1';
const post = (...lines: string[]) => head(POST, HOST, AUTH, JSON_TYPE, ...lines);
const get = (...lines: string[]) => head('GET /v1/demo-things HTTP/1.1', ...lines);
const chunked = (body: string) => post('Transfer-Encoding: chunked') + body;

/** Requests that a proxy before us could parse differently, by name. */
const corpus: readonly (readonly [string, string])[] = [
  [
    'Content-Length and Transfer-Encoding',
    post('Content-Length: 4', 'Transfer-Encoding: chunked') + '0\r\n\r\n',
  ],
  [
    'Transfer-Encoding and Content-Length',
    post('Transfer-Encoding: chunked', 'Content-Length: 4') + '0\r\n\r\n',
  ],
  ['two equal Content-Length', post('Content-Length: 2', 'Content-Length: 2') + '{}'],
  ['two different Content-Length', post('Content-Length: 2', 'Content-Length: 40') + '{}'],
  ['a list of Content-Length', post('Content-Length: 2, 2') + '{}'],
  ['Content-Length with a plus', post('Content-Length: +2') + '{}'],
  ['negative Content-Length', post('Content-Length: -2') + '{}'],
  ['hexadecimal Content-Length', post('Content-Length: 0x2') + '{}'],
  ['Content-Length with a space inside', post('Content-Length: 2 2') + '{}'],
  ['empty Content-Length', post('Content-Length:') + '{}'],
  ['Content-Length in scientific notation', post('Content-Length: 2e0') + '{}'],
  ['Content-Length beyond 64 bits', post('Content-Length: 99999999999999999999') + '{}'],
  ['unknown transfer coding', post('Transfer-Encoding: xchunked') + '0\r\n\r\n'],
  ['identity transfer coding', post('Transfer-Encoding: identity') + '0\r\n\r\n'],
  ['chunked, then identity', post('Transfer-Encoding: chunked, identity') + '0\r\n\r\n'],
  ['gzip, then chunked', post('Transfer-Encoding: gzip, chunked') + '0\r\n\r\n'],
  ['chunked twice in a list', post('Transfer-Encoding: chunked, chunked') + '0\r\n\r\n'],
  ['two Transfer-Encoding', post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked') + '0\r\n\r\n'],
  ['a vertical tab before chunked', post('Transfer-Encoding: \x0bchunked') + '0\r\n\r\n'],
  ['a space before the colon', post('Transfer-Encoding : chunked') + '0\r\n\r\n'],
  ['a folded header', post('X-Folded: a', ' b', 'Content-Length: 2') + '{}'],
  ['a folded Transfer-Encoding', post('Transfer-Encoding:', ' chunked') + '0\r\n\r\n'],
  ['a folded first header', head('GET /v1/demo-things HTTP/1.1', ' Host: a')],
  ['bare LF between headers', `GET /v1/demo-things HTTP/1.1\nHost: a\n\n`],
  ['bare CR inside a header', get(HOST, 'X-A: b\rX-C: d')],
  ['NUL in a header value', get(HOST, 'X-A: b\0c')],
  ['NUL in a header name', get(HOST, 'X\0A: b')],
  ['a space in a header name', get(HOST, 'X A: b')],
  ['an empty header name', get(HOST, ': b')],
  ['a header without a colon', get(HOST, 'nonsense')],
  ['two Host', get(HOST, 'Host: b', AUTH)],
  ['no Host', get(AUTH)],
  ['two Authorization', get(HOST, AUTH, 'Authorization: Bearer reader')],
  ['a chunk size that is no number', chunked('zz\r\n{}\r\n0\r\n\r\n')],
  ['a negative chunk size', chunked('-2\r\n{}\r\n0\r\n\r\n')],
  ['a chunk size with 0x', chunked('0x2\r\n{}\r\n0\r\n\r\n')],
  ['a chunk size beyond 64 bits', chunked('FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n')],
  ['a chunk longer than its size', chunked('1\r\n{}\r\n0\r\n\r\n')],
  ['a chunk ended by bare LF', chunked('2\n{}\n0\n\n')],
  ['an extension with a bare LF', chunked('2;a=b\n{}\r\n0\r\n\r\n')],
  ['HTTP/0.9', 'GET /v1/demo-things\r\n\r\n'],
  ['an unknown version', head('GET /v1/demo-things HTTP/1.9', HOST, AUTH)],
  ['a method in lower case', head('get /v1/demo-things HTTP/1.1', HOST, AUTH)],
  ['a space in the path', head('GET /v1/demo things HTTP/1.1', HOST, AUTH)],
  ['NUL in the path', head('GET /v1/demo-\0things HTTP/1.1', HOST, AUTH)],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
];

describe('smuggling a request', () => {
  let demo: Demo;
  beforeAll(async () => void (demo = await startDemo()));
  afterAll(() => demo.close());

  it.each(corpus)('answers 400 and closes the connection: %s', async (_, request) => {
    const answer = await exchange(demo.port, request + SMUGGLED);
    expect(answer.text).toContain('"code":"SVC_VALIDATION_FAILED"');
    expect(answer).toMatchObject({ status: 400, answers: 1 });
  });
});
