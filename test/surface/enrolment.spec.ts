import { randomUUID } from 'node:crypto';
import type { NewEvent } from '../../src/event-sourcing/ports/event-store.port.js';
import { UnavailableError } from '../../src/kernel/errors.js';
import { metadata } from '../kit/recorded.js';
import { serviceForAll } from '../kit/service.js';
import { openAccount, TestAgent } from '../kit/world.js';
import { DAY, itemsOf, MINUTE, verdict } from './asking.js';

interface Token {
  readonly enrollment_id: string;
  readonly enrollment_token: string;
  readonly expires_at: string;
}

describe('enrolling a computer', () => {
  const service = serviceForAll();
  let accountId: string;
  let key: string;
  beforeEach(async () => {
    ({ accountId, key } = await openAccount(service));
  });

  const newToken = async (json: object = {}) =>
    (await service.operate('POST', `/accounts/${accountId}/enrollments`, json)) as unknown as Token;
  const redeem = (token: Token, installation_id: string = randomUUID(), more: object = {}) => {
    const json = { enrollment_token: token.enrollment_token, installation_id, ...more };
    return service.call('POST', '/managed/enroll', { json });
  };
  const computers = async () => itemsOf(await service.call('GET', '/svc-api-computers', { as: key }));

  it('returns everything an agent needs to start', async () => {
    const { status, body, headers } = await redeem(await newToken(), randomUUID(), {
      display_name: 'Front desk',
      hostname: 'DESK-1',
      operating_system: 'Windows 11',
      agent_version: '1.2.3',
    });
    expect(status).toBe(200);
    expect(body.code).toBe('DEVICE_ENROLLED');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.data).toEqual({
      device_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      account_id: accountId,
      friendly_code: expect.stringMatching(/^PC-[0-9A-F]{8}$/),
      device_credential: expect.stringMatching(/^svc_device_live_[0-9A-Za-z]{43,}$/),
      credential_expires_at: service.fromNow(180 * DAY),
      agent: { base_url: service.url, poll_wait_seconds: 25, heartbeat_seconds: 20 },
    });
    expect(await computers()).toEqual([
      expect.objectContaining({
        computer_id: body.data!.device_id,
        name: 'Front desk',
        hostname: 'DESK-1',
        operating_system: 'Windows 11',
        agent_version: '1.2.3',
        status: 'pending',
      }),
    ]);
  });

  it('names the computer by display name, else hostname, else code', async () => {
    await redeem(await newToken());
    await redeem(await newToken(), randomUUID(), { hostname: 'HOST-2' });
    const [second, first] = await computers();
    expect(first!.name).toBe(first!.friendly_code);
    expect(second!.name).toBe('HOST-2');
  });

  it('gives the same installation its computer again and revokes the old credential', async () => {
    const installation = randomUUID();
    const agent = await TestAgent.enrol(service, accountId, installation);
    await agent.start();
    const again = await TestAgent.enrol(service, accountId, installation.toUpperCase());
    expect(again.computerId).toBe(agent.computerId);
    expect(verdict(await agent.heartbeat())).toBe('401 CREDENTIAL_INVALID');
    expect((await again.start()).session_id).toBeDefined();
    expect(await computers()).toHaveLength(1);
  });

  it('separates installations of different accounts', async () => {
    const installation = randomUUID();
    const here = await TestAgent.enrol(service, accountId, installation);
    const elsewhere = await openAccount(service);
    const there = await TestAgent.enrol(service, elsewhere.accountId, installation);
    expect(there.computerId).not.toBe(here.computerId);
  });

  it('brings a revoked computer back as pending', async () => {
    const installation = randomUUID();
    const agent = await TestAgent.enrol(service, accountId, installation);
    await agent.start();
    await service.operate('POST', `/computers/${agent.computerId}/revoke`);
    expect(verdict(await agent.heartbeat())).toBe('401 CREDENTIAL_INVALID');
    const again = await TestAgent.enrol(service, accountId, installation);
    expect(await computers()).toEqual([
      expect.objectContaining({ computer_id: agent.computerId, status: 'pending' }),
    ]);
    await again.start();
    expect((await computers())[0]!.status).toBe('online');
  });

  it('accepts exactly one of 1,000 concurrent redemptions', async () => {
    const token = await newToken();
    const answers = await Promise.all(Array.from({ length: 1000 }, () => redeem(token)));
    const verdicts = answers.map(verdict).sort();
    expect(verdicts[0]).toBe('200 DEVICE_ENROLLED');
    expect(new Set(verdicts.slice(1))).toEqual(new Set(['401 ENROLLMENT_TOKEN_INVALID']));
    expect(await computers()).toHaveLength(1);
  });

  it('accepts one of 100 concurrent redemptions by one installation', async () => {
    const token = await newToken();
    const installation = randomUUID();
    const answers = await Promise.all(Array.from({ length: 100 }, () => redeem(token, installation)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await computers()).toHaveLength(1);
  });

  it('is answered while no read model can be read, because the token is used', async () => {
    const token = await newToken();
    const { views } = service.stores;
    const { get } = views;
    views.get = () => Promise.reject(new UnavailableError('the views are away', 'not_written'));
    const { status, body } = await redeem(token);
    Object.assign(views, { get });
    expect([status, body.data?.account_id]).toEqual([200, accountId]);
  });

  it('accepts a token only once', async () => {
    const token = await newToken();
    const installation = randomUUID();
    expect((await redeem(token, installation)).status).toBe(200);
    for (const again of [installation, randomUUID()])
      expect(verdict(await redeem(token, again))).toBe('401 ENROLLMENT_TOKEN_INVALID');
  });

  it('rejects an expired token', async () => {
    const token = await newToken({ ttl: 60 });
    expect(token.expires_at).toBe(service.fromNow(MINUTE));
    const twin = await newToken({ ttl: 60 });
    await service.advance(MINUTE - 1);
    expect((await redeem(twin)).status).toBe(200);
    await service.advance(1);
    expect(verdict(await redeem(token))).toBe('401 ENROLLMENT_TOKEN_INVALID');
  });

  it('creates tokens for 60 to 1800 seconds, 600 by default', async () => {
    expect((await newToken()).expires_at).toBe(service.fromNow(10 * MINUTE));
    expect((await newToken({ ttl: 1800 })).expires_at).toBe(service.fromNow(30 * MINUTE));
    for (const ttl of [59, 1801, '600', 60.5]) {
      const call = { as: service.operatorToken, json: { ttl } };
      const refused = await service.call('POST', `/operator/accounts/${accountId}/enrollments`, call);
      expect(verdict(refused)).toBe('400 INVALID_REQUEST');
    }
  });

  it('answers the same 401 for an unknown, malformed or mistyped token', async () => {
    const token = await newToken();
    const mistyped = token.enrollment_token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    for (const enrollment_token of ['x', mistyped, key, `svc_enroll_live_${'0'.repeat(70)}`])
      expect(verdict(await redeem({ ...token, enrollment_token }))).toBe('401 ENROLLMENT_TOKEN_INVALID');
    expect((await redeem(token)).status).toBe(200);
  });

  it.each([
    ['installation_id', 'not-a-uuid'],
    ['display_name', 'x'.repeat(121)],
    ['hostname', 'x'.repeat(256)],
    ['operating_system', 'x'.repeat(121)],
    ['agent_version', 'x'.repeat(41)],
    ['enrollment_token', 7],
    ['colour', 'blue'],
  ])('names a wrong %s and keeps the token valid', async (field, value) => {
    const token = await newToken();
    const refused = await redeem(token, randomUUID(), { [field]: value });
    expect(verdict(refused)).toBe('400 INVALID_REQUEST');
    expect(refused.body.message).toContain(field);
    expect((await redeem(token)).status).toBe(200);
  });

  describe('after a crash between the token and the computer', () => {
    /** State after a redeem that crashed after claiming the token. */
    const halfRedeemed = async (token: Token, installationId: string) => {
      const computerId = randomUUID();
      const claimed: NewEvent = {
        id: randomUUID(),
        type: 'EnrollmentClaimed',
        data: { installationId, computerId },
        metadata,
      };
      const stream = `enrollment-${token.enrollment_id}`;
      await service.stores.events.append({ stream, expected: 0, events: [claimed] });
      return computerId;
    };

    it('is completed once by the same installation', async () => {
      const token = await newToken();
      const installation = randomUUID();
      const computerId = await halfRedeemed(token, installation);
      const healed = await redeem(token, installation);
      expect(healed.status).toBe(200);
      expect(healed.body.data!.device_id).toBe(computerId);
      expect(verdict(await redeem(token, installation))).toBe('401 ENROLLMENT_TOKEN_INVALID');
    });

    it('cannot be completed by another installation', async () => {
      const token = await newToken();
      const installation = randomUUID();
      await halfRedeemed(token, installation);
      expect(verdict(await redeem(token))).toBe('401 ENROLLMENT_TOKEN_INVALID');
      expect((await redeem(token, installation)).status).toBe(200);
    });
  });

  it('rejects a device credential after 180 days', async () => {
    const agent = await TestAgent.enrol(service, accountId);
    await agent.start();
    await service.advance(180 * DAY);
    expect(verdict(await agent.heartbeat())).toBe('401 CREDENTIAL_INVALID');
  });
});
