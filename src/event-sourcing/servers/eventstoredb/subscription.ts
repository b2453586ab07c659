import {
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  type EventStoreDBClient,
  eventTypeFilter,
  streamNameFilter,
  type Credentials,
  type START,
} from '@eventstore/db-client';
import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';
import type { Milliseconds } from '../../../kernel/time.js';
import { isAfter, oursOf, positionOf, recordedOf, type LogPosition } from './stored-events.js';
import { CorruptEventError, UnavailableError } from '../../../kernel/errors.js';
import { digitsOf, type Partition } from '../../ports/partitions.js';
import type { FeedBatch, SubscribeOptions } from '../../ports/remote-event-store.port.js';
import { exponentialBackoff, LONGEST_BACKOFF_MS } from '../../../async/retry.js';
import { isDropped } from './failures.js';

export interface DeliveredBatch {
  readonly events: readonly RecordedEvent[];
  readonly position: Position | undefined;
  readonly caughtUp: boolean;
}

/** Server notice, queued with the events to keep its order (F11). */
type Mark = { readonly checkpoint: LogPosition } | { readonly live: boolean };

type Item = AllStreamResolvedEvent | Mark;

export interface SubscriptionOptions {
  readonly client: EventStoreDBClient;
  readonly from: LogPosition | typeof START;
  /** Default: all but system events. */
  readonly types?: readonly string[];
  /** The server filters by one property only: by the stream if there is a partition, and types are then skipped here. */
  readonly partition?: Partition;
  readonly credentials: Credentials;
  readonly timeoutMs: Milliseconds;
  readonly confirmed: () => void;
  readonly failed: (reason: unknown) => void;
  /** Minimum interval between two batches. */
  readonly gatherMs?: Milliseconds;
}

const NO_SYSTEM_EVENTS = '^[^$]';
/** In windows of 32 events examined by the server. */
const CHECKPOINT_INTERVAL = 4;
/** The client's default of 16 slows down reading. */
const BUFFERED_BY_CLIENT = 256;
/** Messages may arrive one per turn of the event loop; gathering adds this latency between close batches. */
const GATHER_MS: Milliseconds = 3;
/** Pauses the stream at this many queued items, until half are consumed. */
const MAX_WAITING = 2_000;

/** One connection; ends by an error, an end or a close event (F8). */
export class Subscription {
  private readonly stream: AllStreamSubscription;
  private readonly waiting: Item[] = [];
  private readonly confirmation: NodeJS.Timeout;
  private readonly wanted: ReadonlySet<string> | undefined;
  private arrival: (() => void) | undefined;
  private handedAt = -Infinity;
  /** Last notice of the server; KurrentDB repeats `caughtUp` after each burst. */
  private announced = false;
  private live = false;
  private position: Position | undefined;
  private lastEvent: LogPosition | undefined;
  private over = false;
  /** Undefined after a clean end by the server. */
  reason: unknown;

  constructor(private readonly options: SubscriptionOptions) {
    const { client, from, credentials, timeoutMs, types, partition } = options;
    this.wanted = partition && types && new Set(types);
    this.stream = client.subscribeToAll(
      { fromPosition: from, filter: this.filter(), credentials },
      { highWaterMark: BUFFERED_BY_CLIENT },
    );
    // Set synchronously and never removed: an error event without a listener ends the process (F9).
    this.stream.on('error', (error) => this.end(error));
    this.stream.on('end', () => this.end(undefined));
    this.stream.on('close', () => this.end(undefined));
    this.stream.on('confirmation', () => this.confirm());
    this.stream.on('caughtUp', () => this.announce(true));
    this.stream.on('fellBehind', () => this.announce(false));
    this.stream.on('data', (item: Item) => this.arrived(item));
    const late = new UnavailableError(
      `the subscription was not confirmed within ${timeoutMs} ms`,
      'not_written',
    );
    this.confirmation = setTimeout(() => this.end(late), timeoutMs);
  }

  /** Waits for at least one item; undefined at the end. @throws CorruptEventError */
  async next(max: number): Promise<DeliveredBatch | undefined> {
    while (this.waiting.length === 0 && !this.over) {
      await new Promise<void>((resolve) => (this.arrival = resolve));
    }
    if (this.waiting.length === 0) return undefined;
    const events = this.take(max);
    this.handedAt = performance.now();
    if (this.stream.isPaused() && this.waiting.length < MAX_WAITING / 2) this.stream.resume();
    return { events, position: this.position, caughtUp: this.live && this.waiting.length === 0 };
  }

  close(): void {
    this.end(undefined);
    void this.stream.unsubscribe().catch(() => undefined);
  }

  private filter() {
    const { types, partition } = this.options;
    const common = {
      checkpointInterval: CHECKPOINT_INTERVAL,
      // Must not throw: an exception here would end the process (F10).
      checkpointReached: (_: unknown, checkpoint: LogPosition) => void this.stream.push({ checkpoint }),
    };
    if (partition) return streamNameFilter({ regex: streamsOf(partition), ...common });
    return eventTypeFilter({ regex: patternOf(types), ...common });
  }

  /** Stops before a corrupt event, so that the events before it are delivered first. */
  private take(max: number): RecordedEvent[] {
    const events: RecordedEvent[] = [];
    let taken = 0;
    try {
      for (const item of this.waiting) {
        if (events.length >= max) break;
        if ('live' in item) this.live = item.live;
        else if ('checkpoint' in item) this.takeCheckpoint(item.checkpoint);
        else this.takeEvent(item, events);
        taken += 1;
      }
    } catch (error) {
      if (!(error instanceof CorruptEventError) || events.length === 0) throw error;
    }
    this.waiting.splice(0, taken);
    return events;
  }

  private takeEvent(resolved: AllStreamResolvedEvent, events: RecordedEvent[]): void {
    const event = oursOf(resolved);
    if (!event || this.wanted?.has(event.type) === false) return;
    const recorded = recordedOf(event);
    const at = event.position as LogPosition;
    if (this.lastEvent && !isAfter(at, this.lastEvent)) return;
    this.lastEvent = at;
    events.push(recorded);
    this.moveTo(recorded.position);
  }

  /** With a smaller prepare position, the event at the commit position may still come. */
  private takeCheckpoint(checkpoint: LogPosition): void {
    if (checkpoint.prepare >= checkpoint.commit) this.moveTo(positionOf(checkpoint));
  }

  private moveTo(position: Position): void {
    if (this.position === undefined || this.position < position) this.position = position;
  }

  private announce(live: boolean): void {
    if (this.announced === live) return;
    this.announced = live;
    this.stream.push({ live });
  }

  private confirm(): void {
    clearTimeout(this.confirmation);
    this.options.confirmed();
  }

  private arrived(item: Item): void {
    if (this.over) return;
    this.waiting.push(item);
    if (this.waiting.length >= MAX_WAITING) this.stream.pause();
    this.wake();
  }

  private end(reason: unknown): void {
    clearTimeout(this.confirmation);
    if (this.over) return;
    this.over = true;
    this.reason = reason;
    if (reason !== undefined) this.options.failed(reason);
    this.wake();
  }

  /** On a quiet subscription, waits only for items of the same turn of the event loop. */
  private wake(): void {
    const { arrival } = this;
    if (!arrival) return;
    this.arrival = undefined;
    const { gatherMs = GATHER_MS } = this.options;
    const left = gatherMs - (performance.now() - this.handedAt);
    if (left <= 0 || this.over) setImmediate(arrival);
    else setTimeout(arrival, left);
  }
}

/** Types are words of letters; anything else would be part of the pattern. */
function patternOf(types: readonly string[] | undefined): string {
  if (!types) return NO_SYSTEM_EVENTS;
  const odd = types.find((type) => !/^\w+$/.test(type));
  if (odd !== undefined) throw new RangeError(`no event type: ${odd}`);
  return `^(${types.join('|')})$`;
}

/** Names that end otherwise belong to the first partition. */
function streamsOf(partition: Partition): string {
  const digits = digitsOf(partition);
  return partition.index === 0 ? `^[^$].*([${digits}]|[^0-9a-f])$` : `^[^$].*[${digits}]$`;
}

export interface FeedSource {
  newest(): Promise<Position | undefined>;
  subscribe(after: Position | undefined): Promise<Subscription>;
  /** A subscription was lost or could not start. */
  interrupted(reason: unknown, retryInMs: Milliseconds): void;
  /** The server dropped a subscription because of a burst; the next attempt follows at once. */
  dropped(): void;
  /** Ends early if the server is reached meanwhile. */
  wait(ms: Milliseconds, signal: AbortSignal): Promise<void>;
}

/** Resubscribes behind the last delivered event. @throws CorruptEventError */
export async function* feed(
  source: FeedSource,
  { after, max, signal }: SubscribeOptions,
): AsyncGenerator<FeedBatch, void, undefined> {
  let position = after;
  let failures = 0;
  let hasReported = false;
  while (!signal.aborted) {
    const begun = performance.now();
    let reason: unknown;
    let hasProgressed = false;
    try {
      if (position === 'end') position = await source.newest();
      const subscription = await source.subscribe(position);
      for await (const batch of connected(subscription, max, signal)) {
        position = batch.position ?? position;
        hasProgressed = true;
        if (batch.events.length > 0) failures = 0;
        hasReported = false;
        yield { ...batch, position, interrupted: false };
      }
      reason = subscription.reason;
    } catch (error) {
      if (error instanceof CorruptEventError) throw error;
      reason = error;
    }
    if (signal.aborted) return;
    if (hasProgressed && isDropped(reason)) {
      source.dropped();
      continue;
    }
    if (performance.now() - begun > LONGEST_BACKOFF_MS) failures = 0;
    const retryInMs = exponentialBackoff(++failures);
    source.interrupted(reason, retryInMs);
    if (!hasReported) yield { events: [], position: known(position), caughtUp: false, interrupted: true };
    hasReported = true;
    await source.wait(retryInMs, signal);
  }
}

async function* connected(subscription: Subscription, max: number, signal: AbortSignal) {
  const close = () => subscription.close();
  signal.addEventListener('abort', close);
  try {
    for (;;) {
      const batch = signal.aborted ? undefined : await subscription.next(max);
      if (!batch || signal.aborted) return;
      yield batch;
    }
  } finally {
    signal.removeEventListener('abort', close);
    subscription.close();
  }
}

function known(position: Position | 'end' | undefined): Position | undefined {
  return position === 'end' ? undefined : position;
}
