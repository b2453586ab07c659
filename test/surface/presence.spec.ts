import { sceneForEach } from '../kit/job-scene.js';
import { serviceForAll, startTestService } from '../kit/service.js';
import { openAccount, TestAgent } from '../kit/world.js';
import { itemsOf, SECOND, verdict } from './asking.js';

describe('presence of a computer', () => {
  const service = serviceForAll();
  const scene = sceneForEach(service);

  const first = async (path: string) => itemsOf(await service.call('GET', path, { as: scene.key }))[0]!;
  const statuses = async () => [
    (await first('/svc-api-computers')).status,
    (await first('/svc-api-printers')).status,
  ];
  const operate = (verb: string) =>
    service.call('POST', `/operator/computers/${scene.agent.computerId}/${verb}`, {
      as: service.operatorToken,
    });
  const storedTypes = async () => {
    const stream = await service.operate('GET', `/streams/computer-${scene.agent.computerId}`);
    return (stream.items as { type: string }[]).map(({ type }) => type);
  };

  it('shows it online while its agent calls, and offline 90 seconds after the last call', async () => {
    expect(await statuses()).toEqual(['online', 'online']);
    await service.advance(89 * SECOND);
    await scene.agent.heartbeat();
    await service.advance(90 * SECOND - 1);
    expect(await statuses()).toEqual(['online', 'online']);
    await service.advance(1);
    expect(await statuses()).toEqual(['offline', 'offline']);
  });

  it('counts every call as a heartbeat, even a refused one', async () => {
    await service.advance(80 * SECOND);
    expect((await scene.agent.call('POST', '/events', { json: {} })).status).toBe(400);
    await service.advance(80 * SECOND);
    expect(await statuses()).toEqual(['online', 'online']);
  });

  it('shows it online again after any call', async () => {
    await service.advance(90 * SECOND);
    expect(verdict(await scene.submit())).toBe('409 SVC_PRINTER_NOT_READY');
    await scene.agent.heartbeat();
    expect(await statuses()).toEqual(['online', 'online']);
    expect((await scene.submit()).status).toBe(201);
  });

  it('stores changes of status, never a heartbeat', async () => {
    const before = (await storedTypes()).length;
    for (let n = 0; n < 10; n++) await scene.agent.heartbeat();
    expect((await storedTypes()).slice(before)).toEqual([]);
    await service.advance(90 * SECOND);
    await scene.agent.heartbeat();
    expect((await storedTypes()).slice(before)).toEqual([
      'ComputerWentOffline',
      'PrinterWentOffline',
      'ComputerCameOnline',
      'PrinterCameOnline',
    ]);
  });

  it('shows last_seen_at on the computer and its printers', async () => {
    await service.advance(30 * SECOND);
    await scene.agent.heartbeat();
    const seen = service.clock.now();
    await service.advance(20 * SECOND);
    expect((await first('/svc-api-computers')).last_seen_at).toBe(seen);
    expect((await first('/svc-api-printers')).last_seen_at).toBe(seen);
  });

  it('shows no last_seen_at for a pending computer', async () => {
    await TestAgent.enrol(service, scene.accountId);
    expect(await first('/svc-api-computers')).toMatchObject({ status: 'pending', last_seen_at: null });
  });

  it('uses the configured timeout', async () => {
    const quick = await startTestService({ env: { PRESENCE_TIMEOUT_SECONDS: '0.2' } });
    try {
      const account = await openAccount(quick);
      await TestAgent.ready(quick, account.accountId);
      await quick.advance(200);
      const listed = await quick.call('GET', '/svc-api-computers', { as: account.key });
      expect(itemsOf(listed)[0]!.status).toBe('offline');
    } finally {
      await quick.close();
    }
  });

  describe('when the operator disables it', () => {
    it('gets no jobs or leases, stays disabled despite heartbeats, and can be enabled again', async () => {
      const waiting = await scene.create();
      expect((await operate('disable')).body.data).toMatchObject({ status: 'disabled' });
      expect(await statuses()).toEqual(['disabled', 'disabled']);
      expect((await scene.agent.heartbeat()).status).toBe(200);
      expect(await statuses()).toEqual(['disabled', 'disabled']);
      expect(await scene.agent.lease()).toEqual([]);
      expect(verdict(await scene.submit())).toBe('409 SVC_PRINTER_NOT_READY');
      expect((await operate('enable')).body.data).toMatchObject({ status: 'online' });
      expect(await statuses()).toEqual(['online', 'online']);
      expect((await scene.agent.lease()).map(({ job_id }) => job_id)).toEqual([waiting]);
    });

    it('is offline when enabled after a silence of its agent', async () => {
      await operate('disable');
      await service.advance(90 * SECOND);
      expect((await operate('enable')).body.data).toMatchObject({ status: 'offline' });
      expect(await statuses()).toEqual(['offline', 'offline']);
      await scene.agent.heartbeat();
      expect(await statuses()).toEqual(['online', 'online']);
    });
  });

  it('refuses to disable or enable a revoked or unknown computer', async () => {
    await operate('revoke');
    expect(await statuses()).toEqual(['revoked', 'disabled']);
    for (const verb of ['disable', 'enable']) expect(verdict(await operate(verb))).toBe('409 STATE_CONFLICT');
    expect((await operate('revoke')).status).toBe(200);
    const unknown = '/operator/computers/01990000-0000-7000-8000-00000000dead/revoke';
    expect(verdict(await service.call('POST', unknown, { as: service.operatorToken }))).toBe(
      '404 COMPUTER_NOT_FOUND',
    );
  });
});
