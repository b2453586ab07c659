import type { Position, RecordedEvent } from '../kernel/recorded-event.js';
import type { Milliseconds } from '../kernel/time.js';
import type { Clock } from '../ports/clock.port.js';
import type { EventStore } from '../ports/event-store.port.js';
import { Waiters, type Waiter } from './waiters.js';

const PAGE = 500;
/** The recent-events buffer holds no more; a reader that is further behind reads the store. */
const BUFFERED = 2_000;
/** Irrelevant events wake the reader once this many wait. */
const IRRELEVANT = 256;
const LONGEST_WAIT_MS: Milliseconds = 30_000;
const COMMITS = 'commits';

/** Reads all events in order: from memory right after their commit, from the store otherwise. */
export class LogReader {
  private recent: RecordedEvent[] = [];
  private readonly commits: Waiters;
  private readonly waiter: Waiter;
  private readonly unsubscribe: () => void;

  /** @param isRelevant whether an event is worth waking up for */
  constructor(
    private readonly events: EventStore,
    clock: Clock,
    isRelevant: (event: RecordedEvent) => boolean,
  ) {
    this.commits = new Waiters(clock);
    this.waiter = this.commits.open(COMMITS);
    this.unsubscribe = events.onAppended((appended) => {
      this.keep(appended);
      if (this.recent.length > IRRELEVANT || appended.some(isRelevant)) this.commits.wake(COMMITS);
    });
  }

  /** The next events after a position; none at the end of the log. */
  async after(position: Position | undefined): Promise<readonly RecordedEvent[]> {
    const page = { max: PAGE, ...(position !== undefined && { after: position }) };
    return this.takeRecent(position) ?? this.events.readAll(page);
  }

  /** Resolves after a relevant commit (also one since the last wait), after 30 s, or when closed. */
  async wait(): Promise<void> {
    await this.waiter.wait(LONGEST_WAIT_MS);
  }

  close(): void {
    this.unsubscribe();
    this.commits.closeAll();
  }

  private keep(appended: readonly RecordedEvent[]): void {
    if (this.recent.length + appended.length > BUFFERED) this.recent = [];
    for (const event of appended) {
      const last = this.recent.at(-1);
      if (last && !follows(event.position, last.position)) this.recent = [];
      this.recent.push(event);
    }
  }

  /** Undefined when an event may be missing in between. */
  private takeRecent(position: Position | undefined): readonly RecordedEvent[] | undefined {
    const fresh = this.recent.filter((event) => position === undefined || event.position > position);
    this.recent = [];
    const [first] = fresh;
    return first && position !== undefined && follows(first.position, position) ? fresh : undefined;
  }
}

/** Whether no other position can lie between the two. */
function follows(position: Position, before: Position): boolean {
  const next = Number(before) + 1;
  return Number.isSafeInteger(next) && Number(position) === next;
}
