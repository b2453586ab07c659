import { startTestService, type TestService } from '../kit/service.js';
import { createJob, openAccount, TestAgent } from '../kit/world.js';

describe('the life of a print job over HTTP', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  it('goes from queued to spooler_completed, and its history shows every step', async () => {
    const { accountId, key } = await openAccount(service);
    const { agent, printerId } = await TestAgent.ready(service, accountId);
    const created = await createJob(service, key, printerId);
    expect(created.status).toBe(201);
    expect(created.body.code).toBe('SVC_JOB_CREATED');
    const jobId = String(created.body.data!.job_id);
    await agent.print();
    const { body } = await service.call('GET', `/svc-api-print-jobs/${jobId}`, { as: key });
    expect(body.data).toMatchObject({
      status: 'spooler_completed',
      is_final: true,
      attempt_count: 1,
      retry_state: 'none',
    });
    const history = body.data!.history as { event_type: string }[];
    expect(history.map((line) => line.event_type)).toEqual([
      'job.created',
      'job.queued',
      'job.leased',
      'job.accepted_by_agent',
      'job.handoff_started',
      'job.sent_to_spooler',
      'job.spooler_completed',
    ]);
    const verified = await service.operate('POST', '/views/verify');
    expect(verified.items).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'job-view', equal: true })]),
    );
    expect((verified.items as { equal: boolean }[]).every((view) => view.equal)).toBe(true);
  });
});
