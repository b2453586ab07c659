import type { Credentials } from '@eventstore/db-client';
import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';
import type { Milliseconds } from '../../../kernel/time.js';
import {
  noStoreMetrics,
  type Append,
  type Appended,
  type AppendOptions,
  type StoreMetrics,
} from '../../ports/event-store.port.js';
import type {
  FeedBatch,
  ReadAllOptions,
  RemoteEventStore,
  SubscribeOptions,
} from '../../ports/remote-event-store.port.js';
import { Deadline } from '../../../async/deadline.js';
import {
  exponentialBackoff,
  isUnavailable,
  LONGEST_BACKOFF_OF_A_CALL_MS,
  retry,
} from '../../../async/retry.js';
import { settled } from '../../../async/settled.js';
import { Appender } from './appender.js';
import { clientMaker } from './client.js';
import { ClientHolder } from './client-holder.js';
import { parseConnectionString, type ParsedConnectionString } from './connection-string.js';
import { isDropped } from './failures.js';
import { feed, Subscription } from './subscription.js';
import { LogReader, type EventAtPosition } from './log-reader.js';
import { Outage, type OutageObserver } from './outage.js';
import { type CorruptEventError, UnavailableError } from '../../../kernel/errors.js';

export interface EventStoreDbObserver extends Required<OutageObserver> {
  warned(message: string): void;
  /** A subscription was lost or could not start. */
  interrupted(reason: unknown, retryInMs: Milliseconds): void;
  /** The server dropped a subscription because of a burst; it restarts at once. */
  dropped(): void;
  clientReplaced(client: 'calls' | 'subscriptions', reason: string): void;
}

export interface EventStoreDbOptions {
  readonly url: string;
  readonly metrics?: StoreMetrics;
  readonly observer?: Partial<EventStoreDbObserver>;
  /** Limit for every call and for the confirmation of a subscription. */
  readonly timeoutMs?: Milliseconds;
  /** Repeats reads that fail in an outage for this long; default: not at all. */
  readonly repeatReadsForMs?: Milliseconds;
}

const TIMEOUT_MS: Milliseconds = 5_000;
const CHECK_TIMEOUT_MS: Milliseconds = 1_000;
/** More would queue in the one connection and delay the appends of requests. */
const APPENDED_AT_ONCE = 16;

let opened = 0;

/** F1 to F13 in this folder are faults of the client (docs/decisions/023-eventstoredb.md). */
export class EventStoreDb implements RemoteEventStore, EventAtPosition {
  private readonly credentials: Credentials;
  private readonly timeoutMs: Milliseconds;
  /** Two clients, so that a fault of one does not affect the other. */
  private readonly outage: Outage;
  private readonly calls: ClientHolder;
  private readonly subscriptions: ClientHolder;
  private readonly appender: Appender;
  private readonly reader: LogReader;
  private readonly anchors: LogReader;
  private readonly inFlight = new Set<Promise<unknown>>();
  private readonly ending = new AbortController();

  private constructor(
    private readonly options: EventStoreDbOptions,
    { client, credentials }: ParsedConnectionString,
  ) {
    const { metrics = noStoreMetrics, timeoutMs = TIMEOUT_MS } = options;
    this.credentials = credentials;
    this.timeoutMs = timeoutMs;
    this.outage = new Outage(options.observer ?? {});
    const store = ++opened;
    const holder = (name: 'calls' | 'subscriptions') =>
      new ClientHolder({
        make: clientMaker(client, `${name} of store ${store}`),
        outage: this.outage.member(name),
        replaced: (reason) => {
          this.outage.clientReplaced();
          options.observer?.clientReplaced?.(name, reason);
        },
      });
    this.calls = holder('calls');
    this.subscriptions = holder('subscriptions');
    this.reader = new LogReader(this.calls, credentials, timeoutMs);
    this.appender = new Appender({
      holder: this.calls,
      reader: this.reader,
      credentials,
      timeoutMs,
      metrics,
    });
    this.anchors = new LogReader(this.subscriptions, credentials, timeoutMs);
  }

  /** Connects at the first call. @throws Error for an unusable URL */
  static open(options: EventStoreDbOptions): EventStoreDb {
    const judged = parseConnectionString(options.url);
    for (const warning of judged.warnings) options.observer?.warned?.(warning);
    return new EventStoreDb(options, judged);
  }

  append(append: Append): Promise<Appended> {
    return this.tracked(() => this.appender.append(append));
  }

  /** A repeat of all completes an interrupted append. */
  appendInOrder(
    appends: readonly Append[],
    { anyOrder = false }: AppendOptions = {},
  ): Promise<readonly Appended[]> {
    return this.tracked(async () => {
      const answers: Appended[] = [];
      const atOnce = anyOrder ? APPENDED_AT_ONCE : 1;
      for (let from = 0; from < appends.length; from += atOnce) {
        const calls = appends.slice(from, from + atOnce).map((append) => this.appender.append(append));
        answers.push(...(await settled(calls))); // After a failure the caller may repeat all.
      }
      return answers;
    });
  }

  load(
    stream: string,
    { from = 0, max = Infinity }: { from?: number; max?: number } = {},
  ): Promise<readonly RecordedEvent[]> {
    return this.repeated(() => this.reader.stream(stream, from, max));
  }

  truncate(stream: string, before: number): Promise<void> {
    return this.repeated(() => this.appender.truncate(stream, before));
  }

  async readAll({ after, max, onCorrupt }: ReadAllOptions): Promise<readonly RecordedEvent[]> {
    let corrupt: CorruptEventError[] = [];
    const report = onCorrupt && ((error: CorruptEventError) => void corrupt.push(error));
    const events = await this.repeated(() => {
      corrupt = [];
      return this.reader.all(after, max, report);
    });
    for (const error of corrupt) onCorrupt!(error);
    return events;
  }

  at(position: Position): Promise<RecordedEvent | undefined> {
    return this.repeated(() => this.reader.at(position));
  }

  head(types?: readonly string[]): Promise<Position | undefined> {
    return this.repeated(() => this.reader.newestOfOurs(types));
  }

  end(): Promise<Position | undefined> {
    return this.tracked(() => this.reader.newest());
  }

  holds(position: Position): Promise<boolean> {
    return this.repeated(() => this.reader.holds(position));
  }

  writeMarker(): Promise<Position> {
    return this.tracked(() => this.appender.writeMarker());
  }

  subscribe(options: SubscribeOptions): AsyncIterable<FeedBatch> {
    const source = {
      newest: () => this.anchors.newest(),
      subscribe: (after: Position | undefined) => this.subscription(after, options),
      interrupted: (reason: unknown, retryInMs: Milliseconds) => {
        this.outage.interrupted();
        this.options.observer?.interrupted?.(reason, retryInMs);
      },
      dropped: () => this.options.observer?.dropped?.(),
      wait: (ms: Milliseconds, signal: AbortSignal) => this.outage.nextRecovery(ms, signal, 'subscriptions'),
    };
    return feed(source, { ...options, signal: AbortSignal.any([options.signal, this.ending.signal]) });
  }

  async check(): Promise<void> {
    await this.tracked(() => this.reader.newest(CHECK_TIMEOUT_MS));
  }

  /** Waits for pending calls, which end at their timeout at the latest. */
  async close(): Promise<void> {
    this.ending.abort();
    await Promise.allSettled(this.inFlight);
    await Promise.all([this.calls.close(), this.subscriptions.close()]);
  }

  private repeated<T>(read: () => Promise<T>): Promise<T> {
    const { signal } = this.ending;
    const { repeatReadsForMs = 0 } = this.options;
    const deadline = new Deadline(repeatReadsForMs);
    const attempt = repeatReadsForMs > 0 ? () => deadline.within('reading the event store', read) : read;
    return this.tracked(() =>
      retry(attempt, {
        when: isUnavailable,
        wait: (failures) =>
          this.outage.nextRecovery(exponentialBackoff(failures, LONGEST_BACKOFF_OF_A_CALL_MS), signal),
        deadline,
        signal,
      }),
    );
  }

  private async tracked<T>(work: () => Promise<T>): Promise<T> {
    this.refuseWhenClosed();
    const call = work();
    this.inFlight.add(call);
    try {
      return await call;
    } finally {
      this.inFlight.delete(call);
    }
  }

  private refuseWhenClosed(): void {
    if (this.ending.signal.aborted) throw new UnavailableError('the event store is closed', 'not_written');
  }

  private async subscription(
    after: Position | undefined,
    { types, partition }: SubscribeOptions,
  ): Promise<Subscription> {
    const from = await this.anchors.anchor(after);
    this.refuseWhenClosed();
    const client = this.subscriptions.current;
    const begun = performance.now();
    return new Subscription({
      client,
      from,
      ...(types && { types }),
      partition,
      credentials: this.credentials,
      timeoutMs: this.timeoutMs,
      confirmed: () => this.subscriptions.succeeded(client),
      failed: (reason) => {
        if (!isDropped(reason)) this.subscriptions.failed(client, reason, begun);
      },
    });
  }
}
