import { randomUUID } from 'node:crypto';
import { mintCredential } from '../../../src/kernel/credential.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { openAccount, TestAgent } from '../../kit/world.js';
import { MINUTE, SECOND, verdict } from '../asking.js';

const ID = '01990000-0000-7000-8000-00000000dead';

type Row = readonly [operation: string, perMinute: number, method: string, path: string];

/** Limits of the contract, per minute. */
const INTEGRATION: readonly Row[] = [
  ['getAccount', 120, 'GET', '/svc-api-account'],
  ['listComputers', 120, 'GET', '/svc-api-computers'],
  ['listPrinters', 120, 'GET', '/svc-api-printers'],
  ['listPrintJobs', 120, 'GET', '/svc-api-print-jobs'],
  ['getPrintJob', 120, 'GET', `/svc-api-print-jobs/${ID}`],
  ['testPrinter', 20, 'POST', `/svc-api-printers/${ID}/test`],
  ['createPrintJob', 60, 'POST', '/svc-api-print-jobs'],
  ['createPrintJobs', 60, 'POST', '/svc-api-print-jobs/batch'],
  ['cancelPrintJob', 60, 'POST', `/svc-api-print-jobs/${ID}/cancel`],
  ['retryPrintJob', 60, 'POST', `/svc-api-print-jobs/${ID}/retry`],
  ['listWebhooks', 120, 'POST', '/svc-list-webhooks'],
  ['createWebhook', 30, 'POST', '/svc-create-webhook'],
  ['updateWebhook', 60, 'POST', '/svc-update-webhook'],
  ['deleteWebhook', 60, 'POST', '/svc-delete-webhook'],
  ['testWebhook', 30, 'POST', '/svc-test-webhook'],
  ['retryWebhookDelivery', 30, 'POST', '/svc-retry-webhook'],
  ['listWebhookDeliveries', 120, 'POST', '/svc-list-webhook-deliveries'],
  ['recoverWebhook', 30, 'POST', '/svc-recover-webhook'],
];

const PARTNER: readonly Row[] = [
  ['health', 120, 'GET', '/managed/health'],
  ['capabilities', 120, 'GET', '/managed/capabilities'],
  ['account provisioning', 60, 'POST', '/accounts'],
  ['account deactivation', 30, 'POST', `/accounts/${ID}/deactivate`],
  ['enrollment creation', 60, 'POST', `/accounts/${ID}/enrollments`],
  ['device list', 300, 'GET', `/accounts/${ID}/devices`],
  ['device deactivation', 60, 'POST', `/accounts/${ID}/devices/${ID}/deactivate`],
  ['printer list', 300, 'GET', `/accounts/${ID}/printers`],
  ['printer update', 120, 'PATCH', `/accounts/${ID}/printers/${ID}`],
  ['job creation', 300, 'POST', `/accounts/${ID}/jobs`],
  ['job list', 300, 'GET', `/accounts/${ID}/jobs`],
  ['job detail', 600, 'GET', `/accounts/${ID}/jobs/${ID}`],
];

const AGENT: readonly Row[] = [
  ['sessions', 600, 'POST', '/agent/sessions'],
  ['heartbeat', 600, 'POST', '/agent/heartbeat'],
  ['inventory', 20, 'PUT', '/agent/inventory'],
  ['leases', 600, 'POST', '/agent/leases'],
  ['content', 600, 'GET', `/agent/jobs/${ID}/content`],
  ['events', 600, 'POST', '/agent/events'],
];

const PARTNER_SCOPES = [
  'diagnostics:read',
  'accounts:write',
  'devices:read',
  'devices:write',
  'printers:read',
  'printers:write',
  'jobs:read',
  'jobs:write',
];

describe('rate limits', () => {
  let service: TestService;
  let accountId: string;
  let key: string;
  let partner: string;
  let agent: TestAgent;
  beforeAll(async () => {
    service = await startTestService({ env: { RATE_LIMIT_FACTOR: '1' } });
    ({ accountId, key } = await openAccount(service));
    agent = await TestAgent.enrol(service, accountId);
    const { partner_id } = await service.operate('POST', '/partners', { name: 'Till Systems' });
    const made = await service.operate('POST', `/partners/${String(partner_id)}/credentials`, {
      kind: 'live',
      scopes: PARTNER_SCOPES,
    });
    partner = String(made.credential);
  });
  afterAll(() => service.close());

  const ask = ([, , method, path]: Row, as: string) => {
    const body = method === 'GET' || path.endsWith('/test') ? {} : { json: {} };
    return service.call(method, path, { as, ...body });
  };
  const rateOf = ({ headers }: { headers: Headers }) =>
    ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)));

  it.each(INTEGRATION)('%s: %d a minute', async (...row) => {
    expect(rateOf(await ask(row, key))).toEqual([row[1], row[1] - 1, 60]);
  });

  it.each(PARTNER)('Partner %s: %d a minute', async (...row) => {
    expect(rateOf(await ask(row, partner))).toEqual([row[1], row[1] - 1, 60]);
  });

  it.each(AGENT)('Agent %s: %d a minute over all', async (...row) => {
    const [limit, remaining] = rateOf(await ask(row, agent.credential));
    expect(limit).toBe(row[1]);
    expect(remaining).toBeLessThan(600);
  });

  it('device enrollment: 20 a minute for each token', async () => {
    const token = async () =>
      (await service.operate('POST', `/accounts/${accountId}/enrollments`, {})).enrollment_token;
    const redeem = (enrollment_token: unknown) =>
      service.call('POST', '/managed/enroll', {
        json: { enrollment_token, installation_id: randomUUID() },
      });
    const used = await token();
    expect(rateOf(await redeem(used))).toEqual([20, 19, 60]);
    for (let n = 1; n < 20; n++) await redeem(used);
    expect(verdict(await redeem(used))).toBe('429 RATE_LIMIT_EXCEEDED');
    expect((await redeem(await token())).status).toBe(200);
  });

  it('answers 429 with Retry-After above the limit, only for that key and operation', async () => {
    const second = String(
      (
        await service.operate('POST', `/accounts/${accountId}/keys`, {
          scopes: ['printers:read', 'jobs:create', 'account:read'],
        })
      ).api_key,
    );
    const path = `/svc-api-printers/${ID}/test`;
    const test = (as: string) => service.call('POST', path, { as });
    for (let n = 0; n < 20; n++) expect((await test(second)).status).toBe(404);
    await service.advance(20 * SECOND);
    const refused = await test(second);
    expect(verdict(refused)).toBe('429 RATE_LIMIT_EXCEEDED');
    expect(refused.body).toMatchObject({ contract: 'svc_api_error_v1', status: 429, retryable: true });
    expect(rateOf(refused)).toEqual([20, 0, 40]);
    expect(refused.headers.get('retry-after')).toBe('40');
    expect((await service.call('GET', '/svc-api-account', { as: second })).status).toBe(200);
    expect((await test(key)).status).toBe(404);
    await service.advance(40 * SECOND);
    expect((await test(second)).status).toBe(404);
  });

  it('refuses more than 60 failed authentications a minute from one address, but not valid keys', async () => {
    await service.advance(MINUTE);
    const guess = () => service.call('GET', '/svc-api-account', { as: 'svc_live_guess' });
    for (let n = 0; n < 60; n++) expect((await guess()).status).toBe(401);
    expect(verdict(await guess())).toBe('429 RATE_LIMIT_EXCEEDED');
    expect((await service.call('GET', '/svc-api-account', { as: key })).status).toBe(200);
    await service.advance(MINUTE);
    expect((await guess()).status).toBe(401);
  });

  describe('from an address with too many failures', () => {
    const made = (id: string) => mintCredential('svc_device_live_', id, new Uint8Array(32).fill(9));
    const heartbeat = (as: string) =>
      service.call('POST', '/agent/heartbeat', { as, json: { session_id: ID, leases: [] } });
    const revoked = async () => {
      const agent = await TestAgent.enrol(service, accountId);
      await service.operate('POST', `/computers/${agent.computerId}/revoke`, {});
      return agent;
    };
    beforeEach(async () => {
      await service.advance(MINUTE);
      for (let n = 0; n < 60; n++) await heartbeat(made(ID));
      expect(verdict(await heartbeat(made(ID)))).toBe('429 RATE_LIMIT_EXCEEDED');
    });

    it('still answers 401 to a revoked agent', async () => {
      const answered = await heartbeat((await revoked()).credential);
      expect(verdict(answered)).toBe('401 CREDENTIAL_INVALID');
      expect(rateOf(answered)).toEqual([60, 59, 60]);
    });

    it('still answers 401 to revoked API keys and Partner credentials', async () => {
      const { key_id, api_key } = await service.operate('POST', `/accounts/${accountId}/keys`, {
        scopes: ['account:read'],
      });
      await service.operate('POST', `/keys/${String(key_id)}/revoke`, {});
      const { partner_id } = await service.operate('POST', '/partners', { name: 'Tills' });
      const { credential_id, credential } = await service.operate(
        'POST',
        `/partners/${String(partner_id)}/credentials`,
        { kind: 'live', scopes: PARTNER_SCOPES },
      );
      await service.operate('POST', `/credentials/${String(credential_id)}/revoke`, {});
      expect((await service.call('GET', '/svc-api-account', { as: String(api_key) })).status).toBe(401);
      expect((await service.call('GET', '/managed/health', { as: String(credential) })).status).toBe(401);
    });

    it('answers 429 above 60 failures a minute of one credential', async () => {
      const { credential } = await revoked();
      for (let n = 0; n < 60; n++) expect((await heartbeat(credential)).status).toBe(401);
      const refused = await heartbeat(credential);
      expect(verdict(refused)).toBe('429 RATE_LIMIT_EXCEEDED');
      expect(refused.headers.get('retry-after')).toBe('60');
      expect((await heartbeat((await revoked()).credential)).status).toBe(401);
      await service.advance(MINUTE);
      expect((await heartbeat(credential)).status).toBe(401);
    });

    it('answers 429 to well-formed credentials without a record and to those of another surface', async () => {
      const guesses = [made(randomUUID()), made(randomUUID()), key, partner, 'svc_device_live_guess'];
      for (const guess of guesses) expect((await heartbeat(guess)).status).toBe(429);
    });

    it('counts guesses at the secret of one record together', async () => {
      const { computerId } = await revoked();
      const guesses = Array.from({ length: 61 }, (_, n) =>
        mintCredential('svc_device_live_', computerId, new Uint8Array(32).fill(n)),
      );
      const statuses = [];
      for (const guess of guesses) statuses.push((await heartbeat(guess)).status);
      expect(statuses).toEqual([...Array<number>(60).fill(401), 429]);
    });
  });
});
