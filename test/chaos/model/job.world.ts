import { randomUUID } from 'node:crypto';
import { epochMs, instant, type Milliseconds } from '../../../src/kernel/time.js';
import { JobScene, type ShownJob } from '../../kit/job-scene.js';
import type { TestService } from '../../kit/service.js';
import { onePrinter, type Leased } from '../../kit/world.js';
import { MAX_AUTO_RETRIES, SPOOLER, type Reported } from './job.facts.js';
import type { JobModel } from './job.model.js';

/** Device credentials live for 180 days; runs span long times. */
const SCENE_MS = 100 * 86_400_000;

/** The service shared by all runs, and the computer of its agent. */
export class ModelWorld {
  private scene?: JobScene;
  private since = 0;
  private runs = 0;

  constructor(readonly service: TestService) {}

  /** Each run has its own printer and job. */
  async begin(lifetime: Milliseconds): Promise<RealJob> {
    const scene = await this.current();
    await scene.agent.start();
    const printer = { ...onePrinter, printer_key: `run-${this.runs++}` };
    const [printerId] = await scene.agent.inventory([printer]);
    const { accountId, key, agent } = scene;
    const expires_at = instant(epochMs(this.service.clock.now()) + lifetime);
    const own = new JobScene(this.service, accountId, key, agent, printerId!);
    return new RealJob(own, await own.create({ expires_at }));
  }

  private async current(): Promise<JobScene> {
    const now = epochMs(this.service.clock.now());
    if (this.scene && now - this.since < SCENE_MS) return this.scene;
    this.since = now;
    this.scene = await JobScene.open(this.service);
    const path = `/accounts/${this.scene.accountId}/plan`;
    await this.service.operate('POST', path, { max_auto_retries: MAX_AUTO_RETRIES });
    return this.scene;
  }
}

/** One job of the real service, and its agent's memory. Every call resolves to the code of its answer. */
export class RealJob {
  /** By fence, oldest first. */
  private readonly leases: Leased[] = [];
  private lastReport: { lease: Leased; type: string; more: object } | undefined;
  private retryKey: string = randomUUID();

  constructor(
    private readonly scene: JobScene,
    readonly jobId: string,
  ) {}

  get now(): Milliseconds {
    return epochMs(this.scene.service.clock.now());
  }

  shown(): Promise<ShownJob> {
    return this.scene.job(this.jobId);
  }

  /** Advances time, stopping at each timer of the model. */
  async wait(model: JobModel, ms: Milliseconds): Promise<void> {
    const end = this.now + ms;
    while (model.deadline <= end) {
      await this.scene.service.advance(model.deadline - this.now);
      model.timePasses(this.now);
    }
    await this.scene.service.advance(end - this.now);
  }

  /** True if there was a job to lease. */
  async lease(): Promise<boolean> {
    const [lease] = await this.scene.agent.lease(2);
    if (lease) this.leases.push(lease);
    return lease !== undefined;
  }

  async accept(back: number, rightContent: boolean): Promise<string> {
    const lease = this.leaseOf(back);
    const content_hash = rightContent ? lease.content_hash : '0'.repeat(64);
    return codeOf(await this.scene.agent.accept({ ...lease, content_hash }));
  }

  async handOff(back: number): Promise<string> {
    return codeOf(await this.scene.agent.handoff(this.leaseOf(back)));
  }

  async release(back: number): Promise<string> {
    return codeOf(await this.scene.agent.release(this.leaseOf(back)));
  }

  async heartbeat(back: number): Promise<string> {
    const { body } = await this.scene.agent.heartbeat(this.leaseOf(back).lease_id);
    const { renewed, lost } = body.data as { renewed: object[]; lost: { reason: string }[] };
    return renewed.length > 0 ? 'renewed' : lost[0]!.reason;
  }

  async startSession(named: { back: number; phase: string } | undefined): Promise<string | undefined> {
    const { job_id, lease_id, fence } = named ? this.leaseOf(named.back) : this.leases.at(-1)!;
    const journal = named ? [{ job_id, lease_id, fence, phase: named.phase }] : [];
    return (await this.scene.agent.start(journal)).reconcile[0]?.verdict;
  }

  async report(back: number, { type, failureClass, failureCode, ago }: Reported): Promise<string> {
    const more = {
      event_id: randomUUID(),
      occurred_at: instant(this.now - ago),
      ...SPOOLER,
      ...(failureClass && { failure_class: failureClass }),
      ...(failureCode && { failure_code: failureCode }),
    };
    this.lastReport = { lease: this.leaseOf(back), type, more };
    return this.repeatReport();
  }

  async repeatReport(): Promise<string> {
    const { lease, type, more } = this.lastReport!;
    const { result, code } = await this.scene.agent.report(lease, type, more);
    return code ?? result;
  }

  async cancel(): Promise<string> {
    return codeOf(await this.scene.cancel(this.jobId));
  }

  async retry(again: boolean): Promise<string> {
    const key = again ? this.retryKey : randomUUID();
    const code = codeOf(await this.scene.retry(this.jobId, {}, key));
    if (code === 'SVC_JOB_RETRIED') this.retryKey = key;
    return code;
  }

  private leaseOf(back: number): Leased {
    return this.leases.at(-1 - back)!;
  }
}

const codeOf = ({ body }: { body: { code?: string } }) => body.code ?? 'none';
