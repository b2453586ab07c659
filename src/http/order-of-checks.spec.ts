import { startDemo, type Demo } from '../../test/kit/http/demo-app.js';
import { dial, exchange, head } from '../../test/kit/http/raw.js';

const ID = '019a8f3e-5b7c-7d21-9c44-0a1b2c3d4e5f';
const OVER = 16_777_217;

describe('checking a request', () => {
  let demo: Demo;
  beforeAll(async () => void (demo = await startDemo()));
  afterAll(() => demo.close());

  /** Sends a create request with these headers and body; returns status and code. */
  async function judged(lines: string[], body = '') {
    const request = head('POST /v1/demo-things HTTP/1.1', 'Host: a', 'Connection: close', ...lines) + body;
    const { status, text } = await exchange(demo.port, request);
    return [status, /"code":"(\w+)"/.exec(text)?.[1]];
  }

  it('checks path, method, credential, scope, size, type, form and fields in this order', async () => {
    const auth = 'Authorization: Bearer full';
    const json = 'Content-Type: application/json';
    expect(
      await exchange(demo.port, head('PUT /v1/nothing HTTP/1.1', 'Host: a', 'Connection: close')),
    ).toMatchObject({ status: 404 });
    expect(
      await exchange(demo.port, head('PUT /v1/demo-things HTTP/1.1', 'Host: a', 'Connection: close')),
    ).toMatchObject({ status: 405 });
    expect(await judged([`Content-Length: ${OVER}`])).toEqual([401, 'API_KEY_INVALID']);
    expect(await judged(['Authorization: Bearer reader', `Content-Length: ${OVER}`])).toEqual([
      403,
      'API_KEY_SCOPE_INSUFFICIENT',
    ]);
    expect(await judged([auth, `Content-Length: ${OVER}`])).toEqual([413, 'SVC_PAYLOAD_TOO_LARGE']);
    expect(await judged([auth, 'Content-Length: 1', 'Content-Type: text/plain'], '{')).toEqual([
      415,
      'SVC_UNSUPPORTED_MEDIA_TYPE',
    ]);
    expect(await judged([auth, 'Content-Length: 1', json], '{')).toEqual([400, 'SVC_VALIDATION_FAILED']);
    expect(await judged([auth, 'Content-Length: 2', json], '{}')).toEqual([400, 'SVC_VALIDATION_FAILED']);
  });

  it('checks the rate limit after the credential and before the scope', async () => {
    const path = `/v1/accounts/${ID}/deactivate`;
    for (let i = 0; i < 30; i += 1) await demo.call('POST', path, { as: 'device' });
    expect(await demo.call('POST', path, { as: 'device' })).toMatchObject({ status: 429 });
    expect(await demo.call('POST', path, { as: 'nobody' })).toMatchObject({ status: 401 });
    demo.clock.advance(60_000);
    expect(await demo.call('POST', path, { as: 'device' })).toMatchObject({ status: 403 });
  });

  it('names the methods of the path in a 405', async () => {
    const answer = await demo.call('DELETE', `/v1/demo-things/${ID}`);
    expect(answer).toMatchObject({ status: 405, body: { code: 'SVC_METHOD_NOT_ALLOWED' } });
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
    expect((await demo.call('OPTIONS', '/v1/accounts/x/deactivate')).headers.get('allow')).toBe('POST');
  });

  it('answers HEAD like GET without the body', async () => {
    const answer = await demo.call('HEAD', '/v1/demo-things', { as: 'full' });
    expect(answer).toMatchObject({ status: 200, text: '' });
    expect(await demo.call('HEAD', '/v1/demo-things')).toMatchObject({ status: 401 });
  });

  it.each(['', 'Bearer', 'Bearer ', 'Basic full', 'full', 'Bearer  full x'])(
    'answers 401 for the Authorization "%s"',
    async (given) => {
      const headers = { authorization: given };
      const answer = await demo.call('GET', '/v1/demo-things', { headers });
      expect(answer).toMatchObject({ status: 401, body: { code: 'API_KEY_INVALID' } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    },
  );

  it('accepts the scheme in any case', async () => {
    expect(
      await demo.call('GET', '/v1/demo-things', { headers: { authorization: 'bEaReR full' } }),
    ).toMatchObject({ status: 200 });
  });

  it('refuses authority in a Partner body or query before checking other fields', async () => {
    const path = `/v1/accounts/${ID}/deactivate`;
    for (const field of ['partner', 'partner_id', 'provider', 'account_id', 'environment']) {
      const inBody = await demo.call('POST', path, { as: 'partner', json: { [field]: 'x', reason: 5 } });
      const inQuery = await demo.call('POST', `${path}?${field}=x`, { as: 'partner' });
      expect(inBody).toMatchObject({ status: 403, body: { code: 'AUTHORITY_OVERRIDE' } });
      expect(inQuery).toMatchObject({ status: 403, body: { code: 'AUTHORITY_OVERRIDE' } });
    }
  });

  it('checks the id in the path after the body', async () => {
    const path = '/v1/accounts/nonsense/deactivate';
    expect(await demo.call('POST', path, { as: 'partner', json: { reason: 5 } })).toMatchObject({
      status: 400,
    });
    expect(await demo.call('POST', path, { as: 'partner' })).toMatchObject({
      status: 404,
      body: { code: 'ACCOUNT_NOT_FOUND' },
    });
  });

  it('accepts a request without its optional body and without Content-Type', async () => {
    const path = `/v1/accounts/${ID}/deactivate`;
    expect(await demo.call('POST', path, { as: 'partner' })).toMatchObject({
      status: 200,
      body: { data: {} },
    });
    expect(await demo.call('POST', path, { as: 'partner', json: {} })).toMatchObject({ status: 200 });
    expect(
      await demo.call('POST', path, { as: 'partner', raw: 'x', headers: { 'content-type': 'text/plain' } }),
    ).toMatchObject({ status: 415 });
  });

  it('asks the admission of the surface last', async () => {
    expect(await demo.call('GET', '/v1/demo-things', { as: 'suspended' })).toMatchObject({
      status: 403,
      body: { code: 'SVC_ACCOUNT_SUSPENDED' },
    });
    expect(await demo.call('GET', '/v1/demo-things?limit=x', { as: 'suspended' })).toMatchObject({
      status: 400,
    });
  });

  it('answers a refused upload before reading it, and keeps the connection', async () => {
    const { socket, next } = await dial(demo.port);
    socket.write(
      head(
        'POST /v1/demo-things HTTP/1.1',
        'Host: a',
        'Content-Type: application/json',
        'Content-Length: 14000000',
      ),
    );
    const refused = await next((text) => text.includes('API_KEY_INVALID'));
    expect(refused).toMatchObject({ status: 401, answers: 1 });
    socket.write(Buffer.alloc(14_000_000, 0x20));
    socket.write(
      head('GET /v1/demo-things HTTP/1.1', 'Host: a', 'Authorization: Bearer full', 'Connection: close'),
    );
    expect(await next(() => false)).toMatchObject({ answers: 2 });
  });

  it('sends 100 Continue only after the header checks', async () => {
    const request = [
      'POST /v1/demo-lines HTTP/1.1',
      'Host: a',
      'Expect: 100-continue',
      'Content-Type: application/json',
      'Content-Length: 2',
    ];
    const refused = await dial(demo.port);
    refused.socket.write(head(...request));
    expect(await refused.next((text) => text.includes('}'))).toMatchObject({ status: 401, answers: 1 });
    refused.socket.destroy();

    const { socket, next } = await dial(demo.port);
    socket.write(head(...request, 'Authorization: Bearer full', 'Connection: close'));
    expect(await next((text) => text.includes('\r\n\r\n'))).toMatchObject({ status: 100 });
    socket.write('{}');
    expect((await next(() => false)).text).toContain('lines is required');
  });

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data', 'nonsense'])(
    'ignores the type %s without a body',
    async (type) => {
      const send = (path: string, key: string, ...lines: string[]) =>
        exchange(
          demo.port,
          head(
            `POST ${path} HTTP/1.1`,
            'Host: a',
            'Connection: close',
            `Authorization: Bearer ${key}`,
            `Content-Type: ${type}`,
            ...lines,
          ),
        );
      for (const lines of [[], ['Content-Length: 0']]) {
        expect(await send(`/v1/demo-things/${ID}/test`, 'full', ...lines)).toMatchObject({ status: 202 });
        expect(await send(`/v1/accounts/${ID}/deactivate`, 'partner', ...lines)).toMatchObject({
          status: 200,
        });
        expect(await send('/v1/demo-lines', 'full', ...lines)).toMatchObject({ status: 415 });
      }
    },
  );
});
