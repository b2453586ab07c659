import { randomUUID } from 'node:crypto';
import { TestPartner } from '../kit/partner.js';
import { serviceForAll } from '../kit/service.js';
import { TestAgent } from '../kit/world.js';

describe('accounts of a partner', () => {
  const service = serviceForAll();
  let partner: TestPartner;
  beforeAll(async () => {
    partner = await TestPartner.open(service);
  });

  const eventsOf = async (stream: string) =>
    (await service.stores.events.load(stream)).map(({ type }) => type);

  describe('provisioning', () => {
    it('opens an account with both names of the customer', async () => {
      const { status, body } = await partner.provision('customer-1', 'Bakery Smith');
      expect(status).toBe(200);
      expect(body.code).toBe('ACCOUNT_PROVISIONED');
      expect(body.data).toEqual({
        contract: 'svc_partner_account_v1',
        account_id: expect.any(String),
        external_id: 'customer-1',
        partner: partner.partner,
        display_name: 'Bakery Smith',
        status: 'active',
        created_at: service.clock.now(),
      });
    });

    it('creates one account for 50 concurrent identical requests', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => partner.provision('customer-50')));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
      const ids = new Set(answers.map(({ body }) => body.data!.account_id));
      expect(ids.size).toBe(1);
      expect(await eventsOf(`account-${[...ids][0]}`)).toEqual(['AccountOpened']);
    });

    it('renames only on a repeat with another name', async () => {
      const first = await partner.provision('customer-2', 'Bakery Smith');
      await partner.provision('customer-2', 'Bakery Smith');
      const { body } = await partner.provision('customer-2', 'Bakery Smith & Daughter');
      expect(body.data).toMatchObject({
        account_id: first.body.data!.account_id,
        display_name: 'Bakery Smith & Daughter',
      });
      expect(await eventsOf(`account-${body.data!.account_id}`)).toEqual(['AccountOpened', 'AccountRenamed']);
    });

    it('creates separate accounts for two partners with the same external id', async () => {
      const other = await TestPartner.open(service);
      const [mine, theirs] = await Promise.all([partner.provision('shared'), other.provision('shared')]);
      expect(mine.body.data!.account_id).not.toBe(theirs.body.data!.account_id);
    });

    it.each([
      [{ external_id: 'x' }, 'display_name'],
      [{ display_name: 'Bakery' }, 'external_id'],
      [{ external_id: '', display_name: 'Bakery' }, 'external_id'],
      [{ external_id: 'x'.repeat(161), display_name: 'Bakery' }, 'external_id'],
      [{ external_id: 'x', display_name: 'B' }, 'display_name'],
      [{ external_id: 'x', display_name: 'B'.repeat(121) }, 'display_name'],
      [{ external_id: 'x\n', display_name: 'Bakery' }, 'external_id'],
      [{ external_id: 'x', display_name: 'Bakery', colour: 'red' }, 'colour'],
    ])('refuses %j and names the field', async (json, field) => {
      const { status, body } = await partner.call('POST', '/accounts', { json });
      expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(body.message).toContain(field);
    });

    it('accepts names of the maximum length', async () => {
      expect((await partner.provision('x'.repeat(160), '😀'.repeat(120))).status).toBe(200);
      expect((await partner.provision('y', 'ab')).status).toBe(200);
    });
  });

  describe('deactivating', () => {
    it('closes the account permanently; a repeat gets the same answer without a new event', async () => {
      const { body } = await partner.provision('leaving');
      const path = `/accounts/${body.data!.account_id}/deactivate`;
      const closed = await partner.call('POST', path);
      expect([closed.status, closed.body.code]).toEqual([200, 'ACCOUNT_DEACTIVATED']);
      expect(closed.body.data).toEqual({ ...body.data, status: 'closed' });
      const again = await partner.call('POST', path, { json: { reason: 'once more' } });
      expect([again.status, again.body.data]).toEqual([200, closed.body.data]);
      const events = await service.stores.events.load(`account-${body.data!.account_id}`);
      expect(events.filter(({ type }) => type === 'AccountClosed').map(({ data }) => data)).toEqual([
        { reason: 'deactivated by the partner' },
      ]);
      const provisioned = await partner.provision('leaving');
      expect([provisioned.status, provisioned.body.code]).toEqual([409, 'ACCOUNT_CLOSED']);
    });

    it('stores the given reason of 1 to 500 characters', async () => {
      const accountId = await partner.account();
      const path = `/accounts/${accountId}/deactivate`;
      for (const reason of ['', 'x'.repeat(501), 7])
        expect((await partner.call('POST', path, { json: { reason } })).status).toBe(400);
      await partner.call('POST', path, { json: { reason: 'x' } });
      const events = await service.stores.events.load(`account-${accountId}`);
      expect(events.at(-1)!.data).toEqual({ reason: 'x' });
    });

    it('keeps reads, refuses writes, and ends tokens, devices and waiting jobs', async () => {
      const accountId = await partner.account();
      const { agent, printerId } = await TestAgent.ready(service, accountId);
      const enrolment = await partner.call('POST', `/accounts/${accountId}/enrollments`);
      const key = randomUUID();
      const job = await partner.print(accountId, printerId, {}, key);
      const jobPath = `/accounts/${accountId}/jobs/${job.body.data!.job_id}`;
      await partner.call('POST', `/accounts/${accountId}/deactivate`);
      await service.advance(1_000);

      expect(await partner.list(`/accounts/${accountId}/devices`)).toHaveLength(1);
      expect(await partner.list(`/accounts/${accountId}/printers`)).toHaveLength(1);
      expect(await partner.list(`/accounts/${accountId}/jobs`)).toHaveLength(1);
      const cancelled = await partner.call('GET', jobPath);
      expect(cancelled.body.data).toMatchObject({ status: 'failed', raw_status: 'cancelled' });

      const device = `/accounts/${accountId}/devices/${agent.computerId}/deactivate`;
      const printer = `/accounts/${accountId}/printers/${printerId}`;
      const writes = [
        await partner.print(accountId, printerId),
        await partner.call('POST', `/accounts/${accountId}/enrollments`),
        await partner.call('POST', device),
        await partner.call('PATCH', printer, { json: { enabled: false } }),
      ];
      for (const { status, body } of writes) expect([status, body.code]).toEqual([409, 'ACCOUNT_CLOSED']);

      const replay = await partner.print(accountId, printerId, {}, key);
      expect([replay.status, replay.body.code]).toEqual([200, 'JOB_IDEMPOTENT_REPLAY']);
      const json = { enrollment_token: enrolment.body.data!.enrollment_token, installation_id: randomUUID() };
      const enrol = await service.call('POST', '/managed/enroll', { json });
      expect([enrol.status, enrol.body.code]).toEqual([401, 'ENROLLMENT_TOKEN_INVALID']);
    });
  });

  it('allows reads and deactivation for a suspended account, but no new jobs', async () => {
    const { body } = await partner.provision('suspended');
    const accountId = String(body.data!.account_id);
    const { agent, printerId } = await TestAgent.ready(service, accountId);
    await service.operate('POST', `/accounts/${accountId}/suspend`);
    expect((await partner.provision('suspended')).body.data).toMatchObject({ status: 'suspended' });
    expect(await partner.list(`/accounts/${accountId}/devices`)).toHaveLength(1);
    const orders = [
      await partner.print(accountId, printerId),
      await partner.call('POST', `/accounts/${accountId}/enrollments`),
      await partner.call('PATCH', `/accounts/${accountId}/printers/${printerId}`, {
        json: { enabled: true },
      }),
    ];
    for (const answer of orders)
      expect([answer.status, answer.body.code]).toEqual([403, 'SVC_ACCOUNT_SUSPENDED']);
    const device = `/accounts/${accountId}/devices/${agent.computerId}/deactivate`;
    expect((await partner.call('POST', device)).status).toBe(200);
    expect((await partner.call('POST', `/accounts/${accountId}/deactivate`)).status).toBe(200);
  });

  describe('enrolling', () => {
    it('creates a token that enrols one computer once', async () => {
      const accountId = await partner.account();
      const { status, body } = await partner.call('POST', `/accounts/${accountId}/enrollments`);
      expect([status, body.code]).toEqual([201, 'ENROLLMENT_CREATED']);
      expect(body.data).toEqual({
        enrollment_id: expect.any(String),
        enrollment_token: expect.stringMatching(/^svc_enroll_live_/),
        expires_at: service.fromNow(600_000),
        account_id: accountId,
      });
      const redeem = (installation_id: string) =>
        service.call('POST', '/managed/enroll', {
          json: { enrollment_token: body.data!.enrollment_token, installation_id, display_name: 'Till' },
        });
      const enrolled = await redeem(randomUUID());
      expect([enrolled.status, enrolled.body.code]).toEqual([200, 'DEVICE_ENROLLED']);
      expect(enrolled.body.data).toMatchObject({ account_id: accountId });
      expect((await redeem(randomUUID())).body.code).toBe('ENROLLMENT_TOKEN_INVALID');
      const [device] = await partner.list(`/accounts/${accountId}/devices`);
      expect(device).toMatchObject({ device_id: enrolled.body.data!.device_id, display_name: 'Till' });
    });

    it.each([60, 1800])('accepts a lifetime of %d seconds', async (ttl_seconds) => {
      const accountId = await partner.account();
      const path = `/accounts/${accountId}/enrollments`;
      const { body } = await partner.call('POST', path, { json: { ttl_seconds } });
      await service.advance(ttl_seconds * 1000);
      const json = { enrollment_token: body.data!.enrollment_token, installation_id: randomUUID() };
      expect((await service.call('POST', '/managed/enroll', { json })).status).toBe(401);
    });

    it.each([59, 1801, 60.5, '600', null])('refuses a lifetime of %j seconds', async (ttl_seconds) => {
      const accountId = await partner.account();
      const path = `/accounts/${accountId}/enrollments`;
      expect((await partner.call('POST', path, { json: { ttl_seconds } })).status).toBe(400);
    });
  });
});
