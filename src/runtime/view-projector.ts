import type { AnyProjection } from '../kernel/projection.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';
import type { Milliseconds } from '../kernel/time.js';
import type { Clock } from '../ports/clock.port.js';
import { UnavailableError } from '../ports/event-store.port.js';
import type { Duty, GroupLease } from '../ports/group-leases.port.js';
import type { RemoteEventStore } from '../ports/remote-event-store.port.js';
import type { ViewWriter } from '../ports/view-writer.port.js';
import type { PoisonPolicy } from './build-folder.js';
import { LiveBuilds } from './live-builds.js';
import { backoff, pause } from './pauses.js';
import { ViewRequests } from './view-requests.js';

export interface ProjectorMetrics {
  /** A batch is visible to readers. */
  applied(events: number, seconds: number): void;
  /** Views stand still at an event that cannot be folded; or do so no more. */
  halted(standing: boolean): void;
}

export interface ProjectorOptions {
  readonly policy: PoisonPolicy;
  readonly onError: (error: unknown) => void;
  readonly metrics: ProjectorMetrics;
}

const BATCH = 500;
/** An event that cannot be folded is tried again this often: a new release may know it. */
const HALT_MS: Milliseconds = 30_000;

/**
 * Keeps the read models of server stores: catches up from where they are, then follows the subscription. Documents
 * first, progress after: whatever is cut off is folded again and changes nothing.
 */
export class ViewProjector implements Duty {
  constructor(
    private readonly events: RemoteEventStore,
    private readonly writer: ViewWriter,
    private readonly projections: readonly AnyProjection[],
    private readonly clock: Clock,
    private readonly options: ProjectorOptions,
  ) {}

  async run(lease: GroupLease, signal: AbortSignal): Promise<void> {
    const term = new AbortController();
    const end = () => term.abort();
    signal.addEventListener('abort', end);
    try {
      const builds = new LiveBuilds(this.events, this.writer, this.projections, this.options.policy);
      await this.patiently(() => builds.open(lease, term.signal), term.signal);
      if (signal.aborted) return;
      this.options.metrics.halted(false);
      const requests = new ViewRequests(this.writer, builds, this.clock, this.options.onError);
      const serving = requests.serve(term.signal).finally(end);
      await this.follow(builds, lease, term.signal).finally(end);
      await serving;
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      this.options.metrics.halted(true);
      this.options.onError(error);
      await pause(this.clock, HALT_MS, signal);
    } finally {
      end();
      signal.removeEventListener('abort', end);
    }
  }

  private async follow(builds: LiveBuilds, lease: GroupLease, signal: AbortSignal): Promise<void> {
    const after = builds.position;
    const feed = this.events.subscribe({ ...(after !== undefined && { after }), max: BATCH, signal });
    for await (const { events } of feed) {
      if (events.length === 0) continue;
      const kept = await this.patiently(() => this.show(builds, events, lease), signal);
      if (!kept) return;
    }
  }

  /** Resolves to false when somebody else keeps the read models by now. */
  private async show(
    builds: LiveBuilds,
    events: readonly RecordedEvent[],
    lease: GroupLease,
  ): Promise<boolean> {
    const began = performance.now();
    const kept = await builds.apply(events, lease);
    if (kept) this.options.metrics.applied(events.length, (performance.now() - began) / 1000);
    return kept;
  }

  /** What the stores cannot do now is done later: nothing is skipped. */
  private async patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    for (let failures = 1; ; failures++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        if (signal.aborted) return undefined;
        this.options.onError(error);
        await pause(this.clock, backoff(failures), signal);
        if (signal.aborted) return undefined;
      }
    }
  }
}
