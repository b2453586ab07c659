import { sceneForEach } from '../kit/job-scene.js';
import { serviceForAll } from '../kit/service.js';
import { DAY } from './asking.js';

describe('reading the history of a job', () => {
  const service = serviceForAll();
  const scene = sceneForEach(service);
  let jobId: string;
  beforeEach(async () => {
    jobId = await scene.create();
  });

  const history = async () => (await scene.job(jobId)).history;

  it('begins with created, without a status change, and queued', async () => {
    const job = await scene.job(jobId);
    expect(job.history_contract).toBe('svc_job_history_v1');
    const line = { event_id: expect.any(String), outcome: 'ok', created_at: job.created_at };
    expect(job.history).toEqual([
      { ...line, event_type: 'job.created' },
      { ...line, event_type: 'job.queued', new_status: 'queued' },
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

  it('stays readable after the content is deleted', async () => {
    await scene.agent.print();
    const before = await history();
    await service.advance(2 * DAY);
    expect(await history()).toEqual(before);
  });

  it('shows the duration of the job', async () => {
    await service.advance(1234);
    await scene.agent.print();
    await service.advance(5000);
    expect((await scene.job(jobId)).duration_ms).toBe(1234);
  });
});
