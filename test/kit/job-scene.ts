import { randomUUID } from 'node:crypto';
import type { TestService } from './service.js';
import { createJob, onePrinter, openAccount, TestAgent, type Leased } from './world.js';

/** A job in an answer of the Integration API. */
export type ShownJob = Record<string, unknown> & {
  readonly job_id: string;
  readonly status: string;
  readonly expires_at: string;
  readonly history: readonly HistoryLine[];
};

export interface HistoryLine {
  readonly event_id: string;
  readonly event_type: string;
  readonly previous_status?: string;
  readonly new_status?: string;
  readonly outcome: string;
  readonly created_at: string;
  readonly details?: Record<string, unknown>;
}

/** Stage of a lease at the start of a test. */
export type Stage = 'leased' | 'accepted' | 'handed_off' | 'spooled' | 'completed';

/** One account, one key and one computer with one printer, for most tests of jobs. */
export class JobScene {
  constructor(
    readonly service: TestService,
    readonly accountId: string,
    readonly key: string,
    readonly agent: TestAgent,
    readonly printerId: string,
  ) {}

  static async open(service: TestService, account: object = {}): Promise<JobScene> {
    const { accountId, key } = await openAccount(service, account);
    const { agent, printerId } = await TestAgent.ready(service, accountId, [onePrinter]);
    return new JobScene(service, accountId, key, agent, printerId);
  }

  /** Sends the request for a job. */
  submit(more: object = {}, idempotencyKey?: string) {
    return createJob(this.service, this.key, this.printerId, more, idempotencyKey);
  }

  /** Creates a queued job. The agent calls first, because jobs for an offline printer are refused. */
  async create(more: object = {}): Promise<string> {
    await this.agent.heartbeat();
    const created = await this.submit(more);
    if (created.status !== 201) throw new Error(`no job: ${created.text}`);
    return String(created.body.data!.job_id);
  }

  /** Lets time pass while the computer stays online. */
  async stayOnline(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 60_000) {
      await this.service.advance(Math.min(left, 60_000));
      await this.agent.heartbeat();
    }
  }

  async job(jobId: string): Promise<ShownJob> {
    const shown = await this.service.call('GET', `/svc-api-print-jobs/${jobId}`, { as: this.key });
    if (shown.status !== 200) throw new Error(`no job ${jobId}: ${shown.text}`);
    return shown.body.data as ShownJob;
  }

  /** Event types of a job's history, oldest first. */
  async history(jobId: string): Promise<string[]> {
    return (await this.job(jobId)).history.map((line) => line.event_type);
  }

  cancel(jobId: string, json: object = {}) {
    return this.service.call('POST', `/svc-api-print-jobs/${jobId}/cancel`, { as: this.key, json });
  }

  retry(jobId: string, json: object = {}, idempotencyKey: string = randomUUID()) {
    const headers = { 'idempotency-key': idempotencyKey };
    return this.service.call('POST', `/svc-api-print-jobs/${jobId}/retry`, { as: this.key, json, headers });
  }

  /** Leases the oldest queued job and advances it to `stage`. */
  async lease(stage: Stage = 'leased'): Promise<Leased> {
    const { agent } = this;
    const [lease] = await agent.lease(1);
    if (!lease) throw new Error('there is nothing to lease');
    const steps = [
      () => agent.accept(lease),
      () => agent.handoff(lease),
      () => agent.report(lease, 'spooled', { spooler_provider: 'virtual', spooler_job_id: '7' }),
      () => agent.report(lease, 'spooler_completed'),
    ];
    const stages: readonly Stage[] = ['leased', 'accepted', 'handed_off', 'spooled', 'completed'];
    for (const step of steps.slice(0, stages.indexOf(stage))) await step();
    return lease;
  }

  /** Creates a job, leases it and advances it to `stage`. */
  async at(stage: Stage, more: object = {}): Promise<Leased> {
    await this.create(more);
    return this.lease(stage);
  }

  /** Creates a job parked for manual review after silence of the spooler. */
  async parked(more: object = {}): Promise<Leased> {
    const lease = await this.at('spooled', more);
    await this.agent.report(lease, 'spooler_vanished');
    return lease;
  }
}

/** A scene for the tests of a describe, opened before each. It has no parts before. */
export function sceneForEach(service: TestService, account?: object): JobScene {
  const scene = Object.create(JobScene.prototype) as JobScene;
  beforeEach(async () => void Object.assign(scene, await JobScene.open(service, account)));
  return scene;
}

/** One scene for all tests of a describe. */
export function sceneForAll(service: TestService, account?: object): JobScene {
  const scene = Object.create(JobScene.prototype) as JobScene;
  beforeAll(async () => void Object.assign(scene, await JobScene.open(service, account)));
  return scene;
}
