import type { Answered } from '../../kit/http/client.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { createJob, openAccount, TestAgent, type Leased } from '../../kit/world.js';
import { cancel, itemsOf, jobOf, newJob, retry, verdict } from '../asking.js';

const RANDOM = '01990000-0000-7000-8000-00000000dead';

describe('separation of tenants', () => {
  let service: TestService;
  const ours: { key?: string; agent?: TestAgent; printerId?: string } = {};
  const theirs: { agent?: TestAgent; printerId?: string; jobId?: string; lease?: Leased; key?: string } = {};
  beforeAll(async () => {
    service = await startTestService();
    const us = await openAccount(service, { name: 'Us' });
    const them = await openAccount(service, { name: 'Them' });
    Object.assign(ours, us, await TestAgent.ready(service, us.accountId));
    Object.assign(theirs, them, await TestAgent.ready(service, them.accountId));
    theirs.jobId = await newJob(service, them.key, theirs.printerId!, { external_id: 'their-order' });
    [theirs.lease] = await theirs.agent!.lease(1);
  });
  afterAll(() => service.close());

  const get = (path: string) => service.call('GET', path, { as: ours.key! });
  /** The answer for another tenant's resource equals that for an unknown one. */
  const expectAlike = (one: Answered, other: Answered) => {
    const { request_id: _r, correlation_id: _c, ...said } = one.body;
    expect(other.body).toMatchObject(said);
    expect(other.status).toBe(one.status);
  };

  it('lists nothing of another tenant', async () => {
    for (const [path, mine] of [
      ['/svc-api-computers', 1],
      ['/svc-api-printers', 1],
      ['/svc-api-print-jobs', 0],
      ['/svc-api-print-jobs?external_id=their-order', 0],
      ['/svc-api-print-jobs?status=leased', 0],
    ] as const)
      expect([path, (await get(path)).body.data!.total]).toEqual([path, mine]);
    expect(itemsOf(await get('/svc-api-computers'))[0]!.computer_id).toBe(ours.agent!.computerId);
  });

  it("answers the same 404 for another tenant's resource as for an unknown one", async () => {
    const pairs: [Promise<Answered>, Promise<Answered>][] = [
      [get(`/svc-api-print-jobs/${theirs.jobId}`), get(`/svc-api-print-jobs/${RANDOM}`)],
      [cancel(service, ours.key!, theirs.jobId!), cancel(service, ours.key!, RANDOM)],
      [retry(service, ours.key!, theirs.jobId!), retry(service, ours.key!, RANDOM)],
      [createJob(service, ours.key!, theirs.printerId!), createJob(service, ours.key!, RANDOM)],
      [
        get(`/svc-api-printers?computer_id=${theirs.agent!.computerId}`),
        get(`/svc-api-printers?computer_id=${RANDOM}`),
      ],
      [
        get(`/svc-api-print-jobs?printer_id=${theirs.printerId}`),
        get(`/svc-api-print-jobs?printer_id=${RANDOM}`),
      ],
      [
        service.call('POST', `/svc-api-printers/${theirs.printerId}/test`, { as: ours.key! }),
        service.call('POST', `/svc-api-printers/${RANDOM}/test`, { as: ours.key! }),
      ],
    ];
    for (const [one, other] of pairs) {
      expect((await one).status).toBe(404);
      expectAlike(await one, await other);
    }
  });

  it("gives an agent nothing of another computer's job", async () => {
    const { agent } = ours as { agent: TestAgent };
    const lease = theirs.lease!;
    expect(verdict(await agent.call('GET', `/jobs/${lease.job_id}/content`))).toBe('404 JOB_NOT_FOUND');
    expect(verdict(await agent.accept(lease))).toBe('404 JOB_NOT_FOUND');
    expect(verdict(await agent.handoff(lease))).toBe('404 JOB_NOT_FOUND');
    expect(verdict(await agent.release(lease))).toBe('404 LEASE_NOT_FOUND');
    expect(await agent.report(lease, 'rejected')).toMatchObject({ code: 'JOB_NOT_FOUND' });
    const { job_id, lease_id, fence } = lease;
    const { reconcile } = await agent.start([{ job_id, lease_id, fence, phase: 'handed_off' }]);
    expect(reconcile).toEqual([{ job_id, fence, verdict: 'forget' }]);
    expect(await jobOf(service, theirs.key!, theirs.jobId!)).toMatchObject({ status: 'leased' });
  });

  it("cannot start a session with another computer's session", async () => {
    const json = { session_id: theirs.agent!.sessionId, wait_seconds: 0, max: 1 };
    expect(verdict(await ours.agent!.call('POST', '/leases', { json }))).toBe('409 SESSION_REPLACED');
  });

  it('accepts each credential only on its own surface', async () => {
    const credentials = { key: ours.key!, device: ours.agent!.credential, operator: service.operatorToken };
    const doors = {
      key: '/svc-api-account',
      device: `/agent/jobs/${RANDOM}/content`,
      operator: '/operator/views',
    };
    for (const [owner, as] of Object.entries(credentials))
      for (const [door, path] of Object.entries(doors)) {
        const { status } = await service.call('GET', path, { as });
        expect([owner, door, status === 401]).toEqual([owner, door, owner !== door]);
      }
  });
});
