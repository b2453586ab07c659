import type { Position } from '../kernel/recorded-event.js';
import type { Milliseconds, Clock } from '../kernel/time.js';
import type { FeedBatch, RemoteEventStore, SubscribeOptions } from './ports/remote-event-store.port.js';
import { pause } from '../async/pauses.js';

type Log = Pick<RemoteEventStore, 'subscribe' | 'head' | 'end' | 'holds' | 'writeMarker'>;

/** The log ends before a delivered event: an older copy of the event store was restored. */
export class LogRolledBackError extends Error {
  constructor(position: Position) {
    super(`the event store was rolled back: it ends before position ${position}`);
  }
}

/** Events were read before: the address is wrong, or everything was lost. */
export class EmptyLogError extends Error {
  constructor() {
    super(
      'the event store is empty but the read models are not: check its address, or drop the read database',
    );
  }
}

const CHECK_MS: Milliseconds = 5_000;
/** Pause between two checks after an interruption. */
const CHECK_AGAIN_MS: Milliseconds = 250;

/**
 * Undefined if the log still holds `position`. A lagging or deposed node cannot give a new record an old
 * position, so a marker tells; a copy that has grown beyond the position has no event there.
 * @param event position of the last event up to there, if it is to be looked at @throws EmptyLogError; UnavailableError
 */
export async function endOfOlderCopy(
  events: Pick<RemoteEventStore, 'head' | 'end' | 'holds' | 'writeMarker'>,
  position: Position,
  event: Position | undefined,
): Promise<Position | undefined> {
  const end = await events.end();
  if (end !== undefined && end >= position)
    return event === undefined || (await events.holds(event)) ? undefined : end;
  if (end === undefined || (await events.head()) === undefined) throw new EmptyLogError();
  // At the position itself, the marker replaced the event.
  return (await events.writeMarker()) <= position ? end : undefined;
}

export interface WatchedFeedOptions extends SubscribeOptions {
  readonly after?: Position;
  readonly clock: Clock;
  /** The subscription delivered nothing while the log grew; it restarts. */
  readonly onSilent?: () => void;
}

/**
 * Restarts a silent subscription; checks an interrupted one before an older copy outgrows `position`. @throws
 * LogRolledBackError
 */
export async function* watchedFeed(
  events: Log,
  options: WatchedFeedOptions,
): AsyncGenerator<FeedBatch, void, undefined> {
  const { max, signal, after, types, partition } = options;
  let [position, event] = [after, after];
  while (!signal.aborted) {
    const watch = new FeedWatch(events, options, position, event);
    try {
      const start = {
        ...(position !== undefined && { after: position }),
        ...(types && { types }),
        partition,
      };
      for await (const batch of events.subscribe({ ...start, max, signal: watch.signal })) {
        position = batch.position ?? position;
        event = batch.events.at(-1)?.position ?? event;
        watch.delivered(position, event);
        if (batch.interrupted) watch.interrupted();
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

class FeedWatch {
  rolledBack: LogRolledBackError | undefined;
  wasSilent = false;
  private readonly ending = new AbortController();
  private isConsumed = false;
  private rechecking: Promise<void> | undefined;
  /** Head beyond the delivered events at the last check. */
  private missing: Position | undefined;

  constructor(
    private readonly events: Log,
    private readonly options: WatchedFeedOptions,
    private position: Position | undefined,
    /** Of the last event; `position` may be that of a record that is none. */
    private event: Position | undefined,
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

  delivered(position: Position | undefined, event: Position | undefined): void {
    this.position = position;
    this.event = event;
    this.missing = undefined;
    this.isConsumed = true;
  }

  awaitsNext(): void {
    this.isConsumed = false;
  }

  interrupted(): void {
    this.rechecking ??= this.checkUntilAnswered().finally(() => (this.rechecking = undefined));
  }

  private async checkUntilAnswered(): Promise<void> {
    const { position, event } = this;
    if (position === undefined) return;
    const once = () =>
      this.checkEnd(position, event).then(
        () => true,
        () => false,
      );
    while (!this.signal.aborted && !(await once()))
      await pause(this.options.clock, CHECK_AGAIN_MS, this.signal);
  }

  private async run(): Promise<void> {
    const { clock } = this.options;
    while (!this.signal.aborted) {
      await pause(clock, CHECK_MS, this.signal);
      // Calls that need the store report the outage.
      if (!this.signal.aborted && !this.isConsumed) await this.check().catch(() => undefined);
    }
  }

  private async check(): Promise<void> {
    const head = await this.events.head(this.options.types);
    const { position, event } = this;
    if (this.isConsumed || this.signal.aborted) return;
    if (position !== undefined && (head === undefined || head < position))
      return this.checkEnd(position, (head ?? '') >= (event ?? '') ? undefined : event);
    const isBehind = head !== undefined && (position === undefined || head > position);
    this.wasSilent = isBehind && this.missing !== undefined;
    this.missing = isBehind ? head : undefined;
    if (this.wasSilent) this.stop();
  }

  private async checkEnd(position: Position, event: Position | undefined): Promise<void> {
    try {
      if ((await endOfOlderCopy(this.events, position, event)) === undefined) return;
    } catch (error) {
      // The next holder of the lease refuses it.
      if (!(error instanceof EmptyLogError)) throw error;
    }
    if (this.signal.aborted) return;
    this.rolledBack = new LogRolledBackError(position);
    this.stop();
  }
}
