import { randomUUID } from 'node:crypto';
import { sceneForEach } from '../kit/job-scene.js';
import { serviceForAll } from '../kit/service.js';
import { TestPartner } from '../kit/partner.js';
import { onePrinter, TestAgent, type Leased } from '../kit/world.js';
import { verdict } from './asking.js';

interface StoredEvent {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

describe('closing an account', () => {
  const service = serviceForAll();
  const scene = sceneForEach(service);
  let enrollmentToken: string;

  beforeEach(async () => {
    const enrollment = await service.operate('POST', `/accounts/${scene.accountId}/enrollments`, {});
    enrollmentToken = String(enrollment.enrollment_token);
  });

  const close = async (json: object = { reason: 'moved away' }) => {
    const closed = await service.operate('POST', `/accounts/${scene.accountId}/close`, json);
    await service.advance(0);
    return closed;
  };
  const eventsOf = async (jobId: string) =>
    (await service.operate('GET', `/streams/job-${jobId}`)).items as StoredEvent[];

  it('is final and refuses every further change', async () => {
    expect(await close()).toMatchObject({ status: 'closed', closed_at: service.clock.now() });
    for (const [verb, json] of [
      ['suspend', undefined],
      ['resume', undefined],
      ['environment', { enabled: false }],
      ['plan', { max_auto_retries: 1 }],
      ['keys', { scopes: ['jobs:read'] }],
      ['enrollments', {}],
    ] as const) {
      const call = { as: service.operatorToken, ...(json && { json }) };
      const refused = await service.call('POST', `/operator/accounts/${scene.accountId}/${verb}`, call);
      expect(verdict(refused)).toBe('409 ACCOUNT_CLOSED');
    }
    expect((await close()).status).toBe('closed');
  });

  it('revokes keys, device credentials and enrolment tokens at once', async () => {
    expect((await service.call('GET', '/svc-api-account', { as: scene.key })).status).toBe(200);
    expect((await scene.agent.heartbeat()).status).toBe(200);
    await close();
    expect(verdict(await service.call('GET', '/svc-api-account', { as: scene.key }))).toBe(
      '401 API_KEY_INVALID',
    );
    expect(verdict(await scene.submit())).toBe('401 API_KEY_INVALID');
    expect(verdict(await scene.agent.heartbeat())).toBe('401 CREDENTIAL_INVALID');
    const json = { enrollment_token: enrollmentToken, installation_id: randomUUID() };
    expect(verdict(await service.call('POST', '/managed/enroll', { json }))).toBe(
      '401 ENROLLMENT_TOKEN_INVALID',
    );
  });

  it('cancels queued and leased jobs with the reason account_closed, leases first', async () => {
    const leased = await scene.create();
    await scene.agent.lease(1);
    const queued = await scene.create();
    await close();
    for (const [jobId, types] of [
      [leased, ['LeaseInvalidated', 'JobCancelled']],
      [queued, ['JobQueued', 'JobCancelled']],
    ] as const) {
      const last = (await eventsOf(jobId)).slice(-2);
      expect(last.map(({ type }) => type)).toEqual(types);
      expect(last[1]!.data).toMatchObject({ reason: 'account_closed' });
    }
  });

  it('shows cancelled jobs, a revoked computer and disabled printers in the next read', async () => {
    const partner = await TestPartner.open(service);
    const theirs = await partner.account();
    const ready = await TestAgent.ready(service, theirs, [onePrinter, { ...onePrinter, printer_key: 'b' }]);
    for (let n = 0; n < 30; n++) await partner.print(theirs, ready.printerId);
    const path = `/accounts/${theirs}`;
    const closed = await partner.call('POST', `${path}/deactivate`, { json: { reason: 'moved' } });
    expect(verdict(closed)).toBe('200 ACCOUNT_DEACTIVATED');
    const { items } = await service.operate('GET', `/jobs?account_id=${theirs}&limit=100`);
    const statuses = (items as { status: string }[]).map(({ status }) => status);
    expect(statuses).toEqual(Array(30).fill('cancelled'));
    expect(await partner.list(`${path}/devices`)).toEqual([expect.objectContaining({ status: 'revoked' })]);
    const printers = await partner.list(`${path}/printers`);
    expect(printers.map(({ status }) => status)).toEqual(['disabled', 'disabled']);
    const again = await partner.call('POST', `${path}/deactivate`, { json: { reason: 'moved' } });
    expect(verdict(again)).toBe('200 ACCOUNT_DEACTIVATED');
  });

  it('does not end printing jobs, and keeps the history', async () => {
    const jobId = await scene.create();
    const [lease] = (await scene.agent.lease(1)) as [Leased];
    await scene.agent.accept(lease);
    await scene.agent.handoff(lease);
    await close();
    expect((await eventsOf(jobId)).at(-1)!.type).toBe('HandoffStarted');
    await service.advance(10 * 60_000);
    expect((await eventsOf(jobId)).at(-1)!.type).toBe('ManualReviewOpened');
  });
});
