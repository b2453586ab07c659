import { serviceForAll } from '../kit/service.js';
import { createJob, openAccount, TestAgent } from '../kit/world.js';
import { itemsOf, MINUTE, verdict } from './asking.js';

describe('accounts of the operator surface', () => {
  const service = serviceForAll();

  const operator = (method: string, path: string, json?: object) =>
    service.call(method, `/operator${path}`, { as: service.operatorToken, ...(json && { json }) });
  const getAccount = (key: string) => service.call('GET', '/svc-api-account', { as: key });

  it('opens an active, live account on the default plan', async () => {
    const { status, body } = await operator('POST', '/accounts', { name: 'Bäckerei Süß & Söhne' });
    expect(status).toBe(201);
    expect(body.code).toBe('OK');
    expect(body.data).toMatchObject({
      contract: 'svc_api_account_v1',
      name: 'Bäckerei Süß & Söhne',
      slug: expect.stringMatching(/^[a-z0-9]+(-[a-z0-9]+)*$/),
      status: 'active',
      environment_enabled: true,
      virtual_printers_only: false,
      plan: { jobs_per_month: null, max_content_bytes: 10_485_760, max_auto_retries: 3 },
    });
  });

  it('derives a unique slug for each account of the same name', async () => {
    const opened = await Promise.all(
      Array.from({ length: 8 }, () => operator('POST', '/accounts', { name: 'Twin' })),
    );
    const slugs = opened.map(({ body }) => String(body.data!.slug)).sort();
    expect(slugs).toEqual(['twin', 'twin-2', 'twin-3', 'twin-4', 'twin-5', 'twin-6', 'twin-7', 'twin-8']);
  });

  it('gives a requested slug to only one account', async () => {
    const wished = { name: 'First', slug: 'the-one' };
    expect((await operator('POST', '/accounts', wished)).body.data!.slug).toBe('the-one');
    expect(verdict(await operator('POST', '/accounts', wished))).toBe('409 SLUG_TAKEN');
    expect(verdict(await operator('POST', '/accounts', { name: 'X', slug: 'Not A Slug' }))).toBe(
      '400 INVALID_REQUEST',
    );
  });

  it('lists accounts newest first, with their total', async () => {
    const { accountId: older } = await openAccount(service);
    const { accountId: newer } = await openAccount(service);
    const listed = await operator('GET', '/accounts?limit=2');
    expect(itemsOf(listed).map((account) => account.account_id)).toEqual([newer, older]);
    expect(listed.body.data!.total).toBeGreaterThanOrEqual(2);
    const next = await operator('GET', '/accounts?limit=1&offset=1');
    expect(itemsOf(next).map((account) => account.account_id)).toEqual([older]);
  });

  it('shows one account and answers 404 for an unknown one', async () => {
    const { accountId } = await openAccount(service);
    expect((await operator('GET', `/accounts/${accountId.toUpperCase()}`)).body.data!.account_id).toBe(
      accountId,
    );
    for (const id of ['01990000-0000-7000-8000-00000000dead', 'nonsense']) {
      expect(verdict(await operator('GET', `/accounts/${id}`))).toBe('404 ACCOUNT_NOT_FOUND');
      expect(verdict(await operator('POST', `/accounts/${id}/suspend`))).toBe('404 ACCOUNT_NOT_FOUND');
    }
  });

  it('is shown to its key as in the contract, without the plan', async () => {
    const { accountId, key } = await openAccount(service, { name: 'Kiosk', slug: 'kiosk' });
    const { status, body } = await getAccount(key);
    expect(status).toBe(200);
    expect(body.code).toBe('SVC_OK');
    expect(body.data).toEqual({
      contract: 'svc_api_account_v1',
      account_id: accountId,
      name: 'Kiosk',
      slug: 'kiosk',
      status: 'active',
      environment_enabled: true,
      virtual_printers_only: false,
      created_at: service.clock.now(),
    });
  });

  describe('suspended', () => {
    it('reports its status and refuses everything else until resumed', async () => {
      const { accountId, key } = await openAccount(service);
      const { printerId } = await TestAgent.ready(service, accountId);
      await service.operate('POST', `/accounts/${accountId}/suspend`);
      expect((await getAccount(key)).body.data!.status).toBe('suspended');
      const list = () => service.call('GET', '/svc-api-printers', { as: key });
      expect(verdict(await list())).toBe('403 SVC_ACCOUNT_SUSPENDED');
      expect(verdict(await createJob(service, key, printerId))).toBe('403 SVC_ACCOUNT_SUSPENDED');
      await service.operate('POST', `/accounts/${accountId}/resume`);
      expect((await list()).status).toBe(200);
      expect((await createJob(service, key, printerId)).status).toBe(201);
    });

    it('gets no leases, but held jobs may finish', async () => {
      const { accountId, key } = await openAccount(service);
      const { agent, printerId } = await TestAgent.ready(service, accountId);
      await createJob(service, key, printerId);
      await createJob(service, key, printerId);
      const [held] = await agent.lease(1);
      await service.operate('POST', `/accounts/${accountId}/suspend`);
      expect(await agent.lease(1)).toEqual([]);
      expect((await agent.accept(held!)).status).toBe(200);
      expect((await agent.handoff(held!)).status).toBe(200);
      expect((await agent.report(held!, 'spooler_completed')).result).toBe('applied');
      await service.operate('POST', `/accounts/${accountId}/resume`);
      expect(await agent.lease(1)).toHaveLength(1);
    });

    it('keeps its timers running', async () => {
      const { accountId, key } = await openAccount(service);
      const { agent, printerId } = await TestAgent.ready(service, accountId);
      await createJob(service, key, printerId);
      await agent.lease(1);
      await service.operate('POST', `/accounts/${accountId}/suspend`);
      await service.advance(MINUTE);
      await service.operate('POST', `/accounts/${accountId}/resume`);
      const listed = await service.call('GET', '/svc-api-print-jobs?status=queued', { as: key });
      expect(listed.body.data!.total).toBe(1);
    });

    it('writes nothing when repeated', async () => {
      const { accountId } = await openAccount(service);
      for (const verb of ['suspend', 'suspend', 'resume', 'resume'])
        await service.operate('POST', `/accounts/${accountId}/${verb}`);
      const stream = await service.operate('GET', `/streams/account-${accountId}`);
      expect((stream.items as { type: string }[]).map(({ type }) => type)).toEqual([
        'AccountOpened',
        'AccountSuspended',
        'AccountResumed',
      ]);
    });
  });

  describe('with its environment switched off', () => {
    it('answers getAccount, and a non-retryable 503 for everything else', async () => {
      const { accountId, key } = await openAccount(service);
      await service.operate('POST', `/accounts/${accountId}/environment`, { enabled: false });
      expect((await getAccount(key)).body.data!.environment_enabled).toBe(false);
      for (const path of ['/svc-api-computers', '/svc-api-printers', '/svc-api-print-jobs']) {
        const refused = await service.call('GET', path, { as: key });
        expect(verdict(refused)).toBe('503 SVC_PUBLIC_API_DISABLED');
        expect(refused.body.retryable).toBe(false);
      }
      await service.operate('POST', `/accounts/${accountId}/environment`, { enabled: true });
      expect((await service.call('GET', '/svc-api-computers', { as: key })).status).toBe(200);
    });

    it('needs a boolean', async () => {
      const { accountId } = await openAccount(service);
      const path = `/accounts/${accountId}/environment`;
      for (const json of [{}, { enabled: 'off' }, { enabled: null }, { enabled: true, more: 1 }])
        expect(verdict(await operator('POST', path, json))).toBe('400 INVALID_REQUEST');
    });
  });

  describe('on a plan', () => {
    it('changes the named fields and keeps the rest', async () => {
      const { accountId } = await openAccount(service, { jobs_per_month: 10 });
      const plan = async (json: object) =>
        (await service.operate('POST', `/accounts/${accountId}/plan`, json)).plan;
      expect(await plan({ max_content_bytes: 500 })).toEqual({
        jobs_per_month: 10,
        max_content_bytes: 500,
        max_auto_retries: 3,
      });
      expect(await plan({ jobs_per_month: null, max_auto_retries: 10 })).toEqual({
        jobs_per_month: null,
        max_content_bytes: 500,
        max_auto_retries: 10,
      });
    });

    it.each([
      { jobs_per_month: -1 },
      { jobs_per_month: 1.5 },
      { max_content_bytes: 0 },
      { max_content_bytes: 10_485_761 },
      { max_auto_retries: 0 },
      { max_auto_retries: 11 },
      { price: 1 },
    ])('refuses %j and names the field', async (json) => {
      const { accountId } = await openAccount(service);
      const refused = await operator('POST', `/accounts/${accountId}/plan`, json);
      expect(verdict(refused)).toBe('400 INVALID_REQUEST');
      expect(refused.body.message).toContain(Object.keys(json)[0]);
    });
  });
});
