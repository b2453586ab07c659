import * as the from '../../test/kit/examples/jobs.js';
import { NOON, recordedAt } from '../../test/kit/recorded.js';
import { TestViews } from '../../test/kit/views.js';
import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import { plus } from '../../src/kernel/time.js';
import { jobViewProjection } from './job-view.projection.js';
import { JobTimes } from './view-job-lists.js';

const at = (second: number) => plus(NOON, second * 1_000);
const place = (position: number) => String(position).padStart(20, '0');

/** Of a log of jobs that are dated at these seconds. */
function timesOf(...seconds: readonly number[]): JobTimes {
  const views = new TestViews([jobViewProjection]);
  seconds.forEach((second, n) => {
    const event = { ...the.created, data: { ...the.created.data, jobId: `job ${n}` } } as JobEvent;
    views.project([{ ...recordedAt(at(second), `job-job ${n}`, 0, event), position: place(n + 1) }]);
  });
  return new JobTimes(views.store);
}

describe('the position before a time', () => {
  it('is before all jobs of the time or later, also if one was dated long before it was stored', async () => {
    const times = timesOf(0, 60, 61, 62, 30);
    expect(await times.positionBefore(at(60))).toBe(place(1));
    expect(await times.positionBefore(at(31))).toBe(place(1));
  });

  it('is not far back while jobs are stored in time', async () => {
    const times = timesOf(...Array.from({ length: 300 }, (_, n) => n));
    expect(await times.positionBefore(at(250))).toBe(place(151));
  });

  it('is unknown before the first job', async () => {
    expect(await timesOf(5).positionBefore(at(5))).toBeUndefined();
  });
});
