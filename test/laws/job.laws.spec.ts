import fc from 'fast-check';
import type { Job, JobCommand } from '../../src/contexts/jobs/index.js';
import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import { fold } from '../../src/kernel/decider.js';
import { epochMs, later } from '../../src/kernel/time.js';
import * as the from '../kit/examples/jobs.js';
import { jobDecider, walks, type Walk } from '../kit/job-walks.js';

const RUNS = { numRuns: 500 };

function everyWalk(check: (walk: Walk) => void): void {
  fc.assert(
    fc.property(walks, (walk) => check(walk())),
    RUNS,
  );
}

/** The next thing that a timer would send, or undefined at rest. */
function dueCommand(job: Job): ((at: string) => JobCommand) | undefined {
  const fence = job.attemptCount;
  switch (job.status) {
    case 'leased':
      return (at) => the.expireLease(fence, at);
    case 'accepted_by_agent':
      return (at) =>
        job.lease?.phase === 'handed_off' ? the.handoffSilence(fence, at) : the.agentGone(fence, at);
    case 'sent_to_spooler':
      return (at) => the.spoolSilence(fence, at);
    case 'failed':
      return job.nextAttemptAt === undefined ? undefined : (at) => the.requeue(fence, at);
    case 'queued':
    case 'manual_review':
      return (at) => the.expire(at);
    default:
      return undefined;
  }
}

describe('every job', () => {
  it('takes the same command twice without writing twice', () => {
    everyWalk(({ steps }) => {
      for (const { before, command, events } of steps) {
        const again = jobDecider.decide(fold(jobDecider, events, before), command);
        expect(again.accepted ? again.events : []).toEqual([]);
      }
    });
  });

  it('is folded without changing what was', () => {
    everyWalk(({ events }) => {
      let job = deepFreeze(jobDecider.initialState);
      for (const event of events) job = deepFreeze(jobDecider.evolve(job, deepFreeze(event)));
    });
  });

  it('is the same after its events were stored and read', () => {
    everyWalk(({ job, events }) => {
      const read = JSON.parse(JSON.stringify(events)) as JobEvent[];
      expect(fold(jobDecider, read)).toEqual(job);
    });
  });

  it('comes to rest when nobody does anything but the timers', () => {
    everyWalk(({ job }) => {
      let resting = job;
      let at = the.seconds(40 * the.DAY);
      for (let step = 0; ; step++) {
        const next = dueCommand(resting);
        if (!next) break;
        expect(step).toBeLessThan(10);
        at = later(later(at, resting.expiresAt), resting.nextAttemptAt ?? at);
        const decision = jobDecider.decide(resting, next(at));
        expect(decision).toMatchObject({ accepted: true });
        const events = decision.accepted ? decision.events : [];
        expect(events).not.toEqual([]);
        resting = fold(jobDecider, events, resting);
      }
      expect(['spooler_completed', 'failed', 'cancelled', 'expired']).toContain(resting.status);
    });
  });

  it('is handed off at most once per fence', () => {
    everyWalk(({ events }) => {
      const fences = events.flatMap((event) => (event.type === 'HandoffStarted' ? [event.data.fence] : []));
      expect(new Set(fences).size).toBe(fences.length);
    });
  });

  it('gets a fence of its own with every lease, and one lease at a time', () => {
    everyWalk(({ events }) => {
      let held = false;
      let fence = 0;
      for (const event of events) {
        if (event.type === 'JobLeased') {
          expect(held).toBe(false);
          expect(event.data.fence).toBeGreaterThan(fence);
          fence = event.data.fence;
          held = true;
        } else if (ENDS_A_LEASE.has(event.type)) held = false;
      }
    });
  });
});

describe('the walks that prove it', () => {
  it('see everything that can happen to a job', () => {
    const seen = new Set<string>();
    for (const walk of fc.sample(walks, { numRuns: 3000, seed: 1 })) {
      for (const event of walk().events) seen.add(event.type);
    }
    expect([...seen].sort()).toEqual([...EVERYTHING].sort());
  });
});

describe('what may have been printed', () => {
  it('is not leased again unless a person asked, or it was proved unprinted', () => {
    everyWalk(({ events }) => {
      let doubtful = false;
      for (const event of events) {
        if (event.type === 'HandoffStarted') doubtful = true;
        if (event.type === 'JobFailed') doubtful = false;
        if (event.type === 'JobRequeued' && event.data.cause === 'manual') doubtful = false;
        if (event.type === 'JobLeased') expect(doubtful).toBe(false);
      }
    });
  });

  it('does not fail on a mere suspicion', () => {
    everyWalk(({ steps }) => {
      for (const { before, command, events } of steps) {
        const phase = before.lease?.phase;
        if (phase !== 'handed_off' && phase !== 'spooled') continue;
        if (!events.some(({ type }) => type === 'JobFailed')) continue;
        if (command.kind !== 'ReportProgress') throw new Error(`${command.kind} is no proof`);
        expect(command.report.type).toMatch(/^(not_submitted|spooler_cancelled)$/);
        const { sessionId, predecessors } = command.session;
        expect([sessionId, ...predecessors]).toContain(before.lease?.permitSessionId);
      }
    });
  });
});

describe('what is certain to be unprinted', () => {
  it('is not parked, unless the agent saw it at the spooler', () => {
    everyWalk(({ steps }) => {
      for (const { before, command, events } of steps) {
        const parked = events.find((event) => event.type === 'ManualReviewOpened');
        if (!parked || command.kind === 'SuspectClone') continue;
        const unexpected = parked.data.failureCode === 'UNEXPECTED_EVIDENCE';
        if (unexpected) expect(['ReportProgress', 'ReconcileLease']).toContain(command.kind);
        else expect(['handed_off', 'spooled']).toContain(before.lease?.phase);
      }
    });
  });
});

describe('a report', () => {
  it('with an older fence changes nothing but the record', () => {
    everyWalk(({ steps }) => {
      for (const { before, command, events } of steps) {
        if (command.kind !== 'ReportProgress' || command.fence >= before.attemptCount) continue;
        expect(events.filter(({ type }) => type !== 'LateResultRecorded')).toEqual([]);
      }
    });
  });
});

describe('a parked job', () => {
  it('has the whole review window before it expires', () => {
    everyWalk(({ steps }) => {
      for (const { command, events } of steps) {
        for (const event of events) {
          if (event.type !== 'ManualReviewOpened') continue;
          expect(epochMs(event.data.expiresAt) - epochMs(command.at)).toBeGreaterThanOrEqual(
            3 * the.DAY * 1000,
          );
        }
      }
    });
  });
});

const EVERYTHING: readonly JobEvent['type'][] = [
  'JobCreated',
  'JobQueued',
  'JobLeased',
  'LeaseLapsed',
  'LeaseReleased',
  'LeaseKept',
  'LeaseInvalidated',
  'JobAccepted',
  'HandoffStarted',
  'JobSpooled',
  'JobCompleted',
  'JobFailed',
  'RetryScheduled',
  'JobRequeued',
  'ManualReviewOpened',
  'JobCancelled',
  'JobExpired',
  'LateResultRecorded',
  'ContentPurged',
];

const ENDS_A_LEASE: ReadonlySet<JobEvent['type']> = new Set([
  'LeaseLapsed',
  'LeaseReleased',
  'LeaseInvalidated',
  'JobFailed',
  'JobCompleted',
  'ManualReviewOpened',
]);

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
