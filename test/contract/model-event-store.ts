import { positionFromNumber } from '../../src/event-sourcing/write/event-codec.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { Append, Appended } from '../../src/event-sourcing/ports/event-store.port.js';
import { ConcurrencyError } from '../../src/kernel/errors.js';

/** The rules of appending in their simplest form, to compare real stores with. */
export class ModelEventStore {
  readonly events: RecordedEvent[] = [];

  /** @throws ConcurrencyError */
  async append({ stream, expected, events }: Append): Promise<Appended> {
    const stored = this.load(stream);
    const first = expected === 'no_stream' ? 0 : expected + 1;
    if (first === stored.length) {
      for (const [n, event] of events.entries()) {
        const position = positionFromNumber(this.events.length + 1);
        this.events.push({ ...event, stream, revision: first + n, position });
      }
    }
    const placed = this.load(stream).slice(first, first + events.length);
    const isPlaced = placed.length === events.length && placed.every(({ id }, n) => id === events[n]!.id);
    if (!isPlaced) throw new ConcurrencyError(stream, expected, stored.length - 1);
    const { revision, position } = placed.at(-1)!;
    return { revision, position, events: placed };
  }

  load(stream: string): readonly RecordedEvent[] {
    return this.events.filter((event) => event.stream === stream);
  }
}
