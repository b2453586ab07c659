import { OperationRegistry } from '../../../src/http/operation.js';
import { documentText, rowsBelow } from '../../docs/markdown.js';
import { serviceForAll } from '../../kit/service.js';
import { openAccount, TestAgent } from '../../kit/world.js';
import { verdict } from '../asking.js';

const ID = '01990000-0000-7000-8000-00000000dead';

describe('conventions of all surfaces', () => {
  const service = serviceForAll();
  /** Valid credential and error format, by surface. */
  const who: Record<string, string> = {};
  beforeAll(async () => {
    const { accountId, key } = await openAccount(service);
    const agent = await TestAgent.enrol(service, accountId);
    Object.assign(who, { integration: key, agent: agent.credential, operator: service.operatorToken });
  });

  const call = (surface: string, method: string, path: string, more: object = {}) =>
    service.call(method, path, { ...(who[surface] && { as: who[surface] }), ...more });

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
});
