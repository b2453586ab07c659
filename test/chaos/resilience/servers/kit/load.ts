import { randomUUID } from 'node:crypto';
import { createJob, openAccount, TestAgent, type Leased, type TestAccount } from '../../../../kit/world.js';
import { until } from '../../../../kit/polling.js';
import type { WatchedService } from './watched-service.js';

/** The client cancels one in this many jobs. */
const CANCELS = 3;
const MAX_LEASES = 4;
const POLL_SECONDS = 1;
const REST_MS = 40_000;

export interface LoadOptions {
  /** Number of creating clients; default two. */
  readonly clients?: number;
  /** Monthly limit of the account: jobs are then created in sequence, under a lock. */
  readonly jobsPerMonth?: number;
}

/**
 * Clients that create and cancel, one that lists, and an agent that prints, all of one account, until stopped.
 */
export class Load {
  /** Job by idempotency key, from the answers to clients. */
  readonly journal = new Map<string, string>();
  readonly cancelled = new Set<string>();
  readonly printed = new Set<string>();
  private readonly working: Promise<void>[] = [];
  private stopped = false;
  private failure: unknown;

  private constructor(
    private readonly service: WatchedService,
    private readonly account: TestAccount,
    private readonly agent: TestAgent,
    private readonly printerId: string,
  ) {}

  static async begin(
    service: WatchedService,
    { clients = 2, jobsPerMonth }: LoadOptions = {},
  ): Promise<Load> {
    const plan = jobsPerMonth === undefined ? {} : { jobs_per_month: jobsPerMonth };
    const account = await openAccount(service, plan);
    const { agent, printerId } = await TestAgent.ready(service, account.accountId);
    const load = new Load(service, account, agent, printerId);
    for (let n = 0; n < clients; n++) load.watch(load.create());
    load.watch(load.list());
    load.watch(load.print());
    return load;
  }

  get accountId(): string {
    return this.account.accountId;
  }

  /** Waits for this many further creates and one printed page. */
  async goesOn(jobs: number): Promise<void> {
    const [created, printed] = [this.journal.size, this.printed.size];
    await this.until(() => this.journal.size >= created + jobs && this.printed.size > printed);
  }

  async until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    await until('what the load waits for', REST_MS, async () => {
      if (this.failure) throw this.failure;
      return (await isSo()) || undefined;
    });
  }

  /** Stops the clients; the agent starts a new session and prints the remaining jobs. */
  async finish(): Promise<void> {
    await this.stop();
    if (this.failure) throw this.failure;
    await this.agent.start();
    await this.until(async () => {
      for (const lease of await this.agent.lease(MAX_LEASES)) await this.handle(lease);
      const { total } = await this.page('status=queued&');
      return total === 0 && this.printed.size + this.cancelled.size >= this.journal.size;
    });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.working);
  }

  /** Final number of jobs by status, from the API. */
  async shown(): Promise<{ total: number; completed: number; cancelled: number }> {
    const [all, completed, cancelled] = await Promise.all([
      this.page(''),
      this.page('status=spooler_completed&'),
      this.page('status=cancelled&'),
    ]);
    return { total: all.total, completed: completed.total, cancelled: cancelled.total };
  }

  private watch(working: Promise<void>): void {
    this.working.push(working.catch((error: unknown) => void (this.failure ??= error)));
  }

  private async create(): Promise<void> {
    for (let n = 1; !this.stopped; n++) {
      const key = randomUUID();
      const { status, text, body } = await createJob(this.service, this.account.key, this.printerId, {}, key);
      if (status > 201) throw new Error(`a create was answered ${status}: ${text}`);
      const jobId = String(body.data!.job_id);
      this.journal.set(key, jobId);
      await this.statusOf(jobId);
      if (n % CANCELS === 0) await this.cancel(jobId);
    }
  }

  private async cancel(jobId: string): Promise<void> {
    const path = `/svc-api-print-jobs/${jobId}/cancel`;
    const { status } = await this.service.call('POST', path, { as: this.account.key, json: {} });
    const shown = await this.statusOf(jobId);
    if (status === 200 && shown !== 'cancelled')
      this.service.wrong.push(`${jobId} is cancelled, not ${shown}`);
    // An agent accepted first, or an earlier unanswered cancel took effect.
    if (shown === 'cancelled') this.cancelled.add(jobId);
  }

  /** Every acknowledged job can be read. */
  private async statusOf(jobId: string): Promise<unknown> {
    const { body, text } = await this.service.call('GET', `/svc-api-print-jobs/${jobId}`, {
      as: this.account.key,
    });
    const { job_id, status } = body.data ?? {};
    if (job_id !== jobId) throw new Error(`${jobId} was not found: ${text}`);
    return status;
  }

  /** A listed job never disappears. */
  private async list(): Promise<void> {
    for (let most = 0; !this.stopped;) {
      const { total } = await this.page('');
      if (total < most) this.service.wrong.push(`${total} jobs are listed after ${most}`);
      most = total;
    }
  }

  private async page(filter: string): Promise<{ total: number }> {
    const { body } = await this.service.call('GET', `/svc-api-print-jobs?${filter}limit=5`, {
      as: this.account.key,
    });
    return { total: Number(body.data!.total) };
  }

  private async print(): Promise<void> {
    while (!this.stopped) {
      const leases = await this.agent.lease(MAX_LEASES, POLL_SECONDS);
      await this.agent.heartbeat(...leases.map(({ lease_id }) => lease_id));
      for (const lease of leases) await this.handle(lease);
    }
  }

  /** Stops for a job cancelled by its client. */
  private async handle(lease: Leased): Promise<void> {
    for (const step of ['accept', 'handoff'] as const) {
      const { status } = await this.agent[step](lease);
      if (status === 409) return;
    }
    const results = [
      await this.agent.report(lease, 'spooled', { spooler_provider: 'virtual', spooler_job_id: '1' }),
      await this.agent.report(lease, 'spooler_completed'),
    ];
    const refused = results.find(({ result }) => result !== 'applied' && result !== 'duplicate');
    if (refused) throw new Error(`a report was ${refused.result} ${refused.code ?? ''}`);
    this.printed.add(lease.job_id);
  }
}
