import type { Position, RecordedEvent } from '../kernel/recorded-event.js';
import type { Milliseconds, Clock } from '../kernel/time.js';
import type { EventStore } from './ports/event-store.port.js';
import { positionFromNumber } from './write/event-codec.js';
import { Waiters, type Waiter } from '../async/waiters.js';

const PAGE = 500;
/** A reader that is further behind reads the store. */
const BUFFERED = 2_000;
/** Irrelevant events wake the reader once this many wait. */
const IRRELEVANT = 256;
const LONGEST_WAIT_MS: Milliseconds = 30_000;
const COMMITS = 'commits';

/** Reads events from memory right after their commit, from the store otherwise. */
export class LogReader {
  /** All events after `start` up to `end`. */
  private recent: RecordedEvent[] = [];
  private start: Position | undefined;
  private end: Position | undefined;
  /** The reader has read up to `end`, and no wait has timed out since. */
  private isDrained = false;
  private readonly commits: Waiters;
  private readonly waiter: Waiter;
  private readonly unsubscribe: () => void;

  /** @param isRelevant wakes the reader */
  constructor(
    private readonly events: EventStore,
    clock: Clock,
    isRelevant: (event: RecordedEvent) => boolean,
  ) {
    this.commits = new Waiters(clock);
    this.waiter = this.commits.open(COMMITS);
    this.unsubscribe = events.listen({
      appended: (appended, after) => {
        this.keep(appended, after);
        if (this.recent.length > IRRELEVANT || appended.some(isRelevant)) this.commits.wake(COMMITS);
      },
      rolledBack: () => this.invalidate(),
    });
  }

  async after(position: Position | undefined): Promise<readonly RecordedEvent[]> {
    const page = { max: PAGE, ...(position !== undefined && { after: position }) };
    return this.takeRecent(position) ?? this.events.readAll(page);
  }

  /** Resolves after a relevant commit (also one since the last wait), after 30 s, or when closed. */
  async wait(): Promise<void> {
    this.isDrained = (await this.waiter.wait(LONGEST_WAIT_MS)) && this.isDrained;
  }

  close(): void {
    this.unsubscribe();
    this.commits.closeAll();
  }

  private invalidate(): void {
    this.recent = [];
    this.start = undefined;
    this.end = undefined;
  }

  private keep(appended: readonly RecordedEvent[], after: Position | undefined): void {
    if (this.recent.length + appended.length > BUFFERED) this.invalidate();
    let before = after;
    for (const event of appended) {
      before ??= previous(event.position);
      if (before !== this.end) {
        this.recent = [];
        this.start = before;
      }
      this.recent.push(event);
      this.end = event.position;
      before = after === undefined ? undefined : event.position;
    }
  }

  /** Undefined if an event may be missing. A timed-out wait reads the store, which heals missed commits. */
  private takeRecent(position: Position | undefined): readonly RecordedEvent[] | undefined {
    const isGapless = position !== undefined && this.start !== undefined && this.start <= position;
    const fresh = isGapless ? this.recent.filter((event) => event.position > position) : [];
    const isAtEnd = this.isDrained && this.recent.length === 0 && position === this.end;
    this.recent = [];
    this.start = this.end;
    this.isDrained = fresh.length > 0 || isAtEnd;
    return this.isDrained ? fresh : undefined;
  }
}

/** Where positions count events, the only one that can precede this; other logs have no such event. */
function previous(position: Position): Position {
  return positionFromNumber(BigInt(position) - 1n);
}
