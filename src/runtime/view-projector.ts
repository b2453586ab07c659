import type { AnyProjection } from '../kernel/projection.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';
import type { Milliseconds } from '../kernel/time.js';
import type { Clock } from '../ports/clock.port.js';
import type { Duty, GroupLease } from '../ports/group-leases.port.js';
import type { RemoteEventStore } from '../ports/remote-event-store.port.js';
import type { ViewWriter } from '../ports/view-writer.port.js';
import type { PoisonPolicy } from './build-folder.js';
import { LiveBuilds } from './live-builds.js';
import { Outages } from './outages.js';
import { pause } from './pauses.js';
import { SupersededError } from './side-builds.js';
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
/** What cannot be folded is tried again this often: what reads or writes it may have been at fault. */
const HALT_MS: Milliseconds = 30_000;

/**
 * Keeps the read models of server stores: catches up from where they are, then follows the subscription. Documents
 * first, progress after: whatever is cut off is folded again and changes nothing.
 */
export class ViewProjector implements Duty {
  private readonly outages: Outages;
  private standing = false;

  constructor(
    private readonly events: RemoteEventStore,
    private readonly writer: ViewWriter,
    private readonly projections: readonly AnyProjection[],
    private readonly clock: Clock,
    private readonly options: ProjectorOptions,
  ) {
    this.outages = new Outages(clock, options.onError);
  }

  /** Ends with the lease, or when the read models have to be taken up anew. Never rejects. */
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
      this.stand(false);
    }
  }

  private async keep(lease: GroupLease, term: AbortController): Promise<void> {
    const { signal } = term;
    const { events, writer, projections, outages, clock } = this;
    const { policy, onError } = this.options;
    const builds = new LiveBuilds(
      { events, writer, projections, policy, outages, onError },
      { lease, signal },
    );
    const isOpen = await this.untilDone(() => builds.open(), signal);
    if (!isOpen) return;
    const end = () => term.abort();
    const requests = new ViewRequests(writer, builds, clock, onError);
    await Promise.all([
      this.untilDone(() => this.follow(builds, signal), signal).finally(end),
      requests.serve(signal).finally(end),
    ]);
  }

  /** Stands still at what cannot be folded and tries again. Resolves to false when there is nothing more to do here. */
  private async untilDone(work: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      try {
        await work();
        return !signal.aborted;
      } catch (error) {
        if (signal.aborted || error instanceof SupersededError) return false;
        this.stand(true);
        this.options.onError(error);
        await pause(this.clock, HALT_MS, signal);
      }
    }
    return false;
  }

  private async follow(builds: LiveBuilds, signal: AbortSignal): Promise<void> {
    const after = builds.position;
    const feed = this.events.subscribe({ ...(after !== undefined && { after }), max: BATCH, signal });
    for await (const { events, interrupted } of feed) {
      if (events.length > 0) await this.show(builds, events);
      if (!interrupted) this.stand(false);
    }
  }

  private async show(builds: LiveBuilds, events: readonly RecordedEvent[]): Promise<void> {
    const began = performance.now();
    await builds.apply(events);
    this.options.metrics.applied(events.length, (performance.now() - began) / 1000);
  }

  private stand(standing: boolean): void {
    if (standing !== this.standing) this.options.metrics.halted(standing);
    this.standing = standing;
  }
}
