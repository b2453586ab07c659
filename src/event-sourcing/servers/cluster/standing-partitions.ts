import { untilAborted } from '../../../async/pauses.js';
import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';
import type { Milliseconds } from '../../../kernel/time.js';
import type { ReadProgress } from '../../ports/remote-event-store.port.js';

/** Drops the oldest of a partition beyond this. Pollers find missed work on their next poll. */
const MAX_EVENTS = 20_000;

export interface StandingOptions {
  readonly waitMs: Milliseconds;
  readonly signal: AbortSignal;
  /** Receives events of a partition in order, once it shows them. */
  readonly notify: (events: readonly RecordedEvent[]) => void;
}

/** Events that their partition did not show in time: they wait alone, and delay no other partition. */
export class StandingPartitions {
  private waiting = new Map<ReadProgress, RecordedEvent[]>();
  private dropped: Position = '';

  constructor(
    private readonly progress: ReadProgress,
    private readonly options: StandingOptions,
  ) {}

  get all(): readonly RecordedEvent[] {
    return [...this.waiting.values()].flat();
  }

  isCompleteAfter(position: Position): boolean {
    return position >= this.dropped;
  }

  has({ stream }: RecordedEvent): boolean {
    return this.waiting.has(this.progress.partOf(stream));
  }

  /** False, and keeps none, if there is one partition only, which no other waits for. */
  add(events: readonly RecordedEvent[]): boolean {
    for (const event of events) {
      const part = this.progress.partOf(event.stream);
      if (part === this.progress) return false;
      const own = this.waiting.get(part);
      if (own) own.push(event);
      else void this.follow(part, [event]);
    }
    for (const own of this.waiting.values()) this.shorten(own);
    return true;
  }

  clear(): void {
    this.waiting = new Map();
    this.dropped = '';
  }

  private async follow(part: ReadProgress, own: RecordedEvent[]): Promise<void> {
    const { waitMs, signal, notify } = this.options;
    const { waiting } = this;
    waiting.set(part, own);
    while (own.length > 0 && !signal.aborted && waiting === this.waiting) {
      await untilAborted(part.waitForEvents(own, waitMs), signal);
      if (waiting !== this.waiting) return;
      const hidden = own.findIndex(({ position }) => position > (part.projected() ?? ''));
      const shown = own.splice(0, hidden < 0 ? own.length : hidden);
      if (shown.length > 0) notify(shown);
    }
    waiting.delete(part);
  }

  private shorten(own: RecordedEvent[]): void {
    const last = own.splice(0, own.length - MAX_EVENTS).at(-1);
    if (last && last.position > this.dropped) this.dropped = last.position;
  }
}
