import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { openEmbeddedStores } from '../../../src/event-sourcing/embedded/open-embedded-stores.js';
import type { Answered, Call } from '../../kit/http/client.js';
import { JobScene } from '../../kit/job-scene.js';
import { length } from '../../kit/length.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { inProcess } from '../../kit/stores.js';
import { createJob, onePrinter, openAccount, TestAgent, type TestAccount } from '../../kit/world.js';
import { RacingComputer } from './racing-computer.js';
import { Random } from '../../kit/random.js';
import { SECOND } from '../../surface/asking.js';

const [COMPUTERS, POLLS_PER_COMPUTER] = length === 'short' ? ([6, 6] as const) : ([20, 10] as const);
const PRINTERS_PER_COMPUTER = 3;
const CREATED_AT_ONCE = 50;

export interface RaceOptions {
  readonly jobs: number;
  readonly seed: number;
}

/** Answers to clients, to compare with the stored events. */
export interface Answers {
  readonly cancelled: Set<string>;
  readonly retried: Map<string, number>;
}

/** A service on the embedded stores, with all racing clients and agents. */
export class Race {
  readonly answers: Answers = { cancelled: new Set(), retried: new Map() };
  readonly jobs: string[] = [];
  private readonly random: Random;
  private computers: RacingComputer[] = [];

  private constructor(
    readonly service: TestService,
    private readonly account: TestAccount,
    seed: number,
  ) {
    this.random = new Random(seed);
  }

  static async open({ seed }: RaceOptions): Promise<Race> {
    const projectionsUrl = pathToFileURL(resolve('src/app/configured-projections.ts')).href;
    const service = sane(
      await startTestService({
        stores: ({ dataDir }, clock) =>
          openEmbeddedStores({ dataDir, clock, threads: inProcess, projectionsUrl }),
      }),
    );
    const race = new Race(service, await openAccount(service), seed);
    for (let n = 0; n < COMPUTERS; n++) race.computers.push(await race.computer());
    return race;
  }

  /** Number of jobs, and enough rounds for most to end. */
  async run(jobs: number): Promise<void> {
    const rounds = 30 + Math.ceil((jobs * 9) / (COMPUTERS * POLLS_PER_COMPUTER));
    const polls = this.computers.flatMap((computer) =>
      Array.from({ length: POLLS_PER_COMPUTER }, () => ({ computer, random: this.fork() })),
    );
    for (let round = 0; round < rounds; round++) {
      await Promise.all([
        ...polls.map(({ computer, random }) => computer.step(random)),
        this.createSome(jobs),
        this.cancelSome(),
        this.retrySome(),
        this.service.advance(this.random.below(round % 7 === 0 ? 45 * SECOND : 4 * SECOND)),
      ]);
    }
  }

  /** All jobs as shown to clients. */
  async shown(): Promise<Record<string, unknown>[]> {
    const found: Record<string, unknown>[] = [];
    for (;;) {
      const path = `/svc-api-print-jobs?limit=100&offset=${found.length}`;
      const { body } = await this.service.call('GET', path, { as: this.account.key });
      const { items } = body.data as { items: Record<string, unknown>[] };
      found.push(...items);
      if (items.length < 100) return found;
    }
  }

  private async computer(): Promise<RacingComputer> {
    const printers = Array.from({ length: PRINTERS_PER_COMPUTER }, (_, n) => ({
      ...onePrinter,
      printer_key: `printer-${n}`,
    }));
    const { agent, printerIds } = await TestAgent.ready(this.service, this.account.accountId, printers);
    return new RacingComputer(agent, printerIds, (jobId) => this.cancel(jobId));
  }

  private async createSome(jobs: number): Promise<void> {
    const missing = Math.min(CREATED_AT_ONCE, jobs - this.jobs.length);
    await Promise.all(
      Array.from({ length: missing }, async () => {
        const printerId = this.random.of(this.random.of(this.computers).printerIds);
        const { status, body } = await createJob(this.service, this.account.key, printerId);
        if (status === 201) this.jobs.push(String(body.data!.job_id));
      }),
    );
  }

  private async cancelSome(): Promise<void> {
    const chosen = Array.from({ length: 3 }, () => this.random.of(this.jobs)).filter((jobId) => jobId);
    // Sent twice concurrently: at most one has ended the job.
    await Promise.all(chosen.flatMap((jobId) => [this.cancel(jobId), this.cancel(jobId)]));
  }

  private async cancel(jobId: string): Promise<Answered> {
    const answered = await this.scene.cancel(jobId);
    if (answered.status === 200) {
      if (this.answers.cancelled.has(jobId)) throw new Error(`${jobId} was cancelled twice`);
      this.answers.cancelled.add(jobId);
    }
    return answered;
  }

  private async retrySome(): Promise<void> {
    const status = this.random.of(['manual_review', 'failed']);
    const path = `/svc-api-print-jobs?status=${status}&limit=20`;
    const { body } = await this.service.call('GET', path, { as: this.account.key });
    const found = (body.data!.items as { job_id: string }[]).filter(() => this.random.chance(0.3));
    await Promise.all(found.map(({ job_id }) => this.retry(job_id)));
  }

  /** Sent with two keys concurrently. */
  private async retry(jobId: string): Promise<void> {
    const answers = await Promise.all([this.scene.retry(jobId), this.scene.retry(jobId)]);
    const done = answers.filter(({ status }) => status === 200).length;
    if (done > 0) this.answers.retried.set(jobId, (this.answers.retried.get(jobId) ?? 0) + done);
  }

  private get scene(): JobScene {
    const { accountId, key } = this.account;
    const [{ agent, printerIds }] = this.computers as [RacingComputer, ...RacingComputer[]];
    return new JobScene(this.service, accountId, key, agent, printerIds[0]!);
  }

  private fork(): Random {
    return new Random(this.random.below(2 ** 31));
  }
}

/** No race may cause an internal error or a 503. */
function sane(service: TestService): TestService {
  const call = async (method: string, path: string, given?: Call) => {
    const answered = await service.call(method, path, given);
    if (answered.status >= 500) throw new Error(`${method} ${path}: ${answered.status} ${answered.text}`);
    return answered;
  };
  return { ...service, call };
}
