import { enteredFiles } from '../../kit/entered-files.js';
import { settled } from '../../kit/settled.js';
import { serviceForAll } from '../../kit/service.js';
import { createJob, openAccount, TestAgent } from '../../kit/world.js';

/**
 * How many files a newcomer has to open to follow one request, with the writer in the same thread. A change that makes
 * a request pass through more files has to raise its number here; one that needs fewer lowers it.
 */
describe('files that a request enters', () => {
  const service = serviceForAll();
  let key: string;
  let printerId: string;
  beforeAll(async () => {
    const account = await openAccount(service);
    key = account.key;
    ({ printerId } = await TestAgent.ready(service, account.accountId));
    for (let n = 0; n < 3; n++) await createJob(service, key, printerId);
    await settled();
  });

  /** 96 to 98, three of them for the index of changes; timers and followers of the creates before may run in between. */
  const CREATE = 100;
  it(`number at most ${CREATE} for a create with all its followers`, async () => {
    const files = await enteredFiles(async () => {
      await createJob(service, key, printerId);
      await settled();
    });
    expect(files).toContain('src/contexts/jobs/domain/job.decider.ts');
    expect(files.slice(CREATE)).toEqual([]);
  });

  const GET = 42;
  it(`number at most ${GET} for a job with its history`, async () => {
    const created = await createJob(service, key, printerId);
    const { job_id: jobId } = created.body.data as { job_id: string };
    const files = await enteredFiles(() => service.call('GET', `/svc-api-print-jobs/${jobId}`, { as: key }));
    expect(files).toContain('projections/job-history/job-history.fold.ts');
    expect(files.slice(GET)).toEqual([]);
  });
});
