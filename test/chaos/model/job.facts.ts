import type { Milliseconds } from '../../../src/kernel/time.js';
import { SECOND, MINUTE } from '../../surface/asking.js';

export type Report =
  | 'spooled'
  | 'spooler_completed'
  | 'spooler_failed'
  | 'spooler_cancelled'
  | 'spooler_vanished'
  | 'not_submitted'
  | 'rejected';
export type FailureClass = 'temporary' | 'permanent' | 'ambiguous';

/** A report of the agent. */
export interface Reported {
  readonly type: Report;
  readonly failureClass?: FailureClass;
  readonly failureCode?: string;
  /** Time before the call at which it happened, by the agent. */
  readonly ago: Milliseconds;
}

export const HOUR = 60 * MINUTE;
export const LEASE = MINUTE;
const GRACE = 2 * MINUTE;
export const HANDOFF_GRACE = 10 * MINUTE;
export const SPOOL_WATCH = 30 * MINUTE;
/** Two heartbeat intervals: a session silent for this long was ended by a restart. */
export const SUCCESSION = 40 * SECOND;
/** Number of remembered sessions of a computer. */
export const SESSIONS = 16;
/** Spooler data in every report. */
export const SPOOLER = { spooler_provider: 'virtual', spooler_job_id: '7' };
const REVIEW = 72 * HOUR;
const RETRY_DELAYS = [15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];
export const MAX_AUTO_RETRIES = 2;

type Phase = 'none' | 'leased' | 'accepted' | 'handed_off' | 'spooled' | 'released';
type Fields = Record<string, string | number | boolean | undefined>;

/** Facts about a job, and the steps that make up its moves. Times are epoch milliseconds. */
export class JobFacts {
  status = 'queued';
  /** Progress of the agent under the newest lease. */
  phase: Phase = 'none';
  attempts = 0;
  history = ['job.created', 'job.queued'];
  protected retries = 0;
  protected retryState = 'none';
  protected lapses = 0;
  protected releases = 0;
  /** No lease is granted before this time. */
  protected grantFrom = 0;
  protected retriedByPerson = false;
  /** Sessions are numbered. */
  protected session = 0;
  protected sessionStarted: number;
  protected leaseSession = 0;
  protected permitSession?: number;
  protected nextAttempt?: number;
  protected updated: number;
  protected ended?: number;
  /** Deadline of the lease's phase. */
  protected phaseEnds = Infinity;
  protected graceAtMost = Infinity;
  /** Earliest possible time of a report. */
  protected notBefore = 0;
  protected retryKeptUntil = -1;
  /** Fields set by only some moves. */
  protected rest: Fields = {};

  constructor(
    readonly created: number,
    protected expires: number,
  ) {
    this.updated = created;
    this.sessionStarted = created;
  }

  get held(): boolean {
    return ['leased', 'accepted_by_agent', 'sent_to_spooler'].includes(this.status);
  }

  /** True if the service would print it, knowing of no hand-off. */
  protected get thoughtUnprinted(): boolean {
    if (this.status === 'queued') return !this.retriedByPerson;
    if (this.status === 'failed') return this.nextAttempt !== undefined;
    return this.status === 'leased' || (this.held && this.phase === 'accepted');
  }

  /** Time of the next timer; Infinity if none. */
  get deadline(): number {
    const retry = this.status === 'failed' ? (this.nextAttempt ?? Infinity) : Infinity;
    return Math.min(this.canExpire ? this.expires : Infinity, this.held ? this.phaseEnds : Infinity, retry);
  }

  protected get canExpire(): boolean {
    if (this.status === 'accepted_by_agent') return this.phase === 'accepted';
    if (this.status === 'failed') return this.nextAttempt !== undefined;
    return ['queued', 'leased', 'manual_review'].includes(this.status);
  }

  /** The job as the Integration API shows it; times are numbers, absent fields undefined. */
  shown(now: number): Fields {
    return {
      ...this.rest,
      status: this.status,
      attempt_count: this.attempts,
      retry_count: this.retries,
      retry_state: this.retryState,
      next_attempt_at: this.nextAttempt,
      updated_at: this.updated,
      expires_at: this.expires,
      duration_ms: (this.ended ?? this.updated) - this.created,
      is_final: ['spooler_completed', 'cancelled', 'expired'].includes(this.status),
      can_cancel: this.status === 'queued' || this.status === 'leased',
      can_retry: this.canRetry(now),
    };
  }

  protected canRetry(now: number): boolean {
    const temporary = this.status === 'failed' && this.rest.failure_class === 'temporary';
    return (this.status === 'manual_review' || temporary) && now < this.expires;
  }

  protected move(now: number, status: string, ...lines: string[]): void {
    this.status = status;
    this.updated = now;
    this.history.push(...lines);
  }

  protected renew(now: number): string {
    if (this.phase === 'leased') this.phaseEnds = Math.max(this.phaseEnds, now + LEASE);
    if (this.phase === 'accepted') {
      this.phaseEnds = Math.min(this.graceAtMost, Math.max(this.phaseEnds, now + GRACE));
    }
    return 'renewed';
  }

  protected lapse(now: number): void {
    this.phase = 'none';
    this.lapses++;
    this.releases = 0;
    this.move(now, 'queued', 'job.lease_lapsed');
    if (this.lapses === 5) this.fail(now, 'temporary', 'LEASE_LAPSED');
  }

  protected expire(now: number): void {
    this.move(now, 'expired', 'job.expired');
    this.ended = now;
    this.nextAttempt = undefined;
    if (['scheduled', 'manual_review'].includes(this.retryState)) this.retryState = 'none';
  }

  protected requeue(now: number): void {
    this.retries++;
    this.retryState = 'submitted';
    this.lapses = this.releases = this.grantFrom = 0;
    this.retriedByPerson = false;
    this.nextAttempt = undefined;
    this.phase = 'none';
    this.move(now, 'queued', 'job.retry_submitted');
    for (const field of ['spooler_provider', 'spooler_job_id', 'spooler_submitted_at'])
      delete this.rest[field];
  }

  protected fail(now: number, failure_class: FailureClass, failure_code: string, notBefore = 0): string {
    this.move(now, 'failed', 'job.failed');
    Object.assign(this.rest, { failure_class, failure_code, last_failure_at: now });
    const exhausted = this.retries >= MAX_AUTO_RETRIES;
    if (failure_class === 'permanent') this.retryState = 'none';
    else if (exhausted) this.retryState = 'exhausted';
    else {
      this.retryState = 'scheduled';
      this.nextAttempt = Math.max(now + RETRY_DELAYS[this.retries]!, notBefore);
      this.history.push('job.retry_scheduled');
    }
    return 'applied';
  }

  protected park(now: number, failure_code: string): string {
    this.move(now, 'manual_review', 'job.manual_review');
    Object.assign(this.rest, { failure_class: 'ambiguous', failure_code, last_failure_at: now });
    this.rest.manual_review_at = now;
    this.retryState = 'manual_review';
    this.nextAttempt = undefined;
    this.expires = Math.max(this.expires, now + REVIEW);
    return 'applied';
  }

  protected spool(now: number, { ago }: Reported): string {
    this.move(now, 'sent_to_spooler', 'job.sent_to_spooler');
    this.phase = 'spooled';
    this.phaseEnds = now + SPOOL_WATCH;
    this.notBefore = this.seen(now, ago);
    Object.assign(this.rest, SPOOLER, { spooler_submitted_at: this.notBefore });
    return 'applied';
  }

  protected complete(now: number, { ago }: Reported): string {
    this.move(now, 'spooler_completed', 'job.spooler_completed');
    this.phase = 'none';
    this.ended = this.seen(now, ago);
    Object.assign(this.rest, SPOOLER, { completed_at: this.ended, spooler_completed_at: this.ended });
    this.rest.failure_class = this.rest.failure_code = undefined;
    this.nextAttempt = undefined;
    this.retryState = this.retries > 0 ? 'completed' : 'none';
    return 'applied';
  }

  /** Time of the report by the agent's clock, which may be wrong; now if no hand-off is known. */
  private seen(now: number, ago: Milliseconds): number {
    return this.notBefore === 0 ? now : Math.max(this.notBefore, now - Math.max(0, ago));
  }
}
