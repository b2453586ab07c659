import type { PrintJob } from '../../sdk/src/generated/integration.js';
import type { PanelEvent } from '../../sdk/src/generated/panel.js';
import { at, foreign, type Sentence } from './sentence.js';

/** How certain it is whether the document was printed. */
export type Tone = 'waiting' | 'moving' | 'done' | 'failed' | 'decision' | 'off';

export interface Verdict {
  readonly tone: Tone;
  readonly sentence: Sentence;
  /** Earlier attempts that may have been printed too. */
  readonly also: readonly number[];
}

/** Facts about the job that are not in it. */
export interface Surroundings {
  /** The computer has not called since then; absent if it is online, or unknown. */
  readonly offlineSince?: string | undefined;
}

type Facts = PrintJob & { readonly events: readonly PanelEvent[] } & Surroundings;
type Said = Omit<Verdict, 'also'>;

const REVIEWS: Readonly<Record<string, string>> = {
  HANDOFF_UNCONFIRMED: 'the computer got permission to print and then reported nothing',
  SPOOLER_VANISHED: 'the job was gone from the spooler before it was done',
  SPOOLER_ABORTED: 'the spooler gave up after pages may have been printed',
  SPOOLER_SILENT: 'the spooler reported nothing for too long',
  RESTORED: 'the service was restored from a backup, and the job may have been printed since',
  UNEXPECTED_EVIDENCE: 'the computer reported a hand-off that the service does not know',
  CLONE_SUSPECTED: 'two computers used one credential',
};

/** What is certain about the paper, in words that never claim more than is known. */
export function verdictOf(
  job: PrintJob,
  events: readonly PanelEvent[],
  surroundings: Surroundings = {},
): Verdict {
  const facts = { ...job, ...surroundings, events };
  return { ...SAYS[job.status](facts), also: alsoPrinted(facts) };
}

const SAYS: Readonly<Record<PrintJob['status'], (facts: Facts) => Said>> = {
  created: waiting,
  queued: waiting,
  leased: beforeTheSpooler,
  accepted_by_agent: accepted,
  sent_to_spooler: (job) => ({
    tone: 'moving',
    sentence: [
      ...['In the spooler of ', computer(job), ' since ', at(job.spooler_submitted_at ?? job.updated_at)],
      '. It may have been printed.',
    ],
  }),
  spooler_completed: (job) => ({
    tone: 'done',
    sentence: [
      ...['The spooler finished at ', at(job.spooler_completed_at ?? job.updated_at)],
      '. This does not prove that paper came out.',
    ],
  }),
  failed,
  manual_review: review,
  cancelled,
  expired,
};

const computer = (job: PrintJob) => foreign(job.computer_name ?? 'the computer');
const printer = (job: PrintJob) => foreign(job.printer_name ?? 'the printer');

function waiting(job: Facts): Said {
  const offline = job.offlineSince ? [' The printer is offline since ', at(job.offlineSince), '.'] : [];
  return {
    tone: 'waiting',
    sentence: [
      ...['Waiting for ', printer(job), ' on ', computer(job), '. Nothing has been printed.'],
      ...offline,
    ],
  };
}

function beforeTheSpooler(job: Facts): Said {
  return {
    tone: 'moving',
    sentence: [computer(job), ' has the job, its spooler has not: nothing has been printed.'],
  };
}

function accepted(job: Facts): Said {
  const handoff = ofAttempt(job, 'HandoffStarted', job.attempt_count);
  if (!handoff) return beforeTheSpooler(job);
  return {
    tone: 'moving',
    sentence: [
      ...['Handed to the spooler of ', computer(job), ' at ', at(handoff.recorded_at)],
      '. From then on it may have been printed.',
    ],
  };
}

function failed(job: Facts): Said {
  const reason = job.failure_message
    ? foreign(job.failure_message)
    : (job.failure_code ?? 'no reason was given');
  const next =
    job.retry_state === 'scheduled' && job.next_attempt_at
      ? [' Next attempt at ', at(job.next_attempt_at), '.']
      : [];
  return { tone: 'failed', sentence: ['Certainly not printed: ', reason, '.', ...next] };
}

function review(job: Facts): Said {
  const happened = REVIEWS[job.failure_code ?? ''] ?? 'what happened is unknown';
  return {
    tone: 'decision',
    sentence: [
      `It may have been printed: ${happened}. Without a decision the job expires at `,
      at(job.expires_at),
      '.',
    ],
  };
}

function cancelled(job: Facts): Said {
  const event = last(job, 'JobCancelled');
  const by = event ? [' by ', foreign(event.actor.name)] : [];
  return {
    tone: 'off',
    sentence: [
      ...['Cancelled', ...by, ' at ', at(job.cancelled_at ?? job.updated_at), ', before the hand-off.'],
    ],
  };
}

function expired(job: Facts): Said {
  const end = last(job, 'JobExpired')?.recorded_at ?? job.updated_at;
  const inReview = lastBefore(job, 'JobExpired')?.type === 'ManualReviewOpened';
  return {
    tone: 'off',
    sentence: inReview
      ? ['Expired at ', at(end), ' without a decision: it may have been printed.']
      : ['Expired at ', at(end), '. Nothing was printed.'],
  };
}

/** Results that prove the attempt unprinted. */
const UNPRINTED: ReadonlySet<unknown> = new Set(['not_submitted', 'rejected', 'spooler_cancelled']);

/** Attempts before the current one that ended in review, or of which a late result came. */
function alsoPrinted({ events, attempt_count }: Facts): readonly number[] {
  const isOver = indexOfLast(events, 'JobRequeued') > indexOfLast(events, 'JobLeased');
  const current = isOver ? attempt_count + 1 : attempt_count;
  const found = new Set<number>();
  for (const { type, data } of events) {
    const { fence, report } = data as { readonly fence?: number; readonly report?: string };
    if (fence === undefined || fence >= current) continue;
    const isLate = type === 'LateResultRecorded' && !UNPRINTED.has(report);
    if (type === 'ManualReviewOpened' || isLate) found.add(fence);
  }
  return [...found].sort((a, b) => a - b);
}

const indexOfLast = (events: Facts['events'], type: string) =>
  events.findLastIndex((event) => event.type === type);

const last = ({ events }: Facts, type: string) => events.filter((event) => event.type === type).at(-1);

/** Notes that say nothing about the paper. */
const NOTES: ReadonlySet<string> = new Set([
  'LateResultRecorded',
  'ContentPurged',
  'LeaseKept',
  'LeaseInvalidated',
]);

function lastBefore({ events }: Facts, type: string): PanelEvent | undefined {
  const end = events.findLastIndex((event) => event.type === type);
  return events.slice(0, Math.max(0, end)).findLast((event) => !NOTES.has(event.type));
}

function ofAttempt({ events }: Facts, type: string, attempt: number): PanelEvent | undefined {
  return events.find((event) => event.type === type && (event.data as { fence?: number }).fence === attempt);
}
