import fc from 'fast-check';
import { historyOf } from '../../projections/job-history/job-history.fold.js';
import { jobAfter } from '../../projections/job-view/archived-job.js';
import type { JobDocument } from '../../projections/job-view/job-view.js';
import { partnerJobResource } from '../../src/api/partner/jobs/job.resource.js';
import { jobResource } from '../../src/api/resources/print-job.resource.js';
import { Validators } from '../../src/api/validators.js';
import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import { RecentRestore } from '../../src/contexts/recovery/index.js';
import type { Recorded } from '../../src/kernel/recorded-event.js';
import * as the from '../kit/examples/jobs.js';
import { walks } from '../kit/job-walks.js';
import { NOON, recorded } from '../kit/recorded.js';

type Past = readonly Recorded<JobEvent>[];
/** Validator and answer of one surface. */
type Show = (validators: Validators, job: JobDocument, past: Past, now: string) => readonly [string, object];

const surfaces: readonly (readonly [string, Show])[] = [
  [
    'getPrintJob',
    (validators, job, past, now) => [
      validators.ofJob(job, now),
      { ...jobResource(job, now), ...historyOf(past) },
    ],
  ],
  [
    'listPrintJobs',
    (validators, job, _, now) => [
      validators.ofPage([`${job.job_id} ${validators.ofJob(job, now)}`, '1']),
      jobResource(job, now),
    ],
  ],
  ['getJob', (validators, job) => [validators.ofRevision(job.sequence), partnerJobResource(job)]],
];

/** Seconds after the creation at which clients ask, also after each expiry. */
const moments = fc.array(fc.integer({ min: 0, max: 40 * the.DAY }), { minLength: 1, maxLength: 4 });

/** The answers to questions after each event of a life, at each moment, by their validators. */
function answersOf(validators: Validators, show: Show, events: readonly JobEvent[], at: readonly number[]) {
  const answers = new Map<string, Set<string>>();
  const stored: Past = recorded(the.JOB_STREAM, ...events);
  for (const n of stored.keys()) {
    const past = stored.slice(0, n + 1);
    const job = jobAfter(past, the.JOB_ID)!;
    for (const second of at) {
      const [etag, answer] = show(validators, job, past, the.seconds(second));
      answers.set(etag, (answers.get(etag) ?? new Set<string>()).add(JSON.stringify(answer)));
    }
  }
  return answers;
}

describe.each(surfaces)('a validator of %s', (_, show) => {
  it('stands for one answer', () => {
    fc.assert(
      fc.property(walks, moments, (walk, at) => {
        const answers = answersOf(new Validators(new RecentRestore()), show, walk().events, at);
        for (const [etag, shown] of answers) expect([etag, ...shown]).toHaveLength(2);
      }),
      { numRuns: 150 },
    );
  });

  it('fits no answer after a restore, which gives revisions again', () => {
    const restore = new RecentRestore();
    restore.note({ backupAt: NOON, restoredAt: NOON, parked: 0 });
    fc.assert(
      fc.property(walks, walks, moments, (lost, again, at) => {
        const before = answersOf(new Validators(new RecentRestore()), show, lost().events, at);
        const after = answersOf(new Validators(restore), show, again().events, at);
        expect([...after.keys()].filter((etag) => before.has(etag))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
