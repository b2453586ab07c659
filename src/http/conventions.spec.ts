import { mintCredential } from '../kernel/credential.js';
import { within } from '../../test/kit/polling.js';
import { startDemo, type Demo } from '../../test/kit/http/demo-app.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('answering', () => {
  let demo: Demo;
  beforeAll(async () => void (demo = await startDemo()));
  afterAll(() => demo.close());

  /** The log lines of one request, once there is one. */
  const linesOf = async ({ body }: { body: Record<string, unknown> }) => {
    const lines = () => demo.log.filter((line) => line.includes(String(body['request_id'])));
    await within(10_000, () => lines().length > 0);
    return lines().map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  it('sends the four headers with every Integration answer, also for unknown paths', async () => {
    for (const path of ['/v1/demo-things', '/v1/nothing', '/', '/v1/openapi.json', '/v1/%zz']) {
      const { headers } = await demo.call('GET', path, { as: 'full' });
      expect(headers.get('x-svc-version')).toBe('2.0.59');
      expect(headers.get('x-svc-api-version')).toBe('v1');
      expect(headers.get('x-svc-request-id')).toMatch(UUID_V7);
      expect(headers.get('x-svc-correlation-id')).toMatch(UUID_V7);
    }
  });

  it('sends versions and no-store with Partner and Agent answers', async () => {
    for (const path of [
      '/v1/managed/enroll',
      '/v1/accounts',
      '/v1/agent/heartbeat',
      '/v1/operator/nothing',
    ]) {
      const { headers } = await demo.call('GET', path);
      expect(headers.get('x-svc-version')).toBe('2.0.59');
      expect(headers.get('x-svc-api-contract-version')).toBe('v1');
      expect(headers.get('x-svc-managed-contract-version')).toBe('v1');
      expect(headers.get('x-svc-request-id')).toMatch(UUID_V7);
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it.each(['abcdefgh', 'order:4711_print.1-A', 'x'.repeat(128)])(
    'echoes the correlation id %s',
    async (id) => {
      const answer = await demo.call('GET', '/v1/demo-things', {
        as: 'full',
        headers: { 'x-correlation-id': id },
      });
      expect(answer.headers.get('x-svc-correlation-id')).toBe(id);
      expect(answer.body['correlation_id']).toBe(id);
    },
  );

  it.each(['abcdefg', 'x'.repeat(129), 'with space', 'ümlaut-ok'])(
    'replaces the correlation id "%s"',
    async (id) => {
      const answer = await demo.call('GET', '/v1/demo-things', {
        as: 'full',
        headers: { 'x-correlation-id': id },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-svc-correlation-id')).toMatch(UUID_V7);
    },
  );

  const secret = mintCredential('svc_live_', '019aa000-0000-7000-8000-0000000000b1', new Uint8Array(32));

  it.each([secret, `order:${secret}`, `${secret}.1`, secret.slice(0, -1)])(
    'replaces the correlation id "%s", in the answer and in the log',
    async (id) => {
      demo.log.length = 0;
      const answer = await demo.call('GET', '/v1/demo-things', {
        as: 'full',
        headers: { 'x-correlation-id': id },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-svc-correlation-id')).toMatch(UUID_V7);
      expect(answer.body['correlation_id']).toMatch(UUID_V7);
      expect(demo.log.join('')).not.toContain(secret.slice(0, -1));
    },
  );

  it.each([
    ['as it is', secret],
    ['with escapes', secret.replaceAll('_', '%5F')],
    ['twice', `${secret}${secret}`],
  ])('hides a credential in the logged path, %s', async (_, path) => {
    demo.log.length = 0;
    await demo.call('GET', `/v1/demo-things/${path}`, { as: 'full' });
    expect(demo.log).toHaveLength(1);
    const logged = JSON.parse(demo.log[0]!) as { path: string };
    expect(logged.path).toMatch(/^\/v1\/demo-things\/svc_live_\*\*\*$/);
  });

  it('wraps a success in an envelope, with a message on the Integration surface', async () => {
    const { body, headers } = await demo.call('GET', '/v1/demo-things', { as: 'full' });
    expect(Object.keys(body)).toEqual(['code', 'message', 'data', 'request_id', 'correlation_id']);
    expect(body['request_id']).toBe(headers.get('x-svc-request-id'));
    const agent = await demo.call('POST', '/v1/agent/heartbeat', { as: 'device', json: {} });
    expect(Object.keys(agent.body)).toEqual(['code', 'data', 'request_id', 'correlation_id']);
  });

  it('answers an error with the body of its surface', async () => {
    const integration = await demo.call('GET', '/v1/nothing');
    expect(integration.body).toEqual({
      contract: 'svc_api_error_v1',
      code: 'SVC_ROUTE_NOT_FOUND',
      message: 'There is no such path.',
      status: 404,
      retryable: false,
      request_id: integration.headers.get('x-svc-request-id'),
      correlation_id: integration.headers.get('x-svc-correlation-id'),
    });
    for (const [path, status, code] of [
      ['/v1/managed', 404, 'ROUTE_NOT_FOUND'],
      ['/v1/agent/x', 404, 'ROUTE_NOT_FOUND'],
      ['/v1/operator', 404, 'ROUTE_NOT_FOUND'],
      ['/v1/agentx', 404, 'SVC_ROUTE_NOT_FOUND'],
      ['/v1/managed/enroll', 405, 'METHOD_NOT_ALLOWED'],
    ] as const) {
      const answer = await demo.call('GET', path);
      expect(answer).toMatchObject({ status, body: { code } });
      if (!code.startsWith('SVC')) {
        expect(Object.keys(answer.body)).toEqual([
          'code',
          'message',
          'retryable',
          'request_id',
          'correlation_id',
        ]);
      }
    }
  });

  it('answers a retryable 503 when a store is unavailable', async () => {
    const answer = await demo.call('GET', '/v1/demo-failures/store', { as: 'full' });
    expect(answer).toMatchObject({ status: 503, body: { code: 'SVC_UNAVAILABLE', retryable: true } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await linesOf(answer)).toEqual([expect.objectContaining({ status: 503, err: expect.anything() })]);
  });

  it('hides the details of a bug from the client and logs them', async () => {
    const answer = await demo.call('GET', '/v1/demo-failures/bug', { as: 'full' });
    expect(answer).toMatchObject({ status: 500, body: { code: 'SVC_INTERNAL_ERROR' } });
    expect(answer.text).not.toContain('detail');
    expect(await linesOf(answer)).toEqual([
      expect.objectContaining({
        status: 500,
        err: expect.objectContaining({ message: expect.stringContaining('a detail of the bug') }),
      }),
    ]);
  });

  it('answers an internal error for a code of another surface', async () => {
    expect(await demo.call('GET', '/v1/demo-failures/foreign', { as: 'full' })).toMatchObject({
      status: 500,
      body: { code: 'SVC_INTERNAL_ERROR' },
    });
  });

  it('logs one line per request with its ids, without secret, header, query or body', async () => {
    demo.log.length = 0;
    const headers = { 'x-correlation-id': 'log-this-id', 'idempotency-key': 'never-logged-key' };
    await demo.call('GET', '/v1/demo-things?status=never-logged-query', { as: 'full', headers });
    await demo.call('GET', '/v1/demo-things', { as: 'never-logged-secret' });
    await demo.call('POST', '/v1/agent/heartbeat', { as: 'device', json: { reason: 'never-logged-body' } });
    expect(demo.log).toHaveLength(3);
    expect(JSON.parse(demo.log[0]!)).toMatchObject({
      correlation_id: 'log-this-id',
      operation: 'listThings',
      status: 400,
      by: 'api_key:key-full',
    });
    expect(demo.log.join('')).not.toContain('never-logged');
  });
});
