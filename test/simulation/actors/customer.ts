import type { Milliseconds } from '../../../src/kernel/time.js';
import type { Answered, Call } from '../api.js';
import { Program } from '../engine/program.js';
import { EPOCH_MS } from '../engine/simulator.js';
import type { World } from '../world.js';
import { Slips } from './slips.js';

export interface CustomerHabits {
  /** Average pause between two jobs. */
  readonly everyMs: Milliseconds;
  readonly jobs: number;
  /** Shares of the jobs. */
  readonly repeats: number;
  readonly cancels: number;
  readonly retries: number;
  readonly conflicts: number;
  /** Share of the jobs that expire soon. */
  readonly hurried: number;
  /** At a job that it has cancelled; absent: one. */
  readonly looks?: number;
  /** Share of the jobs beside which it asks for what is refused, and changes webhooks. It waits for retries that are scheduled. */
  readonly slips?: number;
}

export interface Account {
  readonly accountId: string;
  readonly key: string;
  readonly printerIds: string[];
}

const RETRY_LOOK_MS: Milliseconds = 120_000;
const RETRY_LOOKS = 20;
const LATER_MS: Milliseconds = 60_000;
const PRINTER_LOOK_MS: Milliseconds = 180_000;
const PRINTER_LOOKS = 14;
const PAUSE_MS: Milliseconds = 1_000;
/** An append is answered after this time, although the views lack it. */
const PROJECTED_WITHIN_MS: Milliseconds = 1_000;
const HEARD_WITHIN_MS: Milliseconds = 5_000;
const ATTEMPTS = 40;
const SOONEST_EXPIRY_MS: Milliseconds = 15_000;
const LATEST_EXPIRY_MS: Milliseconds = 180_000;

interface Order {
  readonly key: string;
  readonly text: string;
  readonly expires_at?: string;
}

/** An API client of one account: repeats every request until it is answered. */
export class Customer {
  readonly program: Program;
  private made = 0;
  private pending = 0;
  private isDone = false;
  private readonly slips: Slips;

  constructor(
    private readonly world: World,
    readonly account: Account,
    name: string,
    private readonly habits: CustomerHabits,
    /** Jobs of other accounts, which must look as if they did not exist. */
    private readonly foreign: () => string | undefined,
  ) {
    this.program = new Program(world.sim, name);
    this.slips = new Slips(world, this);
  }

  get isIdle(): boolean {
    return this.isDone && this.pending === 0;
  }

  async run(): Promise<void> {
    const { random } = this.world.sim;
    const { everyMs, jobs } = this.habits;
    while (this.made < jobs) {
      await this.program.sleep(-Math.log(1 - random.next()) * everyMs);
      this.begin(this.order(`key-${this.program.name}-${this.made++}`));
    }
    this.isDone = true;
  }

  private begin(work: Promise<void>): void {
    this.pending++;
    work.catch((error: unknown) => this.world.sim.fail(error as Error)).finally(() => this.pending--);
  }

  private async order(key: string): Promise<void> {
    const { random } = this.world.sim;
    const order = { key, text: `Order ${key}`, ...this.expiry() };
    const { repeats, cancels, retries, conflicts } = this.habits;
    const created = await this.createWhenReady(order);
    if (created.status !== 201 && created.status !== 200) return;
    const jobId = String(created.data.job_id);
    if (random.chance(repeats)) this.begin(this.repeat(order, jobId));
    if (random.chance(conflicts)) this.begin(this.conflict(key));
    if (random.chance(cancels)) this.begin(this.cancel(jobId));
    if (random.chance(retries)) this.begin(this.retryWhenPossible(jobId));
    if (this.habits.slips) this.beginSlips(jobId, this.habits.slips);
    await this.lookAtOwnJob(jobId);
    await this.lookAtForeignJob();
  }

  private beginSlips(jobId: string, share: number): void {
    const { random } = this.world.sim;
    if (random.chance(share)) this.begin(this.slips.refused(jobId));
    if (random.chance(share / 4)) this.begin(this.slips.webhook());
    // Most are printing, or printed.
    if (random.chance(share / 4)) this.begin(this.retryLater(jobId));
  }

  private async retryLater(jobId: string): Promise<void> {
    await this.program.sleep(this.world.sim.random.next() * LATER_MS);
    await this.retry(jobId, `hasty-${jobId}`);
  }

  /** Waits for a printer that is offline. */
  private async createWhenReady(order: Order): Promise<Answered> {
    for (let look = 1; ; look++) {
      const created = await this.create(order);
      if (created.code !== 'SVC_PRINTER_NOT_READY' || look === PRINTER_LOOKS) return created;
      await this.program.sleep(PRINTER_LOOK_MS);
    }
  }

  private expiry(): Pick<Order, 'expires_at'> {
    const { random, now } = this.world.sim;
    if (!random.chance(this.habits.hurried)) return {};
    const lifeMs = SOONEST_EXPIRY_MS + random.next() * (LATEST_EXPIRY_MS - SOONEST_EXPIRY_MS);
    return { expires_at: new Date(EPOCH_MS + now + lifeMs).toISOString() };
  }

  private async create({ key, text, ...rest }: Order): Promise<Answered> {
    const { accountId, printerIds } = this.account;
    const json = {
      ...rest,
      printer_id: printerIds[hashOf(key) % printerIds.length]!,
      content: { type: 'text', encoding: 'utf8', data: text },
    };
    const created = await this.ask('createPrintJob', { headers: { 'idempotency-key': key }, json });
    if (created.status === 201 || created.status === 200) {
      const { job_id, content_hash: hash } = created.data as Record<string, string>;
      this.world.history.create(key, { jobId: job_id!, accountId, hash: hash! });
    }
    return created;
  }

  private async repeat(order: Order, jobId: string): Promise<void> {
    const { key } = order;
    await this.program.sleep(this.world.sim.random.next() * LATER_MS);
    const again = await this.create(order);
    if (this.world.history.isLost(jobId)) return;
    if (again.status === 200 && again.data.job_id !== jobId)
      throw new Error(`a repeat of ${key} is another job`);
    if (again.status === 201) throw new Error(`a repeat of ${key} made a job again`);
  }

  private async conflict(key: string): Promise<void> {
    await this.program.sleep(this.world.sim.random.next() * LATER_MS);
    const { status, code } = await this.create({ key, text: `Another order under ${key}` });
    if (status === 201 || status === 200)
      throw new Error(`another document under ${key} is answered ${code}`);
  }

  private async cancel(jobId: string): Promise<void> {
    const { sim, history } = this.world;
    await this.program.sleep(sim.random.next() ** 4 * LATER_MS);
    history.cancelAsked.add(jobId);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const began = sim.now;
      const { status } = await this.once('cancelPrintJob', { params: { job_id: jobId }, json: {} });
      history.cancel(jobId, began, status);
      if (status === 200) return this.lookAtCancelled(jobId, sim.now - began);
      if (status !== 0 && status < 500) return;
      await this.pause();
    }
  }

  /** A person who decides about jobs that failed or wait for a review. */
  private async retryWhenPossible(jobId: string): Promise<void> {
    for (let look = 0; look < RETRY_LOOKS; look++) {
      await this.program.sleep(this.world.sim.random.next() * RETRY_LOOK_MS);
      const { status, data } = await this.ask('getPrintJob', { params: { job_id: jobId } });
      if (status === 200 && data.is_final) return;
      const isPatient = this.habits.slips !== undefined && data.retry_state === 'scheduled';
      if (status === 200 && data.can_retry && !isPatient) return this.retry(jobId, `retry-${jobId}-${look}`);
    }
  }

  private async retry(jobId: string, key: string): Promise<void> {
    const { sim, history } = this.world;
    const call = { params: { job_id: jobId }, headers: { 'idempotency-key': key }, json: {} };
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const began = sim.now;
      const { status, code, headers } = await this.once('retryPrintJob', call);
      history.retry(jobId, began, status, code, headers['idempotent-replayed'] === 'true');
      if (status === 200) return this.repeatRetry(jobId, call);
      if (status !== 0 && status < 500) return;
      await this.pause();
    }
  }

  private async repeatRetry(jobId: string, call: Omit<Call, 'as'>): Promise<void> {
    const again = await this.ask('retryPrintJob', call);
    const isReplay = again.headers['idempotent-replayed'] === 'true';
    if (this.world.history.isLost(jobId)) return;
    if (again.status === 409 || (again.status === 200 && !isReplay))
      throw new Error(`a repeat of a retry is answered ${again.code}`);
    const { status, code } = await this.ask('retryPrintJob', { ...call, json: { reason: 'another one' } });
    if (status === 200 && !this.world.history.isLost(jobId))
      throw new Error(`another retry under the same key is answered ${code}`);
  }

  /** A cancel that took a second was answered before the views showed it (docs/decisions/025-several-instances.md). */
  private async lookAtCancelled(jobId: string, tookMs: Milliseconds): Promise<void> {
    if (tookMs >= PROJECTED_WITHIN_MS) await this.program.sleep(HEARD_WITHIN_MS);
    const { looks = 1 } = this.habits;
    for (let look = 1; look <= looks; look++) {
      if (look > 1) await this.program.sleep(HEARD_WITHIN_MS);
      const { status, data, isDeaf } = await this.ask('getPrintJob', { params: { job_id: jobId } });
      const isKnown = status === 200 && !isDeaf && !this.world.history.isLost(jobId);
      if (isKnown && data.status !== 'cancelled')
        throw new Error(`job ${jobId} is shown as ${String(data.status)} after its acknowledged cancel`);
    }
  }

  private async lookAtOwnJob(jobId: string): Promise<void> {
    const { status } = await this.ask('getPrintJob', { params: { job_id: jobId } });
    if (status === 404 && !this.world.history.isLost(jobId))
      throw new Error(`the acknowledged job ${jobId} is not found`);
  }

  private async lookAtForeignJob(): Promise<void> {
    const jobId = this.foreign();
    if (jobId === undefined) return;
    const { status } = await this.ask('getPrintJob', { params: { job_id: jobId } });
    if (status !== 404 && status !== 403)
      throw new Error(`${this.program.name} sees job ${jobId} of another account: ${status}`);
  }

  /** Until it is answered, or given up. */
  async ask(operation: string, call: Omit<Call, 'as'>): Promise<Answered> {
    for (let attempt = 1; ; attempt++) {
      const answered = await this.once(operation, call);
      const isAnswered = answered.status !== 0 && answered.status !== 403 && answered.status < 500;
      if (isAnswered || attempt === ATTEMPTS) return answered;
      await this.pause();
    }
  }

  private once(operation: string, call: Omit<Call, 'as'>): Promise<Answered> {
    return this.world.request(this.program, `integration ${operation}`, { ...call, as: this.account.key });
  }

  private pause(): Promise<void> {
    return this.program.sleep(PAUSE_MS * (0.5 + this.world.sim.random.next()));
  }
}

function hashOf(text: string): number {
  let hash = 7;
  for (const letter of text) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
  return hash;
}
