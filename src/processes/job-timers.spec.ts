import fc from 'fast-check';
import * as the from '../../test/kit/examples/jobs.js';
import { walks } from '../../test/kit/job-walks.js';
import { armedAfter } from '../../test/kit/process.js';
import { recorded } from '../../test/kit/recorded.js';
import type { JobEvent } from '../contexts/jobs/domain/job.events.js';
import type { Job } from '../contexts/jobs/index.js';
import { sha256 } from '../kernel/ids.js';
import { withTimers } from '../event-sourcing/index.js';
import { react, type Armed, type TimerRef } from '../event-sourcing/timers/timers.projection.js';
import { jobView } from '../../projections/job-view/job-view.js';
import { jobViewProjection } from '../../projections/job-view/job-view.projection.js';
import { jobProcesses as processes } from '../app/processes.js';
import { project } from '../../test/kit/projection.js';

function timersAfter(events: readonly JobEvent[]): string[] {
  const armed = armedAfter(processes, recorded(the.JOB_STREAM, ...events));
  return [...armed.keys()].map((id) => id.slice(0, id.indexOf(':'))).sort();
}

/** Expected timers for each state of a job. */
function timersOf(job: Job): string[] {
  switch (job.status) {
    case 'absent':
      return [];
    case 'leased':
      return ['job-expiry', 'lease-expiry'];
    case 'accepted_by_agent':
      return job.lease?.phase === 'handed_off' ? ['hand-off-watch'] : ['accept-grace', 'job-expiry'];
    case 'sent_to_spooler':
      return ['spool-watch'];
    case 'failed':
      if (job.nextAttemptAt !== undefined) return ['auto-retry', 'job-expiry'];
      return job.contentAvailable ? ['content-purge'] : [];
    case 'spooler_completed':
    case 'cancelled':
    case 'expired':
      return job.contentAvailable ? ['content-purge'] : [];
    default:
      return ['job-expiry'];
  }
}

const EXAMPLES: [status: string, events: JobEvent[], timers: string[]][] = [
  ['queued', the.waiting, ['job-expiry']],
  ['leased', the.withAgent, ['job-expiry', 'lease-expiry']],
  ['queued after a lapsed lease', [...the.withAgent, the.lapsed()], ['job-expiry']],
  ['queued after a release', [...the.withAgent, the.released()], ['job-expiry']],
  ['accepted', the.taken, ['accept-grace', 'job-expiry']],
  ['handed off', the.handing, ['hand-off-watch']],
  ['in the spooler', the.printing, ['spool-watch']],
  ['completed', the.done, ['content-purge']],
  ['parked from the spooler', the.inReview, ['job-expiry']],
  ['parked after silence', the.unconfirmed, ['job-expiry']],
  ['failed with a scheduled retry', the.failedOnce, ['auto-retry', 'job-expiry']],
  ['failed while leased', [...the.withAgent, ...the.failedTemporarily()], ['auto-retry', 'job-expiry']],
  ['failed after the hand-off', [...the.handing, ...the.failedTemporarily()], ['auto-retry', 'job-expiry']],
  ['failed for good', [...the.printing, the.failedForGood()], ['content-purge']],
  ['failed too often', [...the.taken, the.exhausted()], ['content-purge']],
  ['queued again', [...the.failedOnce, the.requeued()], ['job-expiry']],
  ['queued manually', [...the.taken, the.exhausted(), the.requeued(4, 'manual')], ['job-expiry']],
  ['cancelled', [...the.withAgent, the.invalidated('cancelled'), the.cancelled()], ['content-purge']],
  ['expired', [...the.taken, the.invalidated('expired'), the.expired()], ['content-purge']],
  ['expired before its retry', [...the.failedOnce, the.expired()], ['content-purge']],
  ['expired in review', [...the.inReview, the.expired()], ['content-purge']],
  ['purged', [...the.done, the.purged], []],
];

describe('the timers of a job', () => {
  it.each(EXAMPLES)('are correct when it is %s', (_, events, expected) => {
    expect(timersAfter(events)).toEqual(expected);
  });

  it('are correct in every reachable state', () => {
    fc.assert(
      fc.property(walks, (walk) => {
        const { job, events } = walk();
        expect(timersAfter(events)).toEqual(timersOf(job));
      }),
      { numRuns: 500 },
    );
  });

  it('are referred to by its document, to events that arm the same', () => {
    const view = withTimers(jobViewProjection, processes);
    fc.assert(
      fc.property(walks, (walk) => {
        const { events } = walk();
        const stored = recorded(the.JOB_STREAM, ...events);
        const armed = armedAfter(processes, stored);
        // An archived job has no document.
        const document = project(view, stored).get(the.JOB_ID) ?? {};
        const { timers = {}, due_at } = document as Partial<Armed<TimerRef>>;
        const followed = Object.entries(timers).map(([process, [due, revision]]) => {
          const timer = react(processes, stored[revision]!).get(the.JOB_ID)?.get(process);
          return [`${process}:${the.JOB_ID}`, due, timer?.due_at, timer?.payload];
        });
        const expected = [...armed].map(([id, { due, payload }]) => [id, due, due, payload]);
        expect(followed.sort()).toEqual(expected.sort());
        expect(due_at).toBe([...armed.values()].map(({ due }) => due).sort()[0]);
      }),
      { numRuns: 300 },
    );
  });

  /** Documents of earlier releases keep their timers, unless a new version has the view built anew. */
  it('do not change without a new version of the view', () => {
    const view = withTimers(jobViewProjection, processes);
    const timers = EXAMPLES.map(([, events]) => {
      const documents = project(view, recorded(the.JOB_STREAM, ...events));
      return (documents.get(the.JOB_ID) as Partial<Armed<TimerRef>>).timers;
    });
    expect({ version: jobView.version, timers: sha256(JSON.stringify(timers)) }).toEqual({
      version: 5,
      timers: '7b7266e9a267838023fb2bb5684584eda517bee5c0eeddf9f92e6824cf9bdd32',
    });
  });
});
