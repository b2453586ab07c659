import { serviceForAll } from '../kit/service.js';
import { openAccount, TestAgent } from '../kit/world.js';
import { DAY, itemsOf, verdict } from './asking.js';

const ALLOWED = '200 OK';
const REFUSED = '401 CREDENTIAL_INVALID';

describe('renewing a device credential', () => {
  const service = serviceForAll();
  let accountId: string;
  let key: string;
  let agent: TestAgent;
  beforeEach(async () => {
    ({ accountId, key } = await openAccount(service));
    agent = await TestAgent.enrol(service, accountId);
    await agent.start();
  });

  const renewed = async (as = agent.credential) => {
    const answered = await agent.call('POST', '/credential', { as, json: {} });
    expect(verdict(answered)).toBe(ALLOWED);
    return answered.body.data as { device_credential: string; credential_expires_at: string };
  };
  const heartbeat = async (as: string) =>
    agent.call('POST', '/heartbeat', { as, json: { session_id: agent.sessionId, leases: [] } });
  const verdictOf = async (as: string) => verdict(await heartbeat(as));
  const expiry = async () => {
    const [listed] = (await service.operate('GET', `/accounts/${accountId}/computers`)).items as object[];
    const shown = await service.operate('GET', `/computers/${agent.computerId}`);
    expect(listed).toMatchObject({ credential_expires_at: shown.credential_expires_at });
    return shown.credential_expires_at;
  };
  const stored = async (type: string) => {
    const { items } = await service.operate('GET', `/streams/computer-${agent.computerId}`);
    return (items as { type: string; data: object }[]).filter((event) => event.type === type);
  };

  it('is refused until 30 days before the end, when heartbeats start to request it', async () => {
    await service.advance(150 * DAY - 1);
    expect(verdict(await agent.call('POST', '/credential', { json: {} }))).toBe('409 CREDENTIAL_NOT_DUE');
    expect((await agent.heartbeat()).body.data).not.toHaveProperty('renew_credential');
    await service.advance(1);
    expect((await agent.heartbeat()).body.data).toMatchObject({ renew_credential: true });
    expect((await renewed()).credential_expires_at).toBe(service.fromNow(180 * DAY));
  });

  it('keeps the old credential valid until the new one is first used', async () => {
    const before = service.fromNow(180 * DAY);
    await service.advance(150 * DAY);
    const { device_credential: fresh, credential_expires_at } = await renewed();
    expect(await verdictOf(agent.credential)).toBe(ALLOWED);
    expect(await expiry()).toBe(before);

    const answers = await Promise.all(Array.from({ length: 3 }, () => heartbeat(fresh)));
    expect(answers.map(verdict)).toEqual([ALLOWED, ALLOWED, ALLOWED]);
    expect(await verdictOf(agent.credential)).toBe(REFUSED);
    expect(await verdictOf(fresh)).toBe(ALLOWED);
    expect(await expiry()).toBe(credential_expires_at);
    expect(await stored('DeviceCredentialReplaced')).toHaveLength(1);
    expect(itemsOf(await service.call('GET', '/svc-api-computers', { as: key }))[0]).toMatchObject({
      status: 'online',
    });
  });

  it('replaces an unused one by another when it is repeated', async () => {
    await service.advance(151 * DAY);
    const lost = await renewed();
    const fresh = await renewed();
    expect(await verdictOf(lost.device_credential)).toBe(REFUSED);
    expect(await verdictOf(agent.credential)).toBe(ALLOWED);
    expect(await verdictOf(fresh.device_credential)).toBe(ALLOWED);
  });

  it('keeps the agent working at day 181, and ends a credential without renewal', async () => {
    const idle = await TestAgent.enrol(service, accountId);
    await service.advance(160 * DAY);
    const { device_credential: fresh } = await renewed();
    await service.advance(21 * DAY);
    expect(await verdictOf(fresh)).toBe(ALLOWED);
    expect(await verdictOf(idle.credential)).toBe(REFUSED);
    await service.advance(160 * DAY);
    expect(await verdictOf(fresh)).toBe(REFUSED);
  });

  it('ends with a revocation and with a new enrolment', async () => {
    await service.advance(150 * DAY);
    const { device_credential: fresh } = await renewed();
    await TestAgent.enrol(service, accountId, agent.installationId);
    expect(await verdictOf(fresh)).toBe(REFUSED);
    const other = await TestAgent.enrol(service, accountId);
    await service.advance(150 * DAY);
    const { device_credential: second } = await renewed(other.credential);
    await service.operate('POST', `/computers/${other.computerId}/revoke`);
    expect(await verdictOf(second)).toBe(REFUSED);
  });

  it('stores only the hash', async () => {
    await service.advance(150 * DAY);
    const { device_credential: fresh } = await renewed();
    const [event] = await stored('DeviceCredentialRenewed');
    expect(JSON.stringify(event)).not.toContain(fresh);
    expect(event!.data).toEqual({
      credentialHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      credentialExpiresAt: service.fromNow(180 * DAY),
    });
  });
});
