import { ConcurrencyError } from '../../../src/kernel/errors.js';
import type { Position, RecordedEvent } from '../../../src/kernel/recorded-event.js';
import type { Append, Appended } from '../../../src/event-sourcing/ports/event-store.port.js';
import { sent } from '../../kit/fakes/sent.js';
import { positionFromNumber } from '../../../src/event-sourcing/write/event-codec.js';

/** The event store itself: everything happens at once, and what it has answered is durable. */
export class Log {
  events: RecordedEvent[] = [];
  private streams = new Map<string, RecordedEvent[]>();
  private readonly truncated = new Map<string, number>();
  /** Place of the last record of any kind. */
  private place = 0;
  private readonly listeners = new Set<() => void>();

  /** @throws ConcurrencyError */
  append({ stream, expected, events }: Append): Appended {
    const stored = this.streams.get(stream) ?? [];
    const first = expected === 'no_stream' ? 0 : expected + 1;
    if (first !== stored.length) return this.repeated(stored, stream, expected, events);
    const fresh = events.map((event, n) => ({
      ...sent(event),
      stream,
      revision: first + n,
      position: positionFromNumber(++this.place),
    }));
    this.streams.set(stream, [...stored, ...fresh]);
    this.events.push(...fresh);
    for (const wake of [...this.listeners]) wake();
    return appendedOf(fresh);
  }

  load(stream: string, { from = 0, max = Infinity }: { from?: number; max?: number } = {}) {
    const first = Math.max(from, this.truncated.get(stream) ?? 0);
    return (this.streams.get(stream) ?? []).slice(first, first + max);
  }

  truncate(stream: string, before: number): void {
    const last = (this.streams.get(stream)?.length ?? 0) - 1;
    this.truncated.set(stream, Math.max(this.truncated.get(stream) ?? 0, Math.min(before, last)));
  }

  after(position: Position | undefined, max: number): readonly RecordedEvent[] {
    const from = position === undefined ? 0 : this.indexAfter(position);
    const page: RecordedEvent[] = [];
    for (let n = from; n < this.events.length && page.length < max; n++) {
      const event = this.events[n]!;
      if (event.revision >= (this.truncated.get(event.stream) ?? 0)) page.push(event);
    }
    return page;
  }

  head(types?: readonly string[]): Position | undefined {
    return types
      ? this.events.findLast(({ type }) => types.includes(type))?.position
      : this.events.at(-1)?.position;
  }

  get end(): Position | undefined {
    return this.place === 0 ? undefined : positionFromNumber(this.place);
  }

  holds(position: Position): boolean {
    return this.events[this.indexAfter(position) - 1]?.position === position;
  }

  writeMarker(): Position {
    return positionFromNumber(++this.place);
  }

  /** Puts an older copy back, of at least so many events: it has each append as a whole. Returns the lost ones. */
  rollBackTo(count: number): readonly RecordedEvent[] {
    let from = count;
    while (from < this.events.length && isOneAppend(this.events[from - 1]!, this.events[from]!)) from++;
    const lost = this.events.slice(from);
    this.events = this.events.slice(0, from);
    this.place = Number(this.events.at(-1)!.position);
    this.streams = new Map();
    for (const event of this.events) {
      const stream = this.streams.get(event.stream);
      if (stream) stream.push(event);
      else this.streams.set(event.stream, [event]);
    }
    return lost;
  }

  /** Called after each append. Returns a function that unsubscribes. */
  listen(wake: () => void): () => void {
    this.listeners.add(wake);
    return () => this.listeners.delete(wake);
  }

  private repeated(
    stored: readonly RecordedEvent[],
    stream: string,
    expected: Append['expected'],
    events: Append['events'],
  ): Appended {
    const first = expected === 'no_stream' ? 0 : expected + 1;
    const found = stored.slice(first, first + events.length);
    const isSame = found.length === events.length && found.every(({ id }, n) => id === events[n]!.id);
    if (!isSame) throw new ConcurrencyError(stream, expected, stored.length - 1);
    return appendedOf(found);
  }

  private indexAfter(position: Position): number {
    let low = 0;
    let high = this.events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.events[middle]!.position <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const isOneAppend = (a: RecordedEvent, b: RecordedEvent) =>
  a.stream === b.stream && a.metadata.correlationId === b.metadata.correlationId;

function appendedOf(events: readonly RecordedEvent[]): Appended {
  const { revision, position } = events.at(-1)!;
  return { revision, position, events };
}
