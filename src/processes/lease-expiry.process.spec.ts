import * as the from '../../test/kit/examples/jobs.js';
import { reactionsTo } from '../../test/kit/process.js';
import { recordedAt } from '../../test/kit/recorded.js';
import { ExpireLease } from '../contexts/jobs/index.js';
import type { JobEvent } from '../contexts/jobs/domain/job.events.js';
import { schedule, unschedule, type Timer } from '../kernel/process.js';
import { leaseExpiry } from './job-silence.process.js';

const { JOB_ID, seconds } = the;
const leaseId = the.leaseIdOf(1);
const after = (event: JobEvent) => reactionsTo(leaseExpiry, recordedAt(seconds(0), the.JOB_STREAM, 2, event));

describe('watching a lease', () => {
  const payload = { leaseId };

  it('starts with the lease and is extended by renewals', () => {
    const renewed = { by: `lease:${leaseId}`, forMs: 60_000 };
    expect(after(the.leased())).toEqual([schedule(JOB_ID, seconds(60), payload, renewed)]);
  });

  it('ends with the lease or on acceptance', () => {
    const ends = [
      the.accepted(),
      the.lapsed(),
      the.released(),
      the.invalidated('cancelled'),
      the.failedForGood(),
    ];
    for (const event of ends) expect(after(event)).toEqual([unschedule(JOB_ID)]);
  });

  it('expires the lease when due', () => {
    const { by } = the.cancel();
    const timer = { subject: JOB_ID, payload } as unknown as Timer;
    expect(leaseExpiry.command(timer, seconds(60), by)).toEqual(
      new ExpireLease({ jobId: JOB_ID, leaseId, at: seconds(60), by }),
    );
  });
});
