import {
  HANDOFF_GRACE,
  HOUR,
  JobFacts,
  LEASE,
  SESSIONS,
  SPOOL_WATCH,
  SPOOLER,
  SUCCESSION,
  type Reported,
} from './job.facts.js';

/**
 * A print job, written from the specification and not from the code. Each method models one call or one due
 * timer and returns the answer.
 */
export class JobModel extends JobFacts {
  /** True if the last report was stored, so that a repeat is a duplicate. */
  reportIsKnown = false;

  /** The deadline has passed. */
  timePasses(now: number): void {
    if (this.canExpire && this.expires <= now) this.expire(now);
    else if (this.status === 'leased') this.lapse(now);
    else if (this.status === 'failed') this.requeue(now);
    else if (this.phase === 'accepted') this.fail(now, 'temporary', 'AGENT_LOST_BEFORE_HANDOFF');
    else this.park(now, this.phase === 'spooled' ? 'SPOOLER_SILENT' : 'HANDOFF_UNCONFIRMED');
  }

  lease(now: number): boolean {
    if (this.status !== 'queued' || now < this.grantFrom) return false;
    this.attempts++;
    this.leaseSession = this.session;
    this.permitSession = undefined;
    this.retriedByPerson = false;
    this.notBefore = 0;
    this.move(now, 'leased', 'job.leased');
    this.phase = 'leased';
    this.phaseEnds = now + LEASE;
    this.rest.last_attempt_at = now;
    return true;
  }

  accept(now: number, rightContent: boolean): string {
    if (this.status === 'expired') return 'JOB_EXPIRED';
    if (this.status !== 'leased' && this.status !== 'accepted_by_agent') return 'LEASE_LOST';
    if (this.leaseSession !== this.session) return 'LEASE_LOST';
    if (!rightContent) return 'CONTENT_MISMATCH';
    if (this.status === 'leased') {
      this.move(now, 'accepted_by_agent', 'job.accepted_by_agent');
      this.phase = 'accepted';
      this.lapses = this.releases = 0;
      this.graceAtMost = now + SPOOL_WATCH;
      this.phaseEnds = 0;
    }
    this.renew(now);
    return 'OK';
  }

  handOff(now: number): string {
    if (this.status === 'expired') return 'JOB_EXPIRED';
    if (this.status !== 'accepted_by_agent') return 'LEASE_LOST';
    if (this.phase === 'accepted') {
      this.move(now, this.status, 'job.handoff_started');
      this.phase = 'handed_off';
      this.phaseEnds = now + HANDOFF_GRACE;
      this.notBefore = now;
      this.permitSession = this.session;
    }
    if (this.permitSession === this.session) return 'OK';
    return this.succeeds && now >= this.sessionStarted + SUCCESSION ? 'OK' : 'LEASE_LOST';
  }

  release(now: number): string {
    if (this.phase === 'released') return 'OK';
    if (this.status !== 'leased') return 'LEASE_LOST';
    this.move(now, 'queued', 'job.lease_released');
    this.phase = 'released';
    this.lapses = 0;
    this.releases++;
    if (this.releases >= 5) this.grantFrom = now + Math.min(60, 2 ** (this.releases - 5)) * 1000;
    return 'OK';
  }

  /** Names the newest lease; returns whether the agent lost it or renewed it. */
  heartbeat(now: number): string {
    if (this.held) return this.renew(now);
    if (this.status === 'queued' || this.status === 'failed') return 'lapsed';
    return this.status === 'cancelled' || this.status === 'expired' ? this.status : 'superseded';
  }

  startSession(now: number): void {
    this.session++;
    this.sessionStarted = now;
  }

  /** A new session whose journal does not name the lease. */
  lose(now: number): void {
    if (this.status === 'leased') this.lapse(now);
    else if (this.held && this.phase === 'accepted') this.fail(now, 'temporary', 'AGENT_LOST_BEFORE_HANDOFF');
  }

  /** A new session whose journal names the newest lease. */
  reconcile(now: number, touched: boolean): string {
    if (this.status === 'spooler_completed') return 'forget';
    if (touched && this.thoughtUnprinted) {
      this.parkOnEvidence(now);
      return 'report';
    }
    if (this.status === 'leased' || (this.phase === 'accepted' && this.held)) {
      this.leaseSession = this.session;
      this.renew(now);
      return 'continue';
    }
    if (this.held || this.status === 'manual_review') return 'report';
    return touched ? 'report' : 'abandon';
  }

  /** A first report under the newest lease. */
  report(now: number, said: Reported): string {
    if (this.status === 'leased' || (this.held && this.phase === 'accepted')) {
      return this.reportBeforeHandOff(now, said);
    }
    if (this.held) return this.reportAfterHandOff(now, said);
    if (this.status === 'manual_review') {
      if (said.type === 'spooler_completed') return this.complete(now, said);
      return this.unprinted(now, said) ?? this.recordLate();
    }
    const success = said.type === 'spooled' || said.type === 'spooler_completed';
    if (success && this.thoughtUnprinted) return this.reportUnexpected(now, said);
    return this.status === 'spooler_completed' && success ? 'duplicate' : this.recordLate();
  }

  recordLate(): string {
    this.history.push('job.late_result_recorded');
    return 'late';
  }

  cancel(now: number): string {
    if (this.status !== 'queued' && this.status !== 'leased') return 'SVC_JOB_STATE_CONFLICT';
    this.move(now, 'cancelled', 'job.cancelled');
    this.rest.cancelled_at = this.ended = now;
    return 'SVC_JOB_CANCELLED';
  }

  /** `again`: with the idempotency key of the last successful retry. */
  retry(now: number, again: boolean): string {
    if (again && now < this.retryKeptUntil) return 'SVC_JOB_RETRIED';
    if (this.held || this.status === 'spooler_completed') return 'SVC_JOB_RETRY_DUPLICATION_RISK';
    if (!this.canRetry(now)) return 'SVC_JOB_STATE_CONFLICT';
    this.retryKeptUntil = Math.max(this.expires, now + 24 * HOUR);
    this.requeue(now);
    this.retriedByPerson = true;
    return 'SVC_JOB_RETRIED';
  }

  /** True if only restarts lie between the session of the permit and this one. */
  private get succeeds(): boolean {
    return this.permitSession !== undefined && this.session - this.permitSession <= SESSIONS;
  }

  private reportUnexpected(now: number, said: Reported): string {
    if (said.type === 'spooler_completed') return this.complete(now, said);
    Object.assign(this.rest, SPOOLER);
    return this.parkOnEvidence(now);
  }

  private parkOnEvidence(now: number): string {
    this.phase = 'spooled';
    return this.park(now, 'UNEXPECTED_EVIDENCE');
  }

  private reportBeforeHandOff(now: number, said: Reported): string {
    const { type, failureClass, failureCode } = said;
    if (type === 'spooled' || type === 'spooler_completed') return this.reportUnexpected(now, said);
    const code = failureCode ?? USUAL_CODES[type];
    if (type === 'rejected')
      return this.fail(now, failureClass === 'temporary' ? 'temporary' : 'permanent', code);
    const hadIt = type === 'spooler_failed' || type === 'spooler_vanished';
    if (failureClass === 'ambiguous' || (failureClass === undefined && hadIt))
      return this.reportUnexpected(now, said);
    return this.fail(now, failureClass ?? (type === 'spooler_cancelled' ? 'permanent' : 'temporary'), code);
  }

  private reportAfterHandOff(now: number, said: Reported): string {
    const { type } = said;
    if (type === 'spooled') return this.phase === 'spooled' ? 'duplicate' : this.spool(now, said);
    if (type === 'spooler_completed') {
      if (this.phase !== 'spooled') this.spool(now, said);
      return this.complete(now, said);
    }
    const proved = this.unprinted(now, said);
    if (proved !== undefined) return proved;
    Object.assign(this.rest, SPOOLER);
    if (this.isProof(said)) return this.park(now, 'CLONE_SUSPECTED');
    const vanished = type === 'spooler_vanished' || type === 'not_submitted';
    this.phase = 'spooled';
    return this.park(now, vanished ? 'SPOOLER_VANISHED' : 'SPOOLER_ABORTED');
  }

  /** Proofs, after the hand-off, that nothing was printed. */
  private unprinted(now: number, said: Reported): string | undefined {
    if (!this.isProof(said) || !this.succeeds) return undefined;
    if (said.type === 'spooler_cancelled') return this.fail(now, 'permanent', 'SPOOLER_CANCELLED_LOCALLY');
    const restarted = this.permitSession !== this.session;
    const notBefore = restarted ? this.sessionStarted + SUCCESSION : 0;
    return this.fail(now, 'temporary', said.failureCode ?? USUAL_CODES.not_submitted, notBefore);
  }

  private isProof({ type, failureClass }: Reported): boolean {
    if (failureClass === 'ambiguous') return false;
    return type === 'spooler_cancelled' || (type === 'not_submitted' && this.phase !== 'spooled');
  }
}
const USUAL_CODES = {
  not_submitted: 'NOT_SUBMITTED',
  rejected: 'REJECTED_BY_AGENT',
  spooler_failed: 'SPOOLER_FAILED',
  spooler_vanished: 'SPOOLER_VANISHED',
  spooler_cancelled: 'SPOOLER_CANCELLED_LOCALLY',
} as const;
