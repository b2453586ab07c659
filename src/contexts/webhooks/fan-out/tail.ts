import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';

/** More are not kept: whoever is so far behind reads the store. */
const KEPT = 2_000;

/** The newest events as commits bring them, so that they need not be read again. */
export class Tail {
  private events: RecordedEvent[] = [];

  get size(): number {
    return this.events.length;
  }

  add(appended: readonly RecordedEvent[]): void {
    if (this.events.length + appended.length > KEPT) this.events = [];
    for (const event of appended) {
      const last = this.events.at(-1);
      if (last && !follows(event.position, last.position)) this.events = [];
      this.events.push(event);
    }
  }

  /** All events after a position; undefined when it is not sure that none is missing. */
  after(position: Position | undefined): readonly RecordedEvent[] | undefined {
    const fresh = this.events.filter((event) => position === undefined || event.position > position);
    this.events = [];
    const [first] = fresh;
    if (!first) return undefined;
    return position !== undefined && follows(first.position, position) ? fresh : undefined;
  }
}

/** Whether there can be nothing between the two. */
function follows(position: Position, before: Position): boolean {
  const next = Number(before) + 1;
  return Number.isSafeInteger(next) && Number(position) === next;
}
