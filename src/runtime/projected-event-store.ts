import { setTimeout } from 'node:timers/promises';
import type { Position, RecordedEvent } from '../kernel/recorded-event.js';
import type { Milliseconds } from '../kernel/time.js';
import { EventStore, type Append, type Appended, type AppendOptions } from '../ports/event-store.port.js';
import type { ReadProgress } from '../ports/read-progress.port.js';
import type { RemoteEventStore } from '../ports/remote-event-store.port.js';

/** Read your writes: an append is answered when the read models show it, or after this all the same. */
const SHOWN_WITHIN_MS: Milliseconds = 1_000;
/** Who is woken looks at the read models: ringing before they show anything new would be for nothing. */
const RING_WITHIN_MS: Milliseconds = 5_000;
/** What cannot be read is passed over: who is not woken looks by himself in the end. */
const RESTART_MS: Milliseconds = 1_000;
/** Events in a batch of the subscription. */
const BATCH = 500;
/** More than these behind the read models, and the oldest ring early: a ring carries nothing. */
const MOST_PENDING = 20_000;

export interface ProjectedOptions {
  /** Hears of every event at once, before the read models show it. */
  readonly heard?: (events: readonly RecordedEvent[]) => void;
  /** The subscription failed; it is begun again. */
  readonly onError: (error: unknown) => void;
}

/**
 * An event store of several instances whose read models follow by a subscription: makes it look like the embedded
 * one, where events and read models are one commit.
 */
export class ProjectedEventStore extends EventStore {
  private readonly listeners = new Set<(events: readonly RecordedEvent[]) => void>();
  private readonly ending = new AbortController();
  private pending: RecordedEvent[] = [];
  private ringing: Promise<void> | undefined;
  private readonly listening: Promise<void>;

  constructor(
    private readonly remote: RemoteEventStore,
    private readonly progress: ReadProgress,
    private readonly options: ProjectedOptions,
  ) {
    super();
    this.listening = this.listen();
  }

  async append(append: Append, { answerWhen }: AppendOptions = {}): Promise<Appended> {
    const appended = await this.remote.append(append);
    if (answerWhen !== 'durable') await this.progress.waitFor(appended.position, SHOWN_WITHIN_MS);
    return appended;
  }

  async appendInOrder(
    appends: readonly Append[],
    { answerWhen }: AppendOptions = {},
  ): Promise<readonly Appended[]> {
    const appended = await this.remote.appendInOrder(appends);
    const last = appended.reduce<Position>((latest, { position }) => later(latest, position), '');
    if (last !== '' && answerWhen !== 'durable') await this.progress.waitFor(last, SHOWN_WITHIN_MS);
    return appended;
  }

  load(stream: string, options?: { from?: number; max?: number }): Promise<readonly RecordedEvent[]> {
    return this.remote.load(stream, options);
  }

  readAll(options: { after?: Position; max: number }): Promise<readonly RecordedEvent[]> {
    return this.remote.readAll(options);
  }

  head(): Promise<Position | undefined> {
    return this.remote.head();
  }

  onAppended(listener: (events: readonly RecordedEvent[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  check(): Promise<void> {
    return this.remote.check();
  }

  async close(): Promise<void> {
    this.listeners.clear();
    this.ending.abort();
    await this.listening;
    await this.ringing;
    await this.remote.close();
  }

  private async listen(): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      await this.listenOnce().catch((error: unknown) => this.options.onError(error));
      if (!signal.aborted)
        await setTimeout(RESTART_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async listenOnce(): Promise<void> {
    const feed = this.remote.subscribe({ after: 'end', max: BATCH, signal: this.ending.signal });
    for await (const { events } of feed) {
      if (events.length === 0) continue;
      this.options.heard?.(events);
      this.pending.push(...events);
      if (this.pending.length > MOST_PENDING) this.ring(this.pending.splice(0, BATCH));
      this.ringing ??= this.ringWhenShown().finally(() => (this.ringing = undefined));
    }
  }

  private async ringWhenShown(): Promise<void> {
    while (this.pending.length > 0 && !this.ending.signal.aborted) {
      const due = this.pending;
      this.pending = [];
      await this.progress.waitFor(due.at(-1)!.position, RING_WITHIN_MS);
      this.ring(due);
    }
  }

  private ring(events: readonly RecordedEvent[]): void {
    for (const listener of this.listeners) listener(events);
  }
}

function later(a: Position, b: Position): Position {
  return a > b ? a : b;
}
