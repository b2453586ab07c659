import type { Position } from '../kernel/recorded-event.js';
import type { Milliseconds } from '../kernel/time.js';
import type { Clock } from '../ports/clock.port.js';
import type { FeedBatch, RemoteEventStore, SubscribeOptions } from '../ports/remote-event-store.port.js';
import { pause } from './pauses.js';

type Log = Pick<RemoteEventStore, 'subscribe' | 'head' | 'end'>;

/** The log ends before an event that was delivered: an older copy of the event store was put back. */
export class LogRolledBackError extends Error {
  constructor(position: Position) {
    super(`the event store was rolled back: it ends before position ${position}`);
  }
}

/**
 * A node that has just become the leader may lag for a moment. A false alarm parks every active job, but while we look,
 * jobs that may have been printed can still be leased: so no longer than a second.
 */
const LOOKS = 4;
const LOOK_AGAIN_MS: Milliseconds = 300;
const CHECK_MS: Milliseconds = 5_000;

/** Whether the log ends before this position. @throws UnavailableError */
export async function endsBefore(
  position: Position,
  events: Pick<RemoteEventStore, 'end'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  for (let look = 1; ; look++) {
    const end = await events.end();
    if (end !== undefined && end >= position) return false;
    if (look === LOOKS || signal.aborted) return !signal.aborted;
    await pause(clock, LOOK_AGAIN_MS, signal);
  }
}

export interface WatchedFeedOptions extends SubscribeOptions {
  readonly after?: Position;
  readonly clock: Clock;
  /** The subscription delivered nothing while the log grew; it starts again. */
  readonly onSilent?: () => void;
}

/**
 * A subscription that is checked every five seconds: one that delivers nothing while the log grows starts again after the
 * last delivered event. @throws LogRolledBackError
 */
export async function* watchedFeed(
  events: Log,
  options: WatchedFeedOptions,
): AsyncGenerator<FeedBatch, void, undefined> {
  const { max, signal, after } = options;
  let position = after;
  while (!signal.aborted) {
    const watch = new FeedWatch(events, options, position);
    try {
      const start = position === undefined ? {} : { after: position };
      for await (const batch of events.subscribe({ ...start, max, signal: watch.signal })) {
        watch.delivered(batch.position);
        position = batch.position ?? position;
        yield batch;
        watch.awaitsNext();
      }
    } finally {
      watch.stop();
    }
    if (watch.rolledBack) throw watch.rolledBack;
    if (!watch.wasSilent) return;
    options.onSilent?.();
  }
}

/** Checks one subscription; `signal` ends it. */
class FeedWatch {
  rolledBack: LogRolledBackError | undefined;
  wasSilent = false;
  private readonly ending = new AbortController();
  private isConsumed = false;
  /** Head beyond the delivered events at the last check. */
  private missing: Position | undefined;

  constructor(
    private readonly events: Log,
    private readonly options: WatchedFeedOptions,
    private position: Position | undefined,
  ) {
    options.signal.addEventListener('abort', this.stop);
    if (options.signal.aborted) this.stop();
    void this.run();
  }

  get signal(): AbortSignal {
    return this.ending.signal;
  }

  readonly stop = (): void => {
    this.options.signal.removeEventListener('abort', this.stop);
    this.ending.abort();
  };

  delivered(position: Position | undefined): void {
    this.position = position ?? this.position;
    this.missing = undefined;
    this.isConsumed = true;
  }

  awaitsNext(): void {
    this.isConsumed = false;
  }

  private async run(): Promise<void> {
    const { clock } = this.options;
    while (!this.signal.aborted) {
      await pause(clock, CHECK_MS, this.signal);
      // An outage is reported by the calls that need the store.
      if (!this.signal.aborted && !this.isConsumed) await this.check().catch(() => undefined);
    }
  }

  private async check(): Promise<void> {
    const head = await this.events.head();
    const { position } = this;
    if (this.isConsumed || this.signal.aborted) return;
    if (position !== undefined && (head === undefined || head < position)) return this.checkEnd(position);
    const isBehind = head !== undefined && (position === undefined || head > position);
    this.wasSilent = isBehind && this.missing !== undefined;
    this.missing = isBehind ? head : undefined;
    if (this.wasSilent) this.stop();
  }

  private async checkEnd(position: Position): Promise<void> {
    if (!(await endsBefore(position, this.events, this.options.clock, this.signal))) return;
    this.rolledBack = new LogRolledBackError(position);
    this.stop();
  }
}
