import { handledBy, type AnyProjection } from '../../kernel/projection.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { type Milliseconds, type Clock, plus, type Instant } from '../../kernel/time.js';
import type { SingletonWorker, GroupLease } from '../ports/group-leases.port.js';
import { eventsOf, type Partition } from '../ports/partitions.js';
import type { RemoteEventStore } from '../ports/remote-event-store.port.js';
import type {
  Rollback,
  ViewWriter,
  MaintenanceAnswer,
  MaintenanceRequest,
} from '../ports/view-writer.port.js';
import { ActiveViews } from './active-views.js';
import { StoreRetry, exponentialBackoff } from '../../async/retry.js';
import { pause } from '../../async/pauses.js';
import { LogRolledBackError, watchedFeed } from '../watched-feed.js';
import { SupersededError } from './stored-progress.js';
import { messageOf } from '../../kernel/errors.js';

export interface ProjectorMetrics {
  applied(events: readonly RecordedEvent[], seconds: number): void;
  /** The views halt at an event that cannot be folded, or continue. */
  halted(isHalted: boolean): void;
}

export interface ProjectorOptions {
  readonly onError: (error: unknown) => void;
  readonly metrics: ProjectorMetrics;
  /** Rebuilt read models stay hidden until this resolves. Repeated after a failure or a crash. */
  readonly onRolledBack: (rollback: Rollback) => Promise<void>;
  /** The subscription delivered nothing while the log grew; it restarts. */
  readonly onSilent?: () => void;
  /** Folds events of its streams only; absent: all. */
  readonly partition?: Partition;
}

const BATCH = 500;
const HALT_MS: Milliseconds = 30_000;

/** Writes documents before progress: an interrupted batch is folded again and changes nothing. */
export class ViewProjector implements SingletonWorker {
  private readonly retries: StoreRetry;
  private isHalted = false;

  constructor(
    private readonly events: RemoteEventStore,
    private readonly writer: ViewWriter,
    private readonly projections: readonly AnyProjection[],
    private readonly clock: Clock,
    private readonly options: ProjectorOptions,
  ) {
    this.retries = new StoreRetry(clock, options.onError);
  }

  /** Ends with the lease, or when another instance takes over. Never rejects. */
  async run(lease: GroupLease, signal: AbortSignal): Promise<void> {
    const term = new AbortController();
    const end = () => term.abort();
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    try {
      await this.keep(lease, term);
    } finally {
      end();
      signal.removeEventListener('abort', end);
      this.setHalted(false);
    }
  }

  private async keep(lease: GroupLease, term: AbortController): Promise<void> {
    const { signal } = term;
    const { events, writer, projections, retries, clock } = this;
    const { onError, partition } = this.options;
    const end = () => term.abort();
    const views = new ActiveViews(
      { events, writer, projections, clock, retries, onError, partition },
      { lease, signal, end },
    );
    const isOpen = await this.untilDone(() => views.open(), signal);
    if (!isOpen) return;
    const requests = new ViewRequests(writer, views, clock, onError);
    await Promise.all([
      this.untilDone(() => this.follow(views, signal), signal).finally(end),
      this.untilDone(() => this.recover(views), signal),
      requests.serve(signal).finally(end),
    ]);
  }

  /** Halts at an event that cannot be folded and retries. False if the lease is lost. */
  private async untilDone(work: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      try {
        await work();
        return !signal.aborted;
      } catch (error) {
        if (signal.aborted || error instanceof SupersededError) return false;
        if (error instanceof LogRolledBackError) return this.ended(error);
        this.setHalted(true);
        this.options.onError(error);
        await pause(this.clock, HALT_MS, signal);
      }
    }
    return false;
  }

  /** The next holder of the lease starts over. */
  private ended(error: LogRolledBackError): false {
    this.options.onError(error);
    return false;
  }

  private async recover(views: ActiveViews): Promise<void> {
    if (!views.rollback) return;
    await this.options.onRolledBack(views.rollback);
    await views.recovered();
  }

  /** A partition catches up with its own events, then receives all: its position passes those of others too. */
  private async follow(views: ActiveViews, signal: AbortSignal): Promise<void> {
    const { partition } = this.options;
    if (partition) await this.followFeed(views, signal, partition);
    await this.followFeed(views, signal);
  }

  /** @param partition ends when it has caught up */
  private async followFeed(views: ActiveViews, signal: AbortSignal, partition?: Partition): Promise<void> {
    const { clock } = this;
    const after = views.position;
    const start = { ...(after !== undefined && { after }), max: BATCH, types: handledBy(this.projections) };
    const onSilent = () => this.options.onSilent?.();
    const feed = watchedFeed(this.events, { ...start, partition, signal, clock, onSilent });
    for await (const { events, interrupted, caughtUp } of feed) {
      if (events.length > 0) await this.project(views, events);
      if (!interrupted) this.setHalted(false);
      if (partition && caughtUp) return;
    }
  }

  private async project(views: ActiveViews, events: readonly RecordedEvent[]): Promise<void> {
    const began = performance.now();
    await views.apply(events);
    const projected = eventsOf(this.options.partition, events);
    this.options.metrics.applied(projected, (performance.now() - began) / 1000);
  }

  private setHalted(isHalted: boolean): void {
    if (isHalted !== this.isHalted) this.options.metrics.halted(isHalted);
    this.isHalted = isHalted;
  }
}

const POLL_MS: Milliseconds = 2_000;
/** Interval for retrying a view that cannot be built: each try reads all events. */
const BUILD_AGAIN_MS: Milliseconds = 300_000;

/** Serves requests of other instances to the holder of the read models' lease, in order. */
export class ViewRequests {
  private readonly resting = new Map<string, Instant>();

  constructor(
    private readonly writer: ViewWriter,
    private readonly builds: ActiveViews,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {
    const later = plus(clock.now(), BUILD_AGAIN_MS);
    for (const name of builds.unbuildable) this.resting.set(name, later);
  }

  /** Ends when the signal aborts or another instance takes over. Never rejects. */
  async serve(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      try {
        await this.round(signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted || error instanceof SupersededError) return;
        this.onError(error);
        failures++;
      }
      await pause(this.clock, failures > 0 ? POLL_MS + exponentialBackoff(failures) : POLL_MS, signal);
    }
  }

  private async round(signal: AbortSignal): Promise<void> {
    await this.refuseLoss();
    await this.buildMissing(signal);
    for (const request of await this.writer.requested()) {
      const answer = await this.carryOut(request, signal);
      await this.writer.answer(request, answer);
    }
  }

  /** Starts over if the read store lost or reset its state, or another partition noticed a rollback. @throws SupersededError */
  private async refuseLoss(): Promise<void> {
    const { storedPosition = '', rollback } = this.builds;
    const progress = await this.writer.progress();
    if (!progress || (progress.position ?? '') < storedPosition) throw new SupersededError();
    if (progress.rollback && !rollback) throw new SupersededError();
  }

  /** One replay for all views without a build; one that cannot be built does not block the others. */
  private async buildMissing(signal: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const due = this.builds.missing.filter((name) => (this.resting.get(name) ?? now) <= now);
    for (const name of due) this.resting.set(name, plus(now, BUILD_AGAIN_MS));
    await this.builds.rebuildAll(due).catch((error: unknown) => this.handOn(error, signal));
  }

  private async carryOut(request: MaintenanceRequest, signal: AbortSignal): Promise<MaintenanceAnswer> {
    try {
      if (request.kind === 'verify') return { result: await this.builds.verify() };
      await this.builds.rebuild([request.view]);
      return {};
    } catch (error) {
      this.handOn(error, signal);
      return { failure: messageOf(error) };
    }
  }

  /** Leaves interrupted work to the next holder of the lease, and reports a failure. */
  private handOn(error: unknown, signal: AbortSignal): void {
    if (signal.aborted || error instanceof SupersededError) throw error;
    this.onError(error);
  }
}
