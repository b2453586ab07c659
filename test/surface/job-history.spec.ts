import { JobScene, type HistoryLine } from '../kit/job-scene.js';
import { startTestService, type TestService } from '../kit/service.js';
import { openAccount, TestAgent } from '../kit/world.js';
import { cancel, DAY, jobOf, MINUTE, retry, SECOND, verdict } from './asking.js';

describe('reading the history of a job', () => {
  let service: TestService;
  let scene: JobScene;
  let key: string;
  let agent: TestAgent;
  let jobId: string;
  beforeAll(async () => {
    service = await startTestService();
  });
  beforeEach(async () => {
    scene = await JobScene.open(service);
    ({ key, agent } = scene);
    jobId = await scene.create();
  });
  afterAll(() => service.close());

  const history = async () => (await jobOf(service, key, jobId)).history;
  /** `type: from → to, outcome, details`, without the two lines at the start of every history. */
  const told = async () => (await history()).slice(2).map(sentence);
  const sentence = ({ event_type, previous_status, new_status, outcome, details }: HistoryLine) =>
    [
      event_type,
      new_status ? `${previous_status} → ${new_status}` : '-',
      outcome,
      ...(details ? [JSON.stringify(details)] : []),
    ].join(' | ');

  it('begins with created, without a status change, and queued', async () => {
    const job = await jobOf(service, key, jobId);
    expect(job.history_contract).toBe('svc_job_history_v1');
    const line = { event_id: expect.any(String), outcome: 'ok', created_at: job.created_at };
    expect(job.history).toEqual([
      { ...line, event_type: 'job.created' },
      { ...line, event_type: 'job.queued', new_status: 'queued' },
    ]);
  });

  it('shows all steps of a normal job, without claiming that paper came out', async () => {
    const leased = await scene.lease('handed_off');
    await agent.report(leased, 'spooled', { spooler_provider: 'winspool', spooler_job_id: '7' });
    await agent.report(leased, 'spooler_completed');
    expect(await told()).toEqual([
      'job.leased | queued → leased | ok',
      'job.accepted_by_agent | leased → accepted_by_agent | ok',
      'job.handoff_started | - | ok',
      'job.sent_to_spooler | accepted_by_agent → sent_to_spooler | ok | {"spooler_provider":"winspool"}',
      'job.spooler_completed | sent_to_spooler → spooler_completed | ok | {"physical_print_confirmed":false}',
    ]);
  });

  it('names each line by the id of the stored event, oldest first', async () => {
    await scene.lease('handed_off');
    const stream = await service.operate('GET', `/streams/job-${jobId}`);
    const stored = (stream.items as { event_id: string; recorded_at: string }[]).map(
      ({ event_id, recorded_at }) => [event_id, recorded_at],
    );
    expect((await history()).map(({ event_id, created_at }) => [event_id, created_at])).toEqual(stored);
  });

  it('shows a lapse, a release and a cancellation', async () => {
    await scene.lease();
    await service.advance(MINUTE);
    await agent.release(await scene.lease());
    await cancel(service, key, jobId, { reason: 'wrong printer' });
    expect(await told()).toEqual([
      'job.leased | queued → leased | ok',
      'job.lease_lapsed | leased → queued | failed | {"reason":"silence"}',
      'job.leased | queued → leased | ok',
      'job.lease_released | leased → queued | ok',
      'job.cancelled | queued → cancelled | cancelled | {"reason":"wrong printer"}',
    ]);
  });

  it('shows a temporary failure, the retry delay in whole seconds, and the retry', async () => {
    await agent.report(await scene.lease('accepted'), 'not_submitted', { failure_code: 'DRIVER_BUSY' });
    await service.advance(15 * SECOND);
    expect((await told()).slice(2)).toEqual([
      'job.failed | accepted_by_agent → failed | failed | {"failure_code":"DRIVER_BUSY","failure_class":"temporary"}',
      'job.retry_scheduled | - | scheduled | {"retry_delay_seconds":15}',
      'job.retry_submitted | failed → queued | ok',
    ]);
  });

  it('shows manual review, the manual retry, and a late result', async () => {
    const first = await scene.lease('handed_off');
    await agent.report(first, 'spooler_vanished', { spooler_provider: 'cups' });
    await retry(service, key, jobId, { reason: 'nothing came out' });
    await agent.report(first, 'spooler_completed', { spooler_provider: 'cups' });
    expect((await told()).slice(3)).toEqual([
      'job.manual_review | accepted_by_agent → manual_review | ambiguous | {"failure_code":"SPOOLER_VANISHED","failure_class":"ambiguous","spooler_provider":"cups"}',
      'job.retry_submitted | manual_review → queued | ok | {"reason":"nothing came out"}',
      'job.late_result_recorded | - | recorded | {"reason":"late_result","spooler_provider":"cups"}',
    ]);
  });

  it('marks a result during review as late', async () => {
    const leased = await scene.lease('handed_off');
    await service.advance(10 * MINUTE);
    await agent.report(leased, 'spooler_completed');
    const last = (await told()).at(-1);
    expect(last).toBe(
      'job.spooler_completed | manual_review → spooler_completed | ok | {"reason":"late_result","physical_print_confirmed":false}',
    );
  });

  it('shows the expiry after the end of the lease', async () => {
    await service.advance(DAY - SECOND);
    await agent.heartbeat();
    await scene.lease();
    await service.advance(SECOND);
    expect((await told()).at(-1)).toBe('job.expired | leased → expired | expired');
    const stream = await service.operate('GET', `/streams/job-${jobId}`);
    expect((stream.items as { type: string }[]).slice(-2).map(({ type }) => type)).toEqual([
      'LeaseInvalidated',
      'JobExpired',
    ]);
  });

  it('stays readable after the content is deleted', async () => {
    await agent.print();
    const before = await history();
    await service.advance(2 * DAY);
    expect(await history()).toEqual(before);
  });

  it("is shown only to the job's account", async () => {
    const stranger = await openAccount(service);
    for (const id of [jobId, 'nonsense', '01990000-0000-7000-8000-00000000dead']) {
      const path = `/svc-api-print-jobs/${id}`;
      const refused = await service.call('GET', path, { as: stranger.key });
      expect(verdict(refused)).toBe('404 SVC_JOB_NOT_FOUND');
    }
    const upper = await service.call('GET', `/svc-api-print-jobs/${jobId.toUpperCase()}`, { as: key });
    expect(upper.body.data!.job_id).toBe(jobId);
  });

  it('shows the duration of the job', async () => {
    await service.advance(1234);
    await agent.print();
    await service.advance(5000);
    expect((await jobOf(service, key, jobId)).duration_ms).toBe(1234);
  });
});
