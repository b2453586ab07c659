import { setTimeout as wait } from 'node:timers/promises';
import type { Position, RecordedEvent } from '../kernel/recorded-event.js';
import type { Milliseconds } from '../kernel/time.js';
import {
  EventStore,
  UnavailableError,
  type Append,
  type Appended,
  type AppendOptions,
} from '../ports/event-store.port.js';
import type { ReadProgress } from '../ports/read-progress.port.js';
import type { RemoteEventStore } from '../ports/remote-event-store.port.js';
import { settledOrAborted } from '../event-sourcing/pauses.js';

/** Read your writes: an append is answered when the read models show it, or after this all the same. */
const SHOWN_WITHIN_MS: Milliseconds = 1_000;
/** Who is woken looks at the read models. Those who look at events wait for twice this at most. */
const RING_WITHIN_MS: Milliseconds = 2_500;
/** What cannot be read is passed over: who is not woken looks by himself in the end. */
const RESTART_MS: Milliseconds = 1_000;
/** Events in a batch of the subscription. */
const BATCH = 500;
/** Nobody is told of more events that are not shown. */
const MOST_UNSHOWN = 1_000;
/** With so many that are not shown, the subscription waits. */
const MOST_PENDING = 20_000;

export interface ProjectedOptions {
  /** Everything after this position is going to be heard of. */
  readonly begun?: (head: Position | undefined) => void;
  /** Hears of every event at once, before the read models show it. */
  readonly heard?: (events: readonly RecordedEvent[]) => void;
  /** Hears of what was appended here, as soon as it is stored. */
  readonly appended?: (events: readonly RecordedEvent[]) => void;
  /** The subscription failed and is begun again; or a listener failed. */
  readonly onError: (error: unknown) => void;
  readonly restartMs?: Milliseconds;
}

/**
 * An event store of several instances whose read models follow by a subscription: makes it look like the embedded
 * one, where events and read models are one commit.
 */
export class ProjectedEventStore extends EventStore {
  private readonly listeners = new Set<(events: readonly RecordedEvent[]) => void>();
  private readonly ending = new AbortController();
  private readonly pending: RecordedEvent[] = [];
  private ringing: Promise<void> | undefined;
  private hasBegun = false;
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
    this.options.appended?.(appended.events);
    if (answerWhen !== 'durable') await this.progress.waitFor(appended.position, SHOWN_WITHIN_MS);
    return appended;
  }

  async appendInOrder(
    appends: readonly Append[],
    { answerWhen }: AppendOptions = {},
  ): Promise<readonly Appended[]> {
    const appended = await this.remote.appendInOrder(appends);
    this.options.appended?.(appended.flatMap(({ events }) => events));
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

  async unshown(): Promise<readonly RecordedEvent[]> {
    const after = this.progress.shown();
    const events = await this.remote.readAll({
      max: MOST_UNSHOWN + 1,
      ...(after !== undefined && { after }),
    });
    if (events.length > MOST_UNSHOWN) throw tooFarBehind();
    return events;
  }

  async allShown(withinMs = SHOWN_WITHIN_MS): Promise<void> {
    const head = await this.remote.head();
    if (head === undefined) return;
    if (!(await this.progress.waitFor(head, withinMs))) throw tooFarBehind();
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
    const restartMs = this.options.restartMs ?? RESTART_MS;
    while (!signal.aborted) {
      await this.listenOnce().catch((error: unknown) => this.options.onError(error));
      if (!signal.aborted) await wait(restartMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async listenOnce(): Promise<void> {
    const { signal } = this.ending;
    const after = await this.beginning();
    const feed = this.remote.subscribe({ ...(after !== undefined && { after }), max: BATCH, signal });
    for await (const { events } of feed) {
      if (events.length === 0) continue;
      this.options.heard?.(events);
      this.pending.push(...events);
      this.ringing ??= this.ringWhenShown();
      if (this.pending.length >= MOST_PENDING) await this.ringing;
    }
  }

  /** Where to hear from. Later, whatever made the subscription fail is passed over. */
  private async beginning(): Promise<Position | 'end' | undefined> {
    if (this.hasBegun) return 'end';
    const head = await this.remote.head();
    this.hasBegun = true;
    this.options.begun?.(head);
    return head;
  }

  /** Rings what is pending until nothing is: as soon as it is shown, and before when that takes long. */
  private async ringWhenShown(): Promise<void> {
    const { signal } = this.ending;
    let rung = 0;
    while (this.pending.length > 0 && !signal.aborted) {
      const count = this.pending.length;
      const last = this.pending[count - 1]!.position;
      const allShown = await settledOrAborted(this.progress.waitFor(last, RING_WITHIN_MS), signal);
      const shown = allShown ? count : this.shownOf(count);
      this.ring(this.pending.slice(0, shown));
      this.ring(this.pending.slice(Math.max(shown, rung), count));
      this.pending.splice(0, shown);
      rung = count - shown;
    }
    this.ringing = undefined;
  }

  /** How many of the first pending events the read models show. */
  private shownOf(count: number): number {
    const shown = this.progress.shown() ?? '';
    const hidden = this.pending.findIndex(({ position }) => position > shown);
    return hidden < 0 ? count : Math.min(hidden, count);
  }

  /** What one listener does wrong, the others need not hear of. */
  private ring(events: readonly RecordedEvent[]): void {
    if (events.length === 0) return;
    for (const listener of this.listeners) {
      try {
        listener(events);
      } catch (error) {
        this.options.onError(error);
      }
    }
  }
}

function tooFarBehind(): UnavailableError {
  return new UnavailableError('the read models are too far behind', 'not_written');
}

function later(a: Position, b: Position): Position {
  return a > b ? a : b;
}
