import { OperationRegistry } from '../../../src/http/operation.js';
import { documentText, rowsBelow } from '../../docs/markdown.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { openAccount, TestAgent } from '../../kit/world.js';
import { verdict } from '../asking.js';

const ID = '01990000-0000-7000-8000-00000000dead';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('conventions of all surfaces', () => {
  let service: TestService;
  /** Valid credential and error format, by surface. */
  const who: Record<string, string> = {};
  beforeAll(async () => {
    service = await startTestService();
    const { accountId, key } = await openAccount(service);
    const agent = await TestAgent.enrol(service, accountId);
    Object.assign(who, { integration: key, agent: agent.credential, operator: service.operatorToken });
  });
  afterAll(() => service.close());

  const call = (surface: string, method: string, path: string, more: object = {}) =>
    service.call(method, path, { ...(who[surface] && { as: who[surface] }), ...more });

  it.each([
    ['integration', 'GET', '/svc-api-account', ['x-svc-version', 'x-svc-api-version']],
    ['integration', 'GET', '/nowhere', ['x-svc-version', 'x-svc-api-version']],
    ['agent', 'POST', '/agent/heartbeat', ['x-svc-version', 'cache-control']],
    ['partner', 'POST', '/managed/enroll', ['x-svc-api-contract-version', 'x-svc-managed-contract-version']],
    ['operator', 'GET', '/operator/accounts', ['x-svc-version', 'cache-control']],
  ])('sets its headers on every %s answer: %s %s', async (surface, method, path, expected) => {
    const { headers, body } = await call(surface, method, path, method === 'POST' ? { json: {} } : {});
    for (const name of [...expected, 'x-svc-request-id', 'x-svc-correlation-id'])
      expect([name, headers.get(name)]).toEqual([name, expect.stringMatching(/./)]);
    expect(headers.get('x-svc-version')).toBe('2.0.59');
    expect(headers.get('x-svc-request-id')).toBe(body.request_id);
    expect(headers.get('x-svc-correlation-id')).toBe(body.correlation_id);
  });

  it('documents every operation of the Integration API with its scopes and limit', () => {
    const described = service.service.app
      .get(OperationRegistry, { strict: false })
      .operations()
      .filter(({ surface, hidden }) => surface.name === 'integration' && !hidden)
      .map(({ id, route, scopes = [], anyScope, limit }) => [
        id,
        route.replaceAll(/:(\w+)/g, '{$1}'),
        anyScope ? `one of ${anyScope.join(', ')}` : scopes.join(', '),
        String(limit?.perMinute),
      ]);
    const rows = rowsBelow(documentText('docs/integration-api.md'), 'Calls');
    expect(rows.sort()).toEqual(described.sort());
  });

  describe('correlation ids', () => {
    const correlate = (id: string) =>
      call('integration', 'GET', '/svc-api-account', { headers: { 'x-correlation-id': id } });

    it.each(['12345678', 'aZ0._:-x', 'x'.repeat(128)])('are returned: %s', async (id) => {
      const { headers, body } = await correlate(id);
      expect(headers.get('x-svc-correlation-id')).toBe(id);
      expect(body.correlation_id).toBe(id);
    });

    it.each(['short', 'x'.repeat(129), 'with space', 'ümlaut-ümlaut', ''])(
      'are replaced if invalid: %s',
      async (id) => {
        const { status, body } = await correlate(Buffer.from(id).toString('latin1'));
        expect(status).toBe(200);
        expect(body.correlation_id).toMatch(UUID);
      },
    );

    it('are stored with every resulting event', async () => {
      const headers = { 'x-correlation-id': 'the-great-suspension' };
      const { accountId } = await openAccount(service);
      await call('operator', 'POST', `/operator/accounts/${accountId}/suspend`, { headers });
      const { items } = await service.operate('GET', `/streams/account-${accountId}`);
      const [, suspended] = items as { metadata: Record<string, unknown> }[];
      expect(suspended!.metadata).toMatchObject({
        correlationId: 'the-great-suspension',
        actor: { kind: 'operator' },
      });
    });

    it('differ for each request, like request ids', async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => call('integration', 'GET', '/svc-api-account')),
      );
      for (const id of ['request_id', 'correlation_id'])
        expect(new Set(answers.map(({ body }) => body[id])).size).toBe(10);
    });
  });

  it.each([
    ['integration', '/nowhere', 'SVC_ROUTE_NOT_FOUND'],
    ['integration', '/svc-api-account/', 'SVC_ROUTE_NOT_FOUND'],
    ['integration', '/SVC-API-ACCOUNT', 'SVC_ROUTE_NOT_FOUND'],
    ['agent', '/agent/nowhere', 'ROUTE_NOT_FOUND'],
    ['partner', '/managed/nowhere', 'ROUTE_NOT_FOUND'],
    ['partner', `/accounts/${ID}/reactivate`, 'ROUTE_NOT_FOUND'],
    ['integration', '/pairing/redeem', 'SVC_ROUTE_NOT_FOUND'],
    ['operator', '/operator/nowhere', 'ROUTE_NOT_FOUND'],
  ])('answers 404 in the format of %s: %s', async (_, path, code) => {
    expect(verdict(await service.call('GET', path))).toBe(`404 ${code}`);
  });

  it.each([
    ['integration', 'DELETE', '/svc-api-account', 'SVC_METHOD_NOT_ALLOWED', 'GET'],
    ['integration', 'PUT', '/svc-api-print-jobs', 'SVC_METHOD_NOT_ALLOWED', 'GET, POST'],
    ['integration', 'GET', `/svc-api-print-jobs/${ID}/cancel`, 'SVC_METHOD_NOT_ALLOWED', 'POST'],
    ['agent', 'POST', '/agent/inventory', 'METHOD_NOT_ALLOWED', 'PUT'],
    ['partner', 'GET', '/managed/enroll', 'METHOD_NOT_ALLOWED', 'POST'],
    ['operator', 'PATCH', '/operator/accounts', 'METHOD_NOT_ALLOWED', 'GET, POST'],
  ])('answers 405 with Allow before authentication: %s %s %s', async (_, method, path, code, allow) => {
    const refused = await service.call(method, path);
    expect(verdict(refused)).toBe(`405 ${code}`);
    const methods = refused.headers
      .get('allow')!
      .split(', ')
      .filter((one) => one !== 'HEAD');
    expect(methods.sort().join(', ')).toBe(allow);
  });

  it.each([
    ['integration', 'POST', '/svc-api-print-jobs', 'SVC_UNSUPPORTED_MEDIA_TYPE'],
    ['integration', 'POST', `/svc-api-print-jobs/${ID}/cancel`, 'SVC_UNSUPPORTED_MEDIA_TYPE'],
    ['agent', 'POST', '/agent/heartbeat', 'UNSUPPORTED_MEDIA_TYPE'],
    ['agent', 'PUT', '/agent/inventory', 'UNSUPPORTED_MEDIA_TYPE'],
    ['partner', 'POST', '/managed/enroll', 'UNSUPPORTED_MEDIA_TYPE'],
    ['operator', 'POST', '/operator/accounts', 'UNSUPPORTED_MEDIA_TYPE'],
  ])('answers 415 to a body that is not JSON: %s %s %s', async (surface, method, path, code) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
    ]) {
      const refused = await call(surface, method, path, { raw: '{}', headers: { 'content-type': type } });
      expect(verdict(refused)).toBe(`415 ${code}`);
    }
  });

  it.each([
    ['integration', 'POST', '/svc-api-print-jobs', 'SVC_PAYLOAD_TOO_LARGE'],
    ['agent', 'POST', '/agent/events', 'PAYLOAD_TOO_LARGE'],
    ['partner', 'POST', '/managed/enroll', 'PAYLOAD_TOO_LARGE'],
    ['operator', 'POST', '/operator/accounts', 'PAYLOAD_TOO_LARGE'],
  ])('answers 413 to a body of more than 16 MiB: %s %s %s', async (surface, method, path, code) => {
    const raw = Buffer.alloc(16_777_217, ' ');
    expect(verdict(await call(surface, method, path, { raw }))).toBe(`413 ${code}`);
  });

  it.each([
    ['integration', 'POST', `/svc-api-print-jobs/${ID}/cancel`, 'SVC_VALIDATION_FAILED'],
    ['agent', 'POST', '/agent/heartbeat', 'INVALID_REQUEST'],
    ['partner', 'POST', '/managed/enroll', 'INVALID_REQUEST'],
    ['operator', 'POST', '/operator/accounts', 'INVALID_REQUEST'],
  ])('answers 400 to a body that is not a JSON object: %s %s %s', async (surface, method, path, code) => {
    for (const raw of ['{', '[]', '"x"', 'null', '7', '{"a":1,"a":2}', '{"__proto__":{}}'])
      expect([raw, verdict(await call(surface, method, path, { raw }))]).toEqual([raw, `400 ${code}`]);
  });

  it.each([
    ['integration', '/svc-api-print-jobs/', 'SVC_JOB_NOT_FOUND'],
    ['operator', '/operator/accounts/', 'ACCOUNT_NOT_FOUND'],
  ])('answers an empty id of %s as a resource that does not exist: %s', async (surface, path, code) => {
    expect(verdict(await call(surface, 'GET', path))).toBe(`404 ${code}`);
  });

  it('shows errors of the Integration API with contract and status, of the others without', async () => {
    const own = await service.call('GET', '/svc-api-account');
    expect(Object.keys(own.body).sort()).toEqual(
      ['code', 'contract', 'correlation_id', 'message', 'request_id', 'retryable', 'status'].sort(),
    );
    for (const path of ['/agent/inventory', '/operator/accounts']) {
      const { body } = await service.call(path.includes('agent') ? 'PUT' : 'GET', path);
      expect(Object.keys(body).sort()).toEqual(
        ['code', 'correlation_id', 'message', 'request_id', 'retryable'].sort(),
      );
    }
  });

  it('checks in order: path, method, credential, scope, content type, syntax, values, resource', async () => {
    const reader = await service.operate('POST', `/accounts/${(await openAccount(service)).accountId}/keys`, {
      scopes: ['jobs:read'],
    });
    const cancelPath = `/svc-api-print-jobs/${ID}/cancel`;
    const plain = { raw: '{', headers: { 'content-type': 'text/plain' } };
    const answers = [
      await service.call('POST', '/nowhere', plain),
      await service.call('PUT', cancelPath, plain),
      await service.call('POST', cancelPath, plain),
      await service.call('POST', cancelPath, { as: String(reader.api_key), ...plain }),
      await call('integration', 'POST', cancelPath, plain),
      await call('integration', 'POST', cancelPath, { raw: '{' }),
      await call('integration', 'POST', cancelPath, { json: { reason: '' } }),
      await call('integration', 'POST', cancelPath, { json: {} }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 405, 401, 403, 415, 400, 400, 404]);
  });
});
