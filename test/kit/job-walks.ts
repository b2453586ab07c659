import fc from 'fast-check';
import { makeJobDecider, type JobCommand } from '../../src/contexts/jobs/index.js';
import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import { defaultJobPolicy } from '../../src/contexts/jobs/domain/job.policy.js';
import type { Job } from '../../src/contexts/jobs/domain/job.state.js';
import { fold } from '../../src/kernel/decider.js';
import * as the from './examples/jobs.js';

export const jobDecider = makeJobDecider(defaultJobPolicy);

/** One decision of a walk: command, state and resulting events. */
export interface Step {
  readonly before: Job;
  readonly command: JobCommand;
  readonly events: readonly JobEvent[];
}

export interface Walk {
  readonly job: Job;
  readonly events: readonly JobEvent[];
  readonly steps: readonly Step[];
}

/** Builds a command from the newest fence and the time. */
type Wish = (fence: number, at: string) => JobCommand;

const REPORTS = [
  'spooled',
  'spooler_completed',
  'spooler_failed',
  'spooler_cancelled',
  'spooler_vanished',
  'not_submitted',
  'rejected',
] as const;

/** The session of the leases, its restart, and a clone. */
const sessions = [
  the.calling(),
  the.calling({ sessionId: the.NEXT_SESSION_ID, predecessors: [the.SESSION_ID] }),
  the.calling({ sessionId: the.NEXT_SESSION_ID }),
];
const session = fc.constantFrom(sessions[0]!, sessions[0]!, ...sessions);

const onward: fc.Arbitrary<Wish> = fc.oneof(
  fc.constant<Wish>((fence, at) => the.grant(fence + 1, at)),
  session.map(
    (by): Wish =>
      (fence, at) =>
        the.accept(fence, at, undefined, undefined, by),
  ),
  session.map(
    (by): Wish =>
      (fence, at) =>
        the.handOff(fence, at, undefined, by),
  ),
);

const others: readonly Wish[] = [
  (fence, at) => the.expireLease(fence, at),
  (fence) => the.release(fence),
  (fence, at) => the.reconcile({ fence }, { at }),
  (fence, at) => the.reconcile({ fence, touched: true }, { at }),
  () => the.suspectClone(),
  (fence, at) => the.voidLease(fence, at),
  (_, at) => the.contentLost(at),
  (fence, at) => the.agentGone(fence, at),
  (fence, at) => the.handoffSilence(fence, at),
  (fence, at) => the.spoolSilence(fence, at),
  (fence, at) => the.requeue(fence, at),
  (fence, at) => the.endRetry(fence, at),
  (_, at) => the.retry('again', at),
  (_, at) => the.expire(at),
  () => the.cancel(),
  (_, at) => the.noteReprint(1, at),
  (fence, at) => the.move({ printerId: the.printerIdOf(fence) }, at),
  (_, at) => the.move({ printerId: the.printerIdOf(7), computerId: the.OTHER_COMPUTER_ID }, at),
  () => the.clear(),
];

/** One needs the other, so both are frequent. */
const afterTheEnd: readonly Wish[] = [(_, at) => the.purge(at), (_, at) => the.archive(at)];

const reports: fc.Arbitrary<Wish> = fc
  .record({
    type: fc.constantFrom(...REPORTS),
    id: fc.integer({ min: 1, max: 30 }),
    back: fc.constantFrom(0, 0, 0, 1, -1),
    session,
    failureClass: fc.constantFrom(
      undefined,
      'temporary' as const,
      'permanent' as const,
      'ambiguous' as const,
    ),
  })
  .map(({ type, id, back, session: by, failureClass }): Wish => {
    const more = { id: `report ${id}`, ...(failureClass && { failureClass }) };
    return (fence, at) => the.report(type, more, { fence: Math.max(1, fence - back), at, session: by });
  });

/** Weighted towards progress, so that enough walks reach the spooler. */
const wishes: fc.Arbitrary<Wish> = fc.oneof(
  { weight: 5, arbitrary: onward },
  { weight: 3, arbitrary: fc.constantFrom(...others) },
  { weight: 3, arbitrary: reports },
  { weight: 1, arbitrary: fc.constantFrom(...afterTheEnd) },
);

/** Seconds between two steps, with occasional jumps past every deadline or backwards. */
const pauses = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0, max: 900 }) },
  { weight: 1, arbitrary: fc.integer({ min: -600, max: 4 * the.DAY }) },
);

/** Random lives of a job under any commands in any order; the caller runs the walk. */
export const walks = walksAfter(the.waiting);

export function walksAfter(past: readonly JobEvent[]): fc.Arbitrary<() => Walk> {
  return fc
    .array(fc.tuple(wishes, pauses), { minLength: 1, maxLength: 60 })
    .map((wanted) => () => walk(past, wanted));
}

function walk(past: readonly JobEvent[], wanted: readonly (readonly [Wish, number])[]): Walk {
  const events: JobEvent[] = [...past];
  const steps: Step[] = [];
  let job = fold(jobDecider, events);
  let now = 0;
  for (const [wish, pause] of wanted) {
    now = Math.max(0, now + pause);
    const command = wish(job.attemptCount, the.seconds(now));
    const decision = jobDecider.decide(job, command);
    const followed = decision.accepted ? decision.events : [];
    steps.push({ before: job, command, events: followed });
    events.push(...followed);
    job = fold(jobDecider, followed, job);
  }
  return { job, events, steps };
}
