import { categoryOf, idOf } from '../../../src/kernel/ids.js';
import type { RecordedEvent } from '../../../src/kernel/recorded-event.js';
import type { Milliseconds } from '../../../src/kernel/time.js';
import type { Sent } from './history.js';

type Moves = Readonly<Record<string, string>>;

/** Evidence of a hand-off, or of a rolled-back store, for a job that is thought unprinted. */
const DOUBT: Moves = { ManualReviewOpened: 'review', JobCompleted: 'completed' };

/** The moves of decisions.md 5.1 by state and event. A lease dies before its job ends. */
const MOVES: Readonly<Record<string, Moves>> = {
  nothing: { JobCreated: 'created' },
  created: { JobQueued: 'queued' },
  queued: { JobLeased: 'leased', JobCancelled: 'cancelled', JobExpired: 'expired', ...DOUBT },
  leased: {
    ...{ JobAccepted: 'accepted', LeaseKept: 'leased', LeaseReleased: 'queued', LeaseLapsed: 'queued' },
    ...{ LeaseInvalidated: 'withdrawn', JobFailed: 'failed', ...DOUBT },
  },
  'lapsed too often': { JobFailed: 'failed' },
  withdrawn: { JobCancelled: 'cancelled', JobExpired: 'expired' },
  accepted: {
    ...{ HandoffStarted: 'handed off', LeaseKept: 'accepted', JobFailed: 'failed' },
    ...{ LeaseInvalidated: 'withdrawn from the Agent', ...DOUBT },
  },
  'withdrawn from the Agent': { JobExpired: 'expired' },
  'handed off': { JobSpooled: 'spooled', JobFailed: 'failed', ManualReviewOpened: 'review' },
  spooled: { JobCompleted: 'completed', JobFailed: 'failed', ManualReviewOpened: 'review' },
  failed: { RetryScheduled: 'retrying', JobRequeued: 'queued' },
  retrying: { JobRequeued: 'queued', JobExpired: 'expired', ...DOUBT },
  review: { JobRequeued: 'queued', JobCompleted: 'completed', JobFailed: 'failed', JobExpired: 'expired' },
};

/** They change nothing. */
const NOTES = new Set(['LateResultRecorded', 'ContentPurged']);
const BEFORE_EXPIRY = new Set(['JobLeased', 'JobAccepted', 'HandoffStarted']);
const SUCCESSES = new Set(['spooled', 'spooler_completed']);
/** Reports that prove that nothing was printed after a hand-off. */
const PROOFS = new Set(['not_submitted', 'spooler_cancelled']);
const MAY_BE_PRINTED = new Set(['handed off', 'spooled', 'review']);
/** Two heartbeats without a call of the older session: then a newer one counts as its restart. */
export const SUCCESSION_MS: Milliseconds = 40_000;
/** A call of the older session may arrive while its job is retried. */
const SIMULTANEOUS_MS: Milliseconds = 15_000;
const MAX_AUTO_RETRIES = 3;
const MAX_LAPSES = 5;
/** After which a scheduled retry is overdue, however many faults delay its timer. */
const OVERDUE_MS: Milliseconds = 15 * 60_000;

/** All that the judge reads of any event. */
interface Data {
  readonly fence?: number;
  readonly expiresAt?: string;
  readonly nextAttemptAt?: string;
  readonly requeued?: boolean;
  readonly lapsesInARow?: number;
  readonly cause?: 'automatic' | 'manual';
  readonly failureCode?: string;
  readonly reportId?: string;
  readonly report?: string;
  readonly sessionId?: string;
  readonly startedAt?: string;
}

/** Sessions of Agents up to an event. */
interface Sessions {
  readonly started: Map<string, string>;
  /** Those that were replaced, and called. */
  readonly calledOn: Map<string, string>;
}

/** Follows the stored events of one job. */
class JobJudge {
  private state = 'nothing';
  private attempts = 0;
  private retries = 0;
  private expiresAt = '';
  private dueAt: string | undefined;
  private isRetriedByPerson = false;
  /** Session of the lease. */
  private holder = '';
  /** Session of the permit. */
  private permitted = '';
  /** Sessions that may have proved that nothing was printed; none if the one of the permit may have. */
  private provers: readonly string[] = [];

  constructor(
    private readonly reports: ReadonlyMap<string, Sent>,
    private readonly sessions: Sessions,
    private readonly onMove: (move: string) => void,
  ) {}

  /** What is wrong with the event, if anything. */
  take({ type, data, metadata }: RecordedEvent): readonly string[] {
    const given = data as Data;
    const { state } = this;
    if (NOTES.has(type))
      return this.isEvidenceIgnored(given) ? [`it ignores a ${given.report} while ${state}`] : [];
    const next = MOVES[state]?.[type];
    if (next === undefined) return [`${type} is no move of a job that is ${state}`];
    this.onMove(`${state}: ${type}`);
    if (type === 'JobFailed') this.provers = MAY_BE_PRINTED.has(state) ? this.proversOf(given.reportId) : [];
    const wrong = [
      ...this.wrongs(type, given, metadata.at),
      ...this.wrongsOfSessions(type, given, metadata.at),
    ];
    this.move(type, given, next);
    return wrong;
  }

  private wrongs(type: string, data: Data, at: string): readonly string[] {
    const { attempts, dueAt, expiresAt, state } = this;
    const { fence = attempts, cause, failureCode, lapsesInARow = 0, reportId, requeued } = data;
    // A rolled-back log has lost what came of the retry.
    const isKnown = dueAt !== undefined && failureCode !== 'RESTORED';
    const isLate = isKnown && Date.parse(at) > Date.parse(dueAt) + OVERDUE_MS;
    const isUnprinted = state === 'handed off' && this.typeOf(reportId) === 'not_submitted';
    const isParked = type === 'ManualReviewOpened';
    return this.broken(type, [
      [type === 'JobLeased' ? fence !== attempts + 1 : fence < attempts, `fence ${fence} after ${attempts}`],
      [BEFORE_EXPIRY.has(type) && at >= expiresAt, `at ${at}, after its expiry at ${expiresAt}`],
      [type === 'RetryScheduled' && this.retries >= MAX_AUTO_RETRIES, 'one retry too many'],
      [cause === 'automatic' && state !== 'retrying', 'retried by itself'],
      [cause === 'automatic' && at < (dueAt ?? ''), 'retried too early'],
      [isLate, `retried late: ${at} instead of ${dueAt}`],
      [requeued === true && lapsesInARow >= MAX_LAPSES, `lapse ${lapsesInARow} in a row`],
      [isParked && isUnprinted && failureCode !== 'CLONE_SUSPECTED', 'parked although nothing was submitted'],
    ]);
  }

  /** Whether the session may do it, and what it says proves it. */
  private wrongsOfSessions(type: string, data: Data, at: string): readonly string[] {
    const { cause, reportId, sessionId } = data;
    const isDoubtful = type === 'JobFailed' && MAY_BE_PRINTED.has(this.state);
    const relies = isDoubtful || cause === 'automatic';
    return this.broken(type, [
      [type === 'HandoffStarted' && sessionId !== this.holder, 'for a session without the lease'],
      [isDoubtful && !PROOFS.has(this.typeOf(reportId)), 'nothing proves that it was not printed'],
      [type === 'RetryScheduled' && this.isTooSoon(data), 'before the older session was silent'],
      [relies && this.isOlderSessionAlive(at), 'although the older session has called'],
    ]);
  }

  private broken(type: string, rules: readonly (readonly [isBroken: boolean, text: string])[]) {
    return rules.flatMap(([isBroken, text]) => (isBroken ? [`${type} while ${this.state}: ${text}`] : []));
  }

  private move(type: string, data: Data, next: string): void {
    this.attempts = Math.max(this.attempts, data.fence ?? 0);
    if (type === 'JobCreated' || type === 'ManualReviewOpened') this.expiresAt = data.expiresAt!;
    if (type === 'JobRequeued') this.retries++;
    if (type === 'JobLeased' || type === 'LeaseKept') this.holder = data.sessionId!;
    if (type === 'HandoffStarted') this.permitted = data.sessionId!;
    this.isRetriedByPerson = type === 'JobRequeued' && data.cause === 'manual';
    this.dueAt = type === 'RetryScheduled' ? data.nextAttemptAt : undefined;
    this.state = type === 'LeaseLapsed' && data.requeued === false ? 'lapsed too often' : next;
  }

  private isTooSoon({ nextAttemptAt = '' }: Data): boolean {
    const startedAt = this.provers.map((session) => Date.parse(this.sessions.started.get(session)!));
    return this.provers.length > 0 && Date.parse(nextAttemptAt) < Math.min(...startedAt) + SUCCESSION_MS;
  }

  private isOlderSessionAlive(at: string): boolean {
    const calledAt = this.sessions.calledOn.get(this.permitted);
    const isCalling = calledAt !== undefined && Date.parse(calledAt) + SIMULTANEOUS_MS < Date.parse(at);
    return this.provers.length > 0 && isCalling;
  }

  private typeOf(reportId = ''): string {
    return this.reports.get(reportId)?.type ?? '';
  }

  private proversOf(reportId = ''): readonly string[] {
    const { sessions = new Set<string>() } = this.reports.get(reportId) ?? {};
    return sessions.has(this.permitted) ? [] : [...sessions];
  }

  /** A success under the newest fence says that a job thought unprinted may have been printed. */
  private isEvidenceIgnored({ report = '', fence = 0 }: Data): boolean {
    const isUnprinted = ['leased', 'accepted', 'retrying'].includes(this.state);
    const isWaiting = this.state === 'queued' && !this.isRetriedByPerson;
    return SUCCESSES.has(report) && fence >= this.attempts && (isUnprinted || isWaiting);
  }
}

/** Moves of jobs that the specification forbids, and how often each allowed one was made. */
export function judgeMoves(events: readonly RecordedEvent[], reports: ReadonlyMap<string, Sent>) {
  const all = Object.entries(MOVES).flatMap(([from, next]) =>
    Object.keys(next).map((type) => [`${from}: ${type}`, 0] as const),
  );
  const moves = new Map<string, number>(all);
  const judges = new Map<string, JobJudge>();
  const count = (move: string) => moves.set(move, (moves.get(move) ?? 0) + 1);
  const sessions: Sessions = { started: new Map(), calledOn: new Map() };
  const violations = events.flatMap((event) => {
    const { type, metadata } = event;
    const { sessionId, startedAt } = event.data as Data;
    if (type === 'AgentSessionStarted') sessions.started.set(sessionId!, startedAt!);
    if (type === 'ReplacedSessionCalled') sessions.calledOn.set(sessionId!, metadata.at);
    if (categoryOf(event.stream) !== 'job') return [];
    const judge = judges.get(event.stream) ?? new JobJudge(reports, sessions, count);
    judges.set(event.stream, judge);
    return judge.take(event).map((wrong) => `job ${idOf(event.stream)}: ${wrong}`);
  });
  return { moves, violations };
}
