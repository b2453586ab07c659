import type { Logger } from 'pino';
import { Refused } from '../service/http-caller.js';
import type { AgentFacts, Session } from '../service/protocol.js';
import type { ServiceClient } from '../service/service-client.js';
import { journalEntry, nameable, type Journal } from '../state/journal.js';
import type { JobRunner } from './job-runner.js';

/** The agent's session, and what the service wants of the journal when one begins. */
export class Sessions {
  private session: Session | undefined;
  private opening: Promise<Session> | undefined;

  constructor(
    private readonly client: ServiceClient,
    private readonly journal: Journal,
    private readonly runner: JobRunner,
    private readonly facts: AgentFacts,
    private readonly log: Logger,
  ) {}

  get current(): Session {
    if (!this.session) throw new Error('no session yet');
    return this.session;
  }

  open(signal: AbortSignal): Promise<Session> {
    this.opening ??= this.begin(signal).finally(() => (this.opening = undefined));
    return this.opening;
  }

  /** A call under the session; if the service does not know it any more (404), a new one is begun. */
  async under<T>(call: (session: Session) => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    const session = this.current;
    try {
      return await call(session);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 404) throw error;
      if (this.session === session) await this.open(signal);
      return undefined;
    }
  }

  private async begin(signal: AbortSignal): Promise<Session> {
    const held = this.journal.held();
    const session = await this.client.openSession(this.facts, nameable(held).map(journalEntry), signal);
    this.session = session;
    this.log.info({ sessionId: session.session_id, computerId: session.computer_id }, 'session');
    for (const job of held) {
      const { job_id, fence } = job.lease;
      const found = session.reconcile.find((entry) => entry.job_id === job_id && entry.fence === fence);
      await this.runner.resume(job, found?.verdict ?? 'abandon');
    }
    return session;
  }
}
