import { randomUUID } from 'node:crypto';
import { mintCredential } from '../../../src/kernel/credential.js';
import { serviceForAll } from '../../kit/service.js';
import { openAccount, TestAgent } from '../../kit/world.js';
import { MINUTE, verdict } from '../asking.js';

const ID = '01990000-0000-7000-8000-00000000dead';

type Row = readonly [operation: string, perMinute: number, method: string, path: string];

/** Limits of the contract, per minute; the documents of the other surfaces name theirs. */
const AGENT: readonly Row[] = [
  ['sessions', 600, 'POST', '/agent/sessions'],
  ['heartbeat', 600, 'POST', '/agent/heartbeat'],
  ['inventory', 20, 'PUT', '/agent/inventory'],
  ['leases', 600, 'POST', '/agent/leases'],
  ['content', 600, 'GET', `/agent/jobs/${ID}/content`],
  ['events', 600, 'POST', '/agent/events'],
];

describe('rate limits', () => {
  const service = serviceForAll({ env: { RATE_LIMIT_FACTOR: '1' } });
  let accountId: string;
  let key: string;
  let agent: TestAgent;
  beforeAll(async () => {
    ({ accountId, key } = await openAccount(service));
    agent = await TestAgent.enrol(service, accountId);
  });

  const ask = ([, , method, path]: Row, as: string) => {
    const body = method === 'GET' || path.endsWith('/test') ? {} : { json: {} };
    return service.call(method, path, { as, ...body });
  };
  const rateOf = ({ headers }: { headers: Headers }) =>
    ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)));

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
        { kind: 'live', scopes: ['diagnostics:read'] },
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
      const guesses = [made(randomUUID()), made(randomUUID()), key, 'svc_device_live_guess'];
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

describe('malformed enrolment tokens', () => {
  const service = serviceForAll({ env: { RATE_LIMIT_FACTOR: '1', TRUSTED_PROXIES: '127.0.0.1' } });
  const redeem = async (address: string) =>
    verdict(
      await service.call('POST', '/managed/enroll', {
        json: { enrollment_token: 'mistyped', installation_id: randomUUID() },
        headers: { 'x-forwarded-for': address },
      }),
    );

  it('are counted by address: one cannot use up the attempts of another', async () => {
    for (let n = 0; n < 20; n++) expect(await redeem('192.0.2.1')).toBe('401 ENROLLMENT_TOKEN_INVALID');
    expect(await redeem('192.0.2.1')).toBe('429 RATE_LIMIT_EXCEEDED');
    expect(await redeem('192.0.2.2')).toBe('401 ENROLLMENT_TOKEN_INVALID');
  });
});
