import { idOf } from '../../../src/kernel/ids.js';
import type { RecordedEvent } from '../../../src/kernel/recorded-event.js';
import type { Milliseconds } from '../../../src/kernel/time.js';
import { EPOCH_MS, type Simulator } from '../engine/simulator.js';
import type { Lease } from '../actors/agent-disk.js';
import { jobSpecification, type JobCall } from './job-specification.js';
import { isLinearizable, type Operation } from './linearizable.js';

interface CreatedJob {
  readonly jobId: string;
  readonly accountId: string;
  readonly hash: string;
}

interface Submission {
  readonly document: string;
  readonly computer: string;
  readonly at: Milliseconds;
}

/** Of an Agent. */
interface CallingSession {
  readonly id: string;
  /** When the Agent asked for it. */
  readonly asked: Milliseconds;
}

/** A report of an Agent. */
export interface Sent {
  readonly type: string;
  readonly document: string;
  /** Under which it was sent. */
  readonly sessions: Set<string>;
}

/** The shortest life of a lease, less the differences of clocks. */
const LAPSES_AFTER_MS: Milliseconds = 50_000;

/** What the callers of the service know: every promise that it made to them. */
export class History {
  /** Acknowledged jobs by account and idempotency key. */
  readonly created = new Map<string, CreatedJob>();
  readonly submissions: Submission[] = [];
  /** Leases, and the accepts and permits that were the first of their attempt. */
  readonly grants: {
    readonly jobId: string;
    readonly fence: number;
    readonly what: 'leased' | 'accept' | 'hand off';
    /** As the lease names it. */
    readonly expiresAt: Milliseconds;
    readonly asked: Milliseconds;
    readonly at: Milliseconds;
  }[] = [];
  /** From the answer to a suspension to the request to resume. */
  readonly suspensions: {
    readonly accountId: string;
    readonly from: Milliseconds;
    readonly to: Milliseconds;
  }[] = [];
  /** When the acknowledgement of a cancel arrived. */
  readonly cancelled = new Map<string, Milliseconds>();
  readonly cancelAsked = new Set<string>();
  /** Answered hand-offs. */
  readonly permits: {
    readonly jobId: string;
    readonly fence: number;
    readonly session: CallingSession;
    readonly at: Milliseconds;
  }[] = [];
  /** When a retry by a person was asked for. */
  readonly retried = new Map<string, Milliseconds[]>();
  /** When a session of an installation was last asked for, or answered. */
  readonly sessions = new Map<string, Milliseconds>();
  readonly codes = new Map<string, number>();
  /** By id. */
  readonly reports = new Map<string, Sent>();
  /** Jobs of which events were lost. */
  private readonly lost = new Set<string>();
  private readonly calls = new Map<string, Operation<JobCall>[]>();

  constructor(private readonly sim: Simulator) {}

  /** Of a log that was rolled back: nothing is promised any more about what the lost events said. */
  lose(events: readonly RecordedEvent[]): void {
    for (const { stream } of events) this.lost.add(idOf(stream));
  }

  isLost(jobId: string): boolean {
    return this.lost.has(jobId);
  }

  /** @throws Error if the key had another job before */
  create(key: string, job: CreatedJob): void {
    const known = this.created.get(`${job.accountId} ${key}`);
    if (known && known.jobId !== job.jobId && !this.lost.has(known.jobId))
      throw new Error(`key ${key} made two jobs: ${known.jobId} and ${job.jobId}`);
    this.created.set(`${job.accountId} ${key}`, job);
  }

  submitted(computer: string, document: string): void {
    this.submissions.push({ document, computer, at: this.sim.now });
    this.sim.trace.add(this.sim.now, `${computer} spools ${document}`);
  }

  leased(lease: Lease, asked: Milliseconds): void {
    const { job_id: jobId, fence } = lease;
    this.granted(lease, 'leased', asked);
    this.add(jobId, { name: { call: 'lease', fence }, began: 0, ended: this.sim.now });
  }

  /**
   * An accept or hand-off; only a permission says what the job was. A caller that crashes never learns whether its call
   * had an effect.
   */
  begin(operation: 'acceptJob' | 'startHandoff', lease: Lease, session: CallingSession) {
    const { job_id, fence } = lease;
    const began = this.sim.now;
    const name = { call: operation === 'acceptJob' ? ('accept' as const) : ('hand off' as const), fence };
    const isFirst = this.same(job_id, name).length === 0;
    const unanswered = { name, began, ended: Infinity };
    this.add(job_id, unanswered);
    return {
      end: (status: number) => {
        if (status === 0 || status >= 500) return;
        this.calls.set(
          job_id,
          this.calls.get(job_id)!.filter((call) => call !== unanswered),
        );
        if (status !== 200) return;
        this.add(job_id, { name, began, ended: this.sim.now });
        if (isFirst) this.granted(lease, name.call, began);
        if (name.call !== 'hand off') return;
        this.permits.push({ jobId: job_id, fence, session, at: this.sim.now });
        this.permitted(job_id, fence, began);
      },
    };
  }

  /** Of a lease of the same session that cannot have lapsed. A copy of the computer may have started one at once. */
  leaseLost({ job_id: jobId, fence, expires_at }: Lease, installation: string): void {
    const { now } = this.sim;
    const lease = this.grants.find((one) => one.jobId === jobId && one.fence === fence)!;
    const isOld =
      now > lease.asked + LAPSES_AFTER_MS || now > Date.parse(expires_at) - EPOCH_MS - LAPSES_AFTER_MS;
    const isReplaced = (this.sessions.get(installation) ?? 0) > lease.asked;
    if (isOld || isReplaced || this.cancelAsked.has(jobId) || this.lost.size > 0) return;
    this.sim.fail(new Error(`job ${jobId} lost its lease ${fence}, which nothing ended`));
  }

  cancel(jobId: string, began: Milliseconds, status: number): void {
    const answer = status === 409 ? ('conflict' as const) : ('done' as const);
    const ended = status === 200 || status === 409 ? this.sim.now : Infinity;
    this.add(jobId, { name: { call: 'cancel', answer }, began, ended });
    if (status === 200) this.cancelled.set(jobId, this.sim.now);
  }

  retry(jobId: string, began: Milliseconds, status: number, code: string, isReplay: boolean): void {
    const answer = code === 'SVC_JOB_RETRY_DUPLICATION_RISK' ? 'risk' : status === 409 ? 'conflict' : 'done';
    this.retried.set(jobId, [...(this.retried.get(jobId) ?? []), began]);
    if (isReplay) return;
    const ended = status === 200 || status === 409 ? this.sim.now : Infinity;
    this.add(jobId, { name: { call: 'retry', answer }, began, ended });
  }

  reported(report: object, result: object): void {
    const { code, result: name } = result as { code?: string; result: string };
    this.count(`report ${(report as { type: string }).type} ${code ?? name}`);
  }

  count(code: string, times = 1): void {
    this.codes.set(code, (this.codes.get(code) ?? 0) + times);
  }

  /** Jobs whose calls have no order that the specification allows. */
  disordered(): readonly string[] {
    return [...this.calls].flatMap(([jobId, calls]) => {
      if (this.lost.has(jobId)) return [];
      const fences = calls.map(({ name }) => ('fence' in name ? name.fence : 0));
      const isOrdered = isLinearizable(calls, jobSpecification(Math.max(0, ...fences), this.lost.size > 0));
      return isOrdered ? [] : [`${jobId}: ${calls.map(shown).join('; ')}`];
    });
  }

  private granted(lease: Lease, what: 'leased' | 'accept' | 'hand off', asked: Milliseconds): void {
    const { job_id: jobId, fence, expires_at } = lease;
    const expiresAt = Date.parse(expires_at) - EPOCH_MS;
    this.grants.push({ jobId, fence, what, expiresAt, asked, at: this.sim.now });
  }

  private same(jobId: string, name: JobCall): readonly Operation<JobCall>[] {
    const text = JSON.stringify(name);
    return (this.calls.get(jobId) ?? []).filter((call) => JSON.stringify(call.name) === text);
  }

  private permitted(jobId: string, fence: number, began: Milliseconds): void {
    const cancelled = this.cancelled.get(jobId);
    if (cancelled !== undefined && cancelled < began && !this.lost.has(jobId))
      this.sim.fail(new Error(`job ${jobId} got a permit for fence ${fence} after its acknowledged cancel`));
  }

  /** Of the same call without an answer the first is enough: it may have its effect at any time. */
  private add(jobId: string, call: Operation<JobCall>): void {
    const isCovered = this.same(jobId, call.name).some(({ ended }) => ended === Infinity);
    if (call.ended === Infinity && isCovered && 'fence' in call.name) return;
    this.calls.set(jobId, [...(this.calls.get(jobId) ?? []), call]);
  }
}

const shown = ({ name, began, ended }: Operation<JobCall>) =>
  `${Object.values(name).join(' ')} [${began.toFixed(0)}, ${ended.toFixed(0)}]`;
