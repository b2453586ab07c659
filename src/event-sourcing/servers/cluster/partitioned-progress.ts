import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';
import type { Milliseconds } from '../../../kernel/time.js';
import { partitionOf } from '../../ports/partitions.js';
import { ReadProgress, type PlacedEvent } from '../../ports/remote-event-store.port.js';
import { untilAborted } from '../../../async/pauses.js';

/** A wait for events asks only the partitions of their streams, so a halted partition delays no other. */
export class PartitionedProgress extends ReadProgress {
  constructor(private readonly parts: readonly ReadProgress[]) {
    super();
  }

  projected(stream?: string): Position | undefined {
    if (stream !== undefined) return this.partOf(stream).projected();
    const shown = this.parts.map((part) => part.projected());
    return shown.includes(undefined) ? undefined : shown.sort()[0];
  }

  waitFor(position: Position, ms: Milliseconds): Promise<boolean> {
    return all(this.parts.map((part) => part.waitFor(position, ms)));
  }

  override waitForEvents(events: readonly PlacedEvent[], ms: Milliseconds): Promise<boolean> {
    const ownOf = (part: ReadProgress) => events.filter(({ stream }) => this.partOf(stream) === part);
    return all(this.parts.map((part) => part.waitForEvents(ownOf(part), ms)));
  }

  override partOf(stream: string): ReadProgress {
    return this.parts[partitionOf(stream, this.parts.length)]!;
  }
}

async function all(waits: readonly Promise<boolean>[]): Promise<boolean> {
  return (await Promise.all(waits)).every(Boolean);
}

/** Drops the oldest beyond this, of each partition in equal parts. Pollers find missed work on their next poll. */
const MAX_EVENTS = 20_000;

export interface SlowOptions {
  readonly waitMs: Milliseconds;
  readonly signal: AbortSignal;
  /** Receives events of a partition in order, once it shows them. */
  readonly notify: (events: readonly RecordedEvent[]) => void;
}

/** Events that their partition did not show in time: they wait alone, and delay no other partition. */
export class SlowPartitions {
  private waiting = new Map<ReadProgress, RecordedEvent[]>();
  /** Those of `waiting` that have shown nothing in time: new events do not wait for them. */
  private readonly behind = new Set<ReadProgress>();
  private dropped: Position = '';

  constructor(
    private readonly progress: ReadProgress,
    private readonly options: SlowOptions,
  ) {}

  get all(): readonly RecordedEvent[] {
    return [...this.waiting.values()].flat();
  }

  isCompleteAfter(position: Position): boolean {
    return position >= this.dropped;
  }

  has({ stream }: RecordedEvent): boolean {
    return this.behind.has(this.progress.partOf(stream));
  }

  /** False, and keeps none, if there is one partition only, which no other waits for. */
  add(events: readonly RecordedEvent[]): boolean {
    for (const event of events) {
      const part = this.progress.partOf(event.stream);
      if (part === this.progress) return false;
      this.behind.add(part);
      const own = this.waiting.get(part);
      if (own) own.push(event);
      else void this.follow(part, [event]);
    }
    const each = Math.floor(MAX_EVENTS / this.waiting.size);
    for (const own of this.waiting.values()) this.shorten(own, each);
    return true;
  }

  clear(): void {
    this.waiting = new Map();
    this.behind.clear();
    this.dropped = '';
  }

  private async follow(part: ReadProgress, own: RecordedEvent[]): Promise<void> {
    const { waitMs, signal, notify } = this.options;
    const { waiting } = this;
    waiting.set(part, own);
    while (own.length > 0 && !signal.aborted && waiting === this.waiting) {
      const isShown = await untilAborted(part.waitForEvents(own, waitMs), signal);
      if (waiting !== this.waiting) return;
      if (isShown) this.behind.delete(part);
      const hidden = own.findIndex(({ position }) => position > (part.projected() ?? ''));
      const shown = own.splice(0, hidden < 0 ? own.length : hidden);
      if (shown.length > 0) notify(shown);
    }
    waiting.delete(part);
    this.behind.delete(part);
  }

  private shorten(own: RecordedEvent[], max: number): void {
    const last = own.splice(0, Math.max(own.length - max, 0)).at(-1);
    if (last && last.position > this.dropped) this.dropped = last.position;
  }
}
