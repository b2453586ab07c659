import type { Actor, Recorded, RecordedEvent } from '../../../kernel/recorded-event.js';
import { elapsed, type Instant } from '../../../kernel/time.js';
import { blockerOf, isPaper, MAX_AHEAD, type Blocker, type Circumstances } from './explanation.blockers.js';
import { stepsOf, type NextStep } from './explanation.steps.js';
import type { Cause, Verdict } from './explanation.words.js';
import type { JobEvent, JobStatus, ReviewCode } from './job.events.js';
import { LATE } from './job.rules.js';
import { evolve, noJob, type Job } from './job.state.js';

export interface Explanation {
  readonly verdict: Verdict;
  /** Of any attempt. */
  readonly may_have_printed: boolean;
  readonly cause: Cause;
  /** When the cause began. */
  readonly since: Instant;
  /** The event of the cause first. */
  readonly evidence: readonly Line[];
  readonly next_steps: readonly NextStep[];
}

interface Line {
  readonly event_id: string;
  readonly at: Instant;
  readonly text: string;
}

type Fenced = { readonly fence?: number };
type JobEvents = readonly Recorded<JobEvent>[];
type EventOf<T extends JobEvent['type']> = Extract<Recorded<JobEvent>, { type: T }>;

interface Story extends Circumstances {
  readonly job: Job;
  readonly events: JobEvents;
  /** Attempts that may have been printed; 0: one that the service does not know. */
  readonly printed: ReadonlyMap<number, Recorded<JobEvent>>;
}

/** What the events of the job say. */
interface Own {
  readonly verdict: Verdict;
  readonly cause: Cause;
  readonly event: Recorded<JobEvent>;
  readonly text: string;
}

/**
 * Why a job has not printed, and what to do. Names in the texts stand in quotation marks, times are instants.
 * @param events all of the job, oldest first; not empty
 */
export function explain(events: JobEvents, circumstances: Circumstances): Explanation {
  const job = events.reduce(evolve, noJob);
  const story = { ...circumstances, job, events, printed: printedAttempts(events) };
  const own = OWN[job.status as JobStatus](story);
  const isOpen = own.verdict === 'waiting' || own.verdict === 'printing';
  const blocker = isOpen ? blockerOf(story, job) : undefined;
  const verdict = blocker ? 'blocked' : own.verdict;
  const cause = blocker?.cause ?? own.cause;
  const evidence = [
    ...linesOf(own, blocker),
    ...(blocker ? lastError(story) : []),
    ...attemptsBeside(own, story),
  ];
  const since = evidence[0]!.at;
  return {
    ...{ verdict, may_have_printed: story.printed.size > 0, cause, since, evidence },
    next_steps: stepsOf(story, { verdict, cause, since }),
  };
}

const OWN: Readonly<Record<JobStatus, (story: Story) => Own>> = {
  created: waiting,
  queued: waiting,
  leased: atComputer,
  accepted_by_agent: atComputer,
  sent_to_spooler: atComputer,
  spooler_completed: (story) => {
    const event = last(story, 'JobCompleted');
    const text = `The spooler finished at ${event.data.completedAt}. This does not prove that paper came out.`;
    return { verdict: 'finished', cause: 'spooler_finished', event, text };
  },
  failed,
  manual_review: (story) => {
    const event = last(story, 'ManualReviewOpened');
    const [cause, happened] = REVIEWS[event.data.failureCode];
    const text =
      `It may have been printed: ${happened}. Without a decision the job expires at ${story.job.expiresAt}. ` +
      'If it was printed, nothing is to be done: it is closed as expired then.';
    return { verdict: 'needs_decision', cause, event, text };
  },
  cancelled: (story) => {
    const event = last(story, 'JobCancelled');
    const { at, actor } = event.metadata;
    const reason = event.data.reason === undefined ? '' : ` The reason: “${event.data.reason}”.`;
    const text = `Cancelled by ${ACTORS[actor.kind]} at ${at}, before the hand-off.${reason}`;
    return { verdict: 'cancelled', cause: 'cancelled', event, text };
  },
  expired: (story) => {
    const event = last(story, 'JobExpired');
    const { at } = event.metadata;
    const before = story.events.slice(0, story.events.indexOf(event)).reduce(evolve, noJob);
    if (before.status === 'manual_review') {
      const text = `Expired at ${at} without a decision: it may have been printed.`;
      return { verdict: 'expired', cause: 'expired_undecided', event, text };
    }
    const text = `Expired at ${at} before it was handed to a spooler.${unprinted(story)}`;
    return { verdict: 'expired', cause: 'expired_waiting', event, text };
  },
};

const ACTORS: Readonly<Record<Actor['kind'], string>> = {
  api_key: 'an API key',
  partner: 'the partner',
  device: 'the Agent',
  enrollment: 'an enrolment',
  operator: 'an operator',
  member: 'a member of the account',
  process: 'the service',
};

const REVIEWS: Readonly<Record<ReviewCode, readonly [Cause, string]>> = {
  HANDOFF_UNCONFIRMED: [
    'handoff_unconfirmed',
    'the computer got permission to print and then reported nothing',
  ],
  SPOOLER_VANISHED: ['spooler_vanished', 'the job was gone from the spooler before it was done'],
  SPOOLER_ABORTED: [
    'spooler_aborted',
    'the spooler ended the job unfinished, and pages may have been printed',
  ],
  SPOOLER_SILENT: ['spooler_silent', 'the spooler reported nothing for too long'],
  RESTORED: ['service_restored', 'the service was restored from a backup or lost its newest events'],
  UNEXPECTED_EVIDENCE: [
    'unexpected_evidence',
    'the computer reported a hand-off that the service does not know',
  ],
  CLONE_SUSPECTED: ['credential_shared', 'two computers used one credential'],
};

const FAILURES: Readonly<Record<string, Cause>> = {
  CONTENT_NOT_FOUND: 'document_lost',
  CONTENT_DAMAGED: 'document_damaged',
  RENDER_FAILED: 'document_not_printable',
  GLYPH_MISSING: 'document_not_printable',
  CONTENT_TYPE_NOT_SUPPORTED: 'document_not_printable',
  OPTION_NOT_SUPPORTED: 'option_refused',
  AGENT_LOST_BEFORE_HANDOFF: 'agent_lost',
  LEASE_LAPSED: 'lease_lapsed',
  SPOOLER_CANCELLED_LOCALLY: 'cancelled_at_computer',
  PRINTER_STUCK: 'printer_stuck',
};

const beginOfWait = (story: Story) =>
  last(story, 'JobQueued', 'LeaseLapsed', 'LeaseReleased', 'JobRequeued', 'JobMoved', 'JobCreated');

/** Until now others may have been before it, so it need not be the Agent's fault. */
const isLate = (story: Story) => elapsed(beginOfWait(story).metadata.at, story.now) > LATE;

function waiting(story: Story): Own {
  const { job, ahead, now, printer, computer } = story;
  const event = beginOfWait(story);
  const place = `Waiting for “${printer.name}” on “${computer.name}”.${unprinted(story)}`;
  const own = (cause: Cause, why: string): Own => ({ verdict: 'waiting', cause, event, text: why + place });
  if (job.notBefore !== undefined && now < job.notBefore)
    return own('given_back_by_agent', `The Agent gave it back; it gets it again at ${job.notBefore}. `);
  if (ahead === 0)
    return own('next_in_turn', isLate(story) ? `It has been waiting since ${event.metadata.at}. ` : '');
  const jobs =
    ahead === 1 ? 'One job waits' : `${ahead > MAX_AHEAD ? `More than ${MAX_AHEAD}` : ahead} jobs wait`;
  return own('jobs_before_it', `${jobs} for this printer before it. `);
}

function atComputer(story: Story): Own {
  const { job, computer } = story;
  const name = `“${computer.name}”`;
  const own = (cause: Cause, event: Recorded<JobEvent>, text: string): Own => ({
    ...{ verdict: 'printing', cause, event, text },
  });
  if (job.status === 'sent_to_spooler') {
    const event = last(story, 'JobSpooled');
    const since = event.data.spooledAt;
    return own('in_spooler', event, `In the spooler of ${name} since ${since}. It may have been printed.`);
  }
  if (job.lease?.phase === 'handed_off') {
    const event = last(story, 'HandoffStarted');
    const text = `${name} was allowed to hand it to its spooler at ${event.metadata.at}, and has not reported since. It may have been printed.`;
    return own('handed_off', event, text);
  }
  const event = last(story, 'JobAccepted', 'JobLeased');
  return own('with_agent', event, `${name} has the job, its spooler has not.${unprinted(story)}`);
}

function failed(story: Story): Own {
  const event = last(story, 'JobFailed');
  const { failureCode, message = '', retryState, nextAttemptAt } = event.data;
  const saysPaper = isPaper(failureCode) || isPaper(message);
  const cause = FAILURES[failureCode] ?? (saysPaper ? 'out_of_paper' : 'not_taken_by_spooler');
  const reason = `${failureCode}${message && `, “${message}”`}`;
  const which = story.printed.size === 0 ? 'Certainly' : 'This attempt was certainly';
  const isRetried = retryState === 'scheduled';
  const next = isRetried ? ` Next attempt at ${nextAttemptAt}.` : '';
  return {
    ...{ verdict: isRetried ? 'retrying' : 'failed', cause, event },
    text: `${which} not printed: ${reason}.${next}`,
  };
}

const unprinted = ({ printed }: Story) => (printed.size === 0 ? ' Nothing has been printed.' : '');

function last<T extends JobEvent['type']>(
  { events }: Pick<Story, 'events'>,
  ...types: readonly T[]
): EventOf<T> {
  return events.findLast(({ type }) => types.some((one) => one === type)) as EventOf<T>;
}

const lineOf = ({ id, metadata: { at } }: RecordedEvent, text: string): Line => ({ event_id: id, at, text });

/** The cause first. */
function linesOf({ event, text }: Own, blocker: Blocker | undefined): readonly Line[] {
  if (!blocker) return [lineOf(event, text)];
  if (!blocker.event) return [lineOf(event, `${blocker.text} ${text}`)];
  return [lineOf(blocker.event, blocker.text), lineOf(event, text)];
}

function lastError({ newest, lastError }: Story): readonly Line[] {
  const reported = newest.findLast(({ type }) => type === 'AgentHealthChanged');
  if (!lastError || !reported) return [];
  const { code, message, at } = lastError;
  return [lineOf(reported, `The Agent's last error, at ${at}: ${code}, “${message}”.`)];
}

const MAX_ATTEMPTS = 10;

/** Other attempts that may have been printed. */
function attemptsBeside({ event, cause }: Own, { job, printed }: Story): readonly Line[] {
  const { fence = cause === 'expired_undecided' ? job.attemptCount : undefined } = event.data as Fenced;
  return [...printed]
    .filter(([n, one]) => n !== fence && one !== event)
    .slice(-MAX_ATTEMPTS)
    .map(([n, one]) => lineOf(one, `${n === 0 ? 'It' : `Attempt ${n}`} may have been printed too.`));
}

/** Late results that prove their attempt unprinted. */
const UNPRINTED: ReadonlySet<string> = new Set(['not_submitted', 'rejected', 'spooler_cancelled']);
/** From these on the attempt may have been printed. */
const PRINTING: ReadonlySet<string> = new Set([
  ...['HandoffStarted', 'JobSpooled', 'JobCompleted', 'ManualReviewOpened', 'LateResultRecorded'],
]);

function printedAttempts(events: JobEvents): Story['printed'] {
  const found = new Map<number, Recorded<JobEvent>>();
  for (const event of events) {
    const { fence = 0 } = event.data as Fenced;
    if (event.type === 'LateResultRecorded' && UNPRINTED.has(event.data.report)) continue;
    if (event.type === 'JobFailed') found.delete(fence);
    else if (PRINTING.has(event.type)) found.set(fence, event);
  }
  return found;
}
