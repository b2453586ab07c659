import * as the from '../../test/kit/examples/jobs.js';
import { reactionsTo } from '../../test/kit/process.js';
import { recordedAt } from '../../test/kit/recorded.js';
import { ExpireJob, PurgeContent, RequeueForRetry } from '../contexts/jobs/index.js';
import type { JobEvent } from '../contexts/jobs/domain/job.events.js';
import { schedule, unschedule, type Process, type Timer } from '../kernel/process.js';
import { autoRetry, contentPurge, jobExpiry } from './job-endings.process.js';

const { JOB_ID, DAY, seconds } = the;
const { by } = the.cancel();
const [failure, retryScheduled] = the.failedTemporarily() as [JobEvent, JobEvent];
const after = (process: Process<JobEvent>, event: JobEvent) =>
  reactionsTo(process, recordedAt(seconds(0), the.JOB_STREAM, 4, event));

describe('the automatic retry', () => {
  const payload = { fence: 1 };

  it('is armed when scheduled', () => {
    expect(after(autoRetry, retryScheduled)).toEqual([schedule(JOB_ID, seconds(15), payload)]);
  });

  it('gets a full timeout after a start if it follows the silence of an older session', () => {
    const rests = { ...retryScheduled, data: { ...retryScheduled.data, silenceMs: 40_000 } } as JobEvent;
    expect(after(autoRetry, rests)).toEqual([schedule(JOB_ID, seconds(15), payload, { forMs: 40_000 })]);
  });

  it('is disarmed by a manual retry or by expiry', () => {
    expect(after(autoRetry, the.requeued(1, 'manual'))).toEqual([unschedule(JOB_ID)]);
    expect(after(autoRetry, the.expired())).toEqual([unschedule(JOB_ID)]);
  });

  it('requeues the job when due', () => {
    const timer = { subject: JOB_ID, payload } as unknown as Timer;
    expect(autoRetry.command(timer, seconds(15), by)).toEqual(
      new RequeueForRetry({ jobId: JOB_ID, fence: 1, at: seconds(15), by }),
    );
  });
});

describe('the expiry', () => {
  const armed = (due: string) => [schedule(JOB_ID, due)];

  it('is armed while the job waits', () => {
    expect(after(jobExpiry, the.created)).toEqual(armed(seconds(DAY)));
    expect(after(jobExpiry, the.requeued())).toEqual(armed(seconds(DAY)));
    expect(after(jobExpiry, failure)).toEqual(armed(seconds(DAY)));
  });

  it('moves to the end of the review window', () => {
    expect(after(jobExpiry, the.parked())).toEqual(armed(seconds(3 * DAY)));
  });

  it('is disarmed at the hand-off and when the job ends', () => {
    const ends = [
      the.handedOff(),
      the.completed(),
      the.cancelled(),
      the.expired(),
      the.failedForGood(),
      the.exhausted(),
    ];
    for (const event of ends) expect(after(jobExpiry, event)).toEqual([unschedule(JOB_ID)]);
  });

  it('expires the job when due', () => {
    const timer = { subject: JOB_ID } as unknown as Timer;
    expect(jobExpiry.command(timer, seconds(DAY), by)).toEqual(
      new ExpireJob({ jobId: JOB_ID, at: seconds(DAY), by }),
    );
  });
});

describe('purging content', () => {
  const armed = (due: string) => [schedule(JOB_ID, due)];

  it('is armed when the job can no longer be printed', () => {
    for (const event of [the.completed(), the.cancelled(), the.failedForGood()]) {
      expect(after(contentPurge, event)).toEqual(armed(seconds(DAY)));
    }
    expect(after(contentPurge, the.expired())).toEqual(armed(seconds(2 * DAY)));
  });

  it('waits for the expiry while a manual retry is possible', () => {
    expect(after(contentPurge, the.exhausted())).toEqual(armed(seconds(2 * DAY)));
  });

  it('is not armed while a retry is scheduled', () => {
    expect(after(contentPurge, failure)).toEqual([]);
  });

  it('is disarmed by a requeue and by the purge', () => {
    expect(after(contentPurge, the.requeued(4, 'manual'))).toEqual([unschedule(JOB_ID)]);
    expect(after(contentPurge, the.purged)).toEqual([unschedule(JOB_ID)]);
  });

  it('deletes the content when due', () => {
    const timer = { subject: JOB_ID } as unknown as Timer;
    expect(contentPurge.command(timer, seconds(DAY), by)).toEqual(
      new PurgeContent({ jobId: JOB_ID, at: seconds(DAY), by }),
    );
  });
});
