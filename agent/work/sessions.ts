import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { abortable } from '../abortable.js';
import { AgentStop, ExitCode } from '../exit-codes.js';
import { backoffMs } from '../service/backoff.js';
import { Refused } from '../service/http-caller.js';
import type { AgentFacts, Session, Verdict } from '../service/protocol.js';
import type { ServiceClient } from '../service/service-client.js';
import { journalEntry, nameable, type HeldJob, type Journal } from '../state/journal.js';

const PAUSES = { firstMs: 200, longestMs: 10_000 };

type TakeVerdict = (held: HeldJob, verdict: Verdict) => Promise<void>;

/** Holds the current session and opens a new one when the service no longer knows it. */
export class Sessions {
  private session: Session | undefined;
  private opening: Promise<Session> | undefined;
  private takeVerdict: TakeVerdict = () => Promise.resolve();

  constructor(
    private readonly client: ServiceClient,
    private readonly journal: Journal,
    private readonly facts: AgentFacts,
    private readonly log: Logger,
    private readonly ended: AbortSignal,
    private readonly onOpened: (session: Session) => void = () => undefined,
  ) {}

  get current(): Session {
    if (!this.session) throw new Error('no session yet');
    return this.session;
  }

  /** The highest position received by this agent. */
  get seen(): string | undefined {
    return this.journal.seen;
  }

  /** These keys, for a service that knows busy printers; older ones refuse the field. */
  busy(printerKeys: string[]): string[] | undefined {
    return this.current.config.max_leases_per_printer === undefined ? undefined : printerKeys;
  }

  /** Each new session reports every job in the journal; `take` receives the verdicts before any other call. */
  onVerdict(take: TakeVerdict): void {
    this.takeVerdict = take;
  }

  /** Concurrent callers share one new session; `signal` aborts only the wait. */
  open(signal: AbortSignal): Promise<Session> {
    this.opening ??= this.begin().finally(() => (this.opening = undefined));
    return abortable(this.opening, signal);
  }

  /** False once a newer session exists or is being opened: permits of `session` are void then. */
  isCurrent(session: Session): boolean {
    return this.session === session && !this.opening;
  }

  /**
   * Calls the service within the current session. If the service does not know that session (its store was rolled
   * back), opens a new one and repeats the call, unless a verdict has aborted `signal`.
   */
  async under<T>(call: (session: Session) => Promise<T>, signal: AbortSignal): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      if (this.opening) await abortable(this.opening, signal);
      signal.throwIfAborted();
      const session = this.current;
      try {
        return await call(session);
      } catch (error) {
        if (!this.needsAnother(session, error)) throw error;
      }
      if (attempt > 1) await pause(backoffMs(attempt - 1, PAUSES, Math.random), undefined, { signal });
      if (this.isCurrent(session)) await this.open(signal);
    }
  }

  /** A session replaced by this agent itself is not fatal. */
  private needsAnother(session: Session, error: unknown): boolean {
    if (!(error instanceof Refused)) return false;
    return (
      error.code === 'SESSION_NOT_FOUND' || (error.code === 'SESSION_REPLACED' && !this.isCurrent(session))
    );
  }

  private async begin(): Promise<Session> {
    const held = this.journal.held();
    const session = await this.request(held);
    await this.journal.saw(session.position);
    this.session = session;
    this.onOpened(session);
    this.log.info({ sessionId: session.session_id, computerId: session.computer_id }, 'session');
    for (const { lease } of held) {
      const job = this.journal.get(lease.document_name);
      if (!job) continue; // The job ended while the session was being opened.
      const found = session.reconcile.find(
        ({ job_id, fence }) => job_id === lease.job_id && fence === lease.fence,
      );
      await this.takeVerdict(job, found?.verdict ?? 'abandon');
    }
    return session;
  }

  private async request(held: HeldJob[]): Promise<Session> {
    const entries = nameable(held).map(journalEntry);
    try {
      return await this.client.openSession(this.facts, entries, this.seen, this.ended);
    } catch (error) {
      // Not a verdict on the job whose call opened this session.
      if (!(error instanceof Refused) || error.endsTheAgent) throw error;
      throw new AgentStop(ExitCode.software, `the service refuses a session: ${error.message}`);
    }
  }
}
