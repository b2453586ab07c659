import fc from 'fast-check';
import type { Job, JobCommand } from '../../src/contexts/jobs/index.js';
import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import { fold } from '../../src/kernel/decider.js';
import { epochMs, later } from '../../src/kernel/time.js';
import * as the from '../kit/examples/jobs.js';
import { jobDecider, walks, walksAfter, type Walk } from '../kit/job-walks.js';

const RUNS = { numRuns: 500 };

function everyWalk(check: (walk: Walk) => void): void {
  fc.assert(
    fc.property(walks, (walk) => check(walk())),
    RUNS,
  );
}

/** The command of the job's next timer; undefined if none is armed. */
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
  it('writes nothing for a repeated command', () => {
    everyWalk(({ steps }) => {
      for (const { before, command, events } of steps) {
        const again = jobDecider.decide(fold(jobDecider, events, before), command);
        expect(again.accepted ? again.events : []).toEqual([]);
      }
    });
  });

  it('never mutates states or events', () => {
    everyWalk(({ events }) => {
      let job = deepFreeze(jobDecider.initialState);
      for (const event of events) job = deepFreeze(jobDecider.evolve(job, deepFreeze(event)));
    });
  });

  it('survives encoding and decoding of its events', () => {
    everyWalk(({ job, events }) => {
      const read = JSON.parse(JSON.stringify(events)) as JobEvent[];
      expect(fold(jobDecider, read)).toEqual(job);
    });
  });

  it('ends by timers alone', () => {
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

  it('has a new fence for every lease, and one lease at a time', () => {
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

describe('an archived job', () => {
  it.each<[string, readonly JobEvent[]]>([
    ['completed', the.done],
    ['cancelled', [...the.withAgent, the.invalidated('cancelled'), the.cancelled()]],
    ['expired', [...the.withAgent, the.invalidated('expired'), the.expired()]],
    ['failed', [...the.taken, the.exhausted()]],
    ['expired undecided', [...the.inReview, the.expired()]],
  ])('gets late results and notes of reprints, and nothing else (%s)', (_, ended) => {
    const archived = [...ended, the.purged, the.archived];
    const more = new Set<string>();
    fc.assert(
      fc.property(walksAfter(archived), (walk) =>
        walk()
          .events.slice(archived.length)
          .forEach(({ type }) => more.add(type)),
      ),
      RUNS,
    );
    expect([...more].sort()).toEqual(['JobReprinted', 'LateResultRecorded']);
  });
});

describe('the random walks', () => {
  it('cover every job event', () => {
    const seen = new Set<string>();
    for (const walk of fc.sample(walks, { numRuns: 3000, seed: 1 })) {
      for (const event of walk().events) seen.add(event.type);
    }
    expect([...seen].sort()).toEqual([...EVERYTHING].sort());
  });
});

describe('a job that may have printed', () => {
  it('is leased again only after a manual retry or proof that it did not print', () => {
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

  it('does not fail without proof', () => {
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

describe('a job that certainly did not print', () => {
  it('is not parked unless the agent saw it at the spooler', () => {
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

describe('a report with an older fence', () => {
  it('is recorded but changes nothing else', () => {
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
  'JobArchived',
  'JobReprinted',
  'JobMoved',
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
