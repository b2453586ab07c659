import { randomUUID } from 'node:crypto';
import { Conformance } from '../../kit/openapi.js';
import { TestPartner } from '../../kit/partner.js';
import { serviceForAll } from '../../kit/service.js';

describe('the conventions of the Partner surface', () => {
  const service = serviceForAll({ env: { RATE_LIMIT_FACTOR: '1' } });
  let partner: TestPartner;
  beforeEach(async () => {
    partner = await TestPartner.open(service);
  });

  it('sets six headers and no-store on every answer, and uses the envelope', async () => {
    const accountId = await partner.account();
    const correlation = { headers: { 'x-correlation-id': 'order-4711:print' } };
    const answers = [
      await partner.call('GET', `/accounts/${accountId}/jobs`, correlation),
      await partner.call('GET', `/accounts/${accountId}/jobs?limit=0`, correlation),
      await partner.call('GET', `/accounts/${randomUUID()}/jobs`, correlation),
      await service.call('GET', '/managed/health', correlation),
      await service.call('GET', '/managed/nothing', correlation),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 401, 404]);
    for (const { headers, body, status } of answers) {
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-svc-version': '2.0.59',
        'x-svc-api-version': 'v1',
        'x-svc-api-contract-version': 'v1',
        'x-svc-managed-contract-version': 'v1',
        'x-svc-request-id': body.request_id,
        'x-svc-correlation-id': 'order-4711:print',
        'cache-control': 'no-store',
      });
      const own = status < 300 ? ['code', 'data'] : ['code', 'message', 'retryable'];
      expect(Object.keys(body)).toEqual([...own, 'request_id', 'correlation_id']);
    }
    const invalid = await partner.call('GET', '/managed/health', {
      headers: { 'x-correlation-id': 'short' },
    });
    expect(invalid.headers.get('x-svc-correlation-id')).not.toBe('short');
  });

  it('reports health and capabilities', async () => {
    const health = await partner.call('GET', '/managed/health');
    expect(health.body.data).toEqual({
      status: 'ok',
      checks: { event_store: 'ok', read_store: 'ok', projections: 'ok' },
      time: service.clock.now(),
    });
    const { body } = await partner.call('GET', '/managed/capabilities');
    expect(body.data).toEqual({
      contract: 'svc_partner_capabilities_v1',
      environment: 'live',
      features: { webhooks: false, jobs: true, enrollment: true, printers: true },
      polling: { conditional_requests: true, max_wait_seconds: 25 },
      limits: expect.objectContaining({ request_body_bytes: 16_777_216, content_bytes: 10_485_760 }),
      content_types: ['text', 'pdf', 'raw'],
      versions: { product: '2.0.59', contract: 'v1', managed_contract: 'v1' },
    });
  });

  it('reports the limits of the contract', async () => {
    const { body } = await partner.call('GET', '/managed/capabilities');
    expect((body.data!.limits as { requests_per_minute: object }).requests_per_minute).toEqual({
      all: 900,
      provisionAccount: 60,
      deactivateAccount: 30,
      createEnrollment: 60,
      enrollDevice: 20,
      listDevices: 300,
      deactivateDevice: 60,
      listAccountPrinters: 300,
      updatePrinter: 120,
      createJob: 300,
      listJobs: 300,
      getJob: 600,
      explainJob: 300,
      listAccountChanges: 300,
      listManagedChanges: 300,
    });
  });

  it('documents conditional requests, waits, cursors and unique operation ids', async () => {
    const documents = await Promise.all(
      ['/openapi.json', '/managed/openapi.json', '/agent/openapi.json'].map((path) =>
        Conformance.of(service.url + path),
      ),
    );
    const ids = documents.flatMap((document) => [...document.operations().keys()]);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    const operations = documents[1]!.operations();
    expect(operations.size).toBe(17);
    for (const id of ['getJob', 'listJobs', 'listDevices', 'listAccountPrinters']) {
      const { operation } = operations.get(id)!;
      expect(operation.parameters.map(({ name }) => name)).toContain('If-None-Match');
      expect(operation.responses['304']!.headers).toHaveProperty('ETag');
      expect(operation.responses['200']!.headers).toHaveProperty('ETag');
    }
    const { operation } = operations.get('getJob')!;
    expect(operation.parameters.map(({ name }) => name)).toContain('Prefer');
    expect(operation.responses['200']!.headers).toHaveProperty('Preference-Applied');
  });
});
