import { setTimeout as wait } from 'node:timers/promises';
import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';
import type { Milliseconds, Clock } from '../../../kernel/time.js';
import {
  EventStore,
  type Append,
  type Appended,
  type AppendOptions,
  type LogListener,
} from '../../ports/event-store.port.js';
import type { ReadProgress, RemoteEventStore } from '../../ports/remote-event-store.port.js';
import { LogListeners } from '../../log-listeners.js';
import { untilAborted } from '../../../async/pauses.js';
import { LogRolledBackError, watchedFeed } from '../../watched-feed.js';
import type { FollowedTypes } from './followed-types.js';
import { TooFarBehindError } from '../../../kernel/errors.js';
import { SlowPartitions } from './partitioned-progress.js';

/** Read your writes: an append resolves when the read models contain it, or after this timeout. */
const PROJECTED_WITHIN_MS: Milliseconds = 1_000;
/** Listeners query the read models, so notify them once the event is projected, or after this time. */
const NOTIFY_WITHIN_MS: Milliseconds = 2_500;
/** Pause after a failed subscription. Pollers find missed work on their next poll. */
const RESTART_MS: Milliseconds = 1_000;
const BATCH = 500;
/** The subscription pauses at this many unprojected events. */
const MAX_PENDING = 20_000;

export interface ProjectedOptions {
  /** Receives the appends of this instance as soon as they are stored. */
  readonly appended?: (events: readonly RecordedEvent[]) => void;
  readonly types: FollowedTypes;
  /** The subscription delivered nothing while the log grew; it restarts. */
  readonly onSilent?: () => void;
  readonly clock: Clock;
  /** The subscription failed and restarts, or a listener failed. */
  readonly onError: (error: unknown) => void;
  readonly restartMs?: Milliseconds;
}

/** Appends and notifications wait for their projection, as if events and read models shared a commit. */
export class ProjectedEventStore extends EventStore {
  private readonly listeners: LogListeners;
  private readonly ending = new AbortController();
  private pending = new PendingEvents();
  private readonly slow: SlowPartitions;
  private notifying: Promise<void> | undefined;
  private period: object | undefined;
  /** False while the subscription delivers older events. */
  private isCaughtUp = false;
  private readonly following: Promise<void>;

  constructor(
    private readonly remote: RemoteEventStore,
    private readonly progress: ReadProgress,
    private readonly options: ProjectedOptions,
  ) {
    super();
    this.listeners = new LogListeners(options.onError);
    this.slow = new SlowPartitions(progress, {
      ...{ waitMs: NOTIFY_WITHIN_MS, signal: this.ending.signal },
      notify: (events) => this.listeners.appended(events),
    });
    this.following = this.follow();
  }

  async append(append: Append, { consistency }: AppendOptions = {}): Promise<Appended> {
    const appended = await this.remote.append(append);
    await this.finish(appended.events, consistency);
    return appended;
  }

  async appendInOrder(appends: readonly Append[], options: AppendOptions = {}): Promise<readonly Appended[]> {
    const appended = await this.remote.appendInOrder(appends, options);
    await this.finish(
      appended.flatMap(({ events }) => events),
      options.consistency,
    );
    return appended;
  }

  private async finish(
    events: readonly RecordedEvent[],
    consistency: AppendOptions['consistency'],
  ): Promise<void> {
    this.options.appended?.(events);
    if (consistency !== 'durable') await this.untilShown(events);
  }

  /** Does not wait for events that no view handles, such as claims. */
  override async untilShown(events: readonly RecordedEvent[]): Promise<void> {
    await this.progress.waitForEvents(events.filter(this.options.types.isProjected), PROJECTED_WITHIN_MS);
  }

  load(stream: string, options?: { from?: number; max?: number }): Promise<readonly RecordedEvent[]> {
    return this.remote.load(stream, options);
  }

  truncate(stream: string, before: number): Promise<void> {
    return this.remote.truncate(stream, before);
  }

  readAll(options: { after?: Position; max: number }): Promise<readonly RecordedEvent[]> {
    return this.remote.readAll(options);
  }

  head(): Promise<Position | undefined> {
    return this.remote.head();
  }

  async unprojected(): Promise<readonly RecordedEvent[]> {
    const heard = this.heardAfter(this.progress.projected());
    if (!heard) throw new TooFarBehindError();
    return heard;
  }

  /** Events that views handle, from memory; undefined if this instance may have missed some. */
  heardAfter(position: Position = ''): readonly RecordedEvent[] | undefined {
    const { pending, slow } = this;
    if (!this.hearing() || !pending.isCompleteAfter(position) || !slow.isCompleteAfter(position))
      return undefined;
    return [...slow.all, ...pending.all].filter(
      (event) => event.position > position && this.options.types.isProjected(event),
    );
  }

  async waitUntilProjected(withinMs = PROJECTED_WITHIN_MS): Promise<void> {
    const head = await this.remote.head(this.options.types.projected);
    if (head === undefined) return;
    if (!(await this.progress.waitFor(head, withinMs))) throw new TooFarBehindError();
  }

  override hearing(): object | undefined {
    return this.isCaughtUp ? this.period : undefined;
  }

  listen(listener: LogListener): () => void {
    return this.listeners.add(listener);
  }

  override async proveCurrent(): Promise<void> {
    await this.remote.writeMarker();
  }

  check(): Promise<void> {
    return this.remote.check();
  }

  async close(): Promise<void> {
    this.listeners.clear();
    this.ending.abort();
    await this.following;
    await this.notifying;
    await this.remote.close();
  }

  private async follow(): Promise<void> {
    const { signal } = this.ending;
    const restartMs = this.options.restartMs ?? RESTART_MS;
    while (!signal.aborted) {
      await this.subscribe().catch((error: unknown) => {
        if (error instanceof LogRolledBackError) this.rolledBack();
        this.options.onError(error);
      });
      this.period = undefined;
      if (!signal.aborted) await wait(restartMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Lost events are never projected, so a wait for one would never end. */
  private rolledBack(): void {
    this.pending = new PendingEvents();
    this.slow.clear();
    this.listeners.rolledBack();
  }

  private async subscribe(): Promise<void> {
    const { signal } = this.ending;
    const { clock, types } = this.options;
    const after = await this.beginning();
    const start = { ...(after !== undefined && { after }), types: types.all, max: BATCH };
    const onSilent = () => {
      this.period = undefined;
      this.options.onSilent?.();
    };
    const feed = watchedFeed(this.remote, { ...start, signal, clock, onSilent });
    for await (const { events, caughtUp, interrupted } of feed) {
      if (events.length > 0) this.receive(events);
      if (interrupted) this.period = undefined;
      this.isCaughtUp = false;
      if (this.pending.length >= MAX_PENDING) await this.notifying;
      this.isCaughtUp = caughtUp;
      if (caughtUp) this.period ??= {};
    }
  }

  private receive(events: readonly RecordedEvent[]): void {
    this.listeners.remoteEvents(events);
    this.pending.add(events);
    this.notifying ??= this.notifyWhenProjected();
  }

  /** A failed subscription restarts at the end of the log. */
  private async beginning(): Promise<Position | undefined> {
    const head = await this.remote.head(this.options.types.projected);
    this.pending.begin(head);
    this.listeners.subscribed(head);
    return head;
  }

  /** Notifies before the projection if that takes too long, and at once of events of a halted partition. */
  private async notifyWhenProjected(): Promise<void> {
    const { signal } = this.ending;
    let notified = 0;
    while (this.pending.length > 0 && !signal.aborted) {
      const { pending } = this;
      const count = pending.length;
      const awaited = pending.all.filter((event) => this.isProjectable(event) && !this.slow.has(event));
      await untilAborted(this.progress.waitForEvents(awaited, NOTIFY_WITHIN_MS), signal);
      if (pending !== this.pending) {
        notified = 0;
        continue;
      }
      const hidden = pending.all.slice(0, count).filter((event) => this.isHidden(event));
      const projected = hidden.length > 0 ? pending.all.indexOf(hidden[0]!) : count;
      this.notify(0, projected);
      this.notify(Math.max(projected, notified), count);
      const settled = this.slow.add(hidden) ? count : projected;
      pending.drop(settled);
      notified = count - settled;
    }
    this.notifying = undefined;
  }

  private isProjectable(event: RecordedEvent): boolean {
    return this.options.types.isProjected(event);
  }

  private isHidden(event: RecordedEvent): boolean {
    return this.isProjectable(event) && event.position > (this.progress.projected(event.stream) ?? '');
  }

  private notify(from: number, to: number): void {
    if (from >= to) return;
    this.listeners.appended(this.pending.all.slice(from, to), this.pending.positionBefore(from));
  }
}

/** Events of the subscription that listeners have not received, in order. */
export class PendingEvents {
  private readonly events: RecordedEvent[] = [];
  private head: Position = '';
  /** No event is missing between this position and the first one; undefined: unknown. */
  private before: Position | undefined;

  get length(): number {
    return this.events.length;
  }

  get all(): readonly RecordedEvent[] {
    return this.events;
  }

  /** Events between two subscriptions are missing. */
  begin(head: Position | undefined): void {
    this.head = head ?? '';
    this.before = this.events.length > 0 ? undefined : this.head;
  }

  isCompleteAfter(position: Position): boolean {
    return position >= this.head;
  }

  add(events: readonly RecordedEvent[]): void {
    this.events.push(...events);
  }

  /** No event is missing between this position and `index`; undefined: unknown. */
  positionBefore(index: number): Position | undefined {
    return this.before !== undefined && index > 0 ? this.events[index - 1]!.position : this.before;
  }

  drop(count: number): void {
    const last = this.events.splice(0, count).at(-1)?.position;
    if (last === undefined || (this.before === undefined && this.events.length > 0)) return;
    this.before = last > this.head ? last : this.head;
  }
}
