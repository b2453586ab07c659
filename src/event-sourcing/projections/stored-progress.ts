import type { Position } from '../../kernel/recorded-event.js';
import type { ViewWriter } from '../ports/view-writer.port.js';
import { CoalescedRun } from '../../async/repeated-run.js';
import type { StoreRetry } from '../../async/retry.js';
import type { GroupLease } from '../ports/group-leases.port.js';

export interface BuildTerm {
  readonly lease: GroupLease;
  readonly signal: AbortSignal;
  /** Ends the term early, because another instance took over. */
  readonly end: () => void;
}

/** Another instance took over the read models, or the read store lost them. */
export class SupersededError extends Error {
  constructor() {
    super('another instance took over the read models, or the read store lost them');
  }
}

/** Stored behind the projection, one call at a time: a batch that is folded again changes nothing. */
export class StoredProgress {
  private reached: Position | undefined;
  private latest: Position | undefined;
  private failure: unknown;
  private readonly storing = new CoalescedRun(() => this.store());

  constructor(
    private readonly writer: ViewWriter,
    private readonly retries: StoreRetry,
    private readonly term: BuildTerm,
  ) {}

  get position(): Position | undefined {
    return this.reached;
  }

  begin(position: Position | undefined): void {
    this.reached = position;
    this.latest = position;
  }

  /** Stores in the background. @throws an earlier failure, once */
  follow(position: Position): void {
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
    this.latest = position;
    this.writer.report(position);
    this.storing.request().catch((error: unknown) => this.fail(error));
  }

  /** Resolves when this position is stored. @throws SupersededError */
  async advance(position: Position): Promise<void> {
    this.latest = position;
    await this.storing.request();
  }

  private async store(): Promise<void> {
    const position = this.latest;
    if (position === undefined || position === this.reached) return;
    const { lease, signal } = this.term;
    const isOurs = await this.retries.whileUnavailable(() => this.writer.advance(position, lease), signal);
    if (!isOurs) throw new SupersededError();
    this.reached = position;
  }

  private fail(error: unknown): void {
    if (error instanceof SupersededError) this.term.end();
    else this.failure = error;
  }
}
