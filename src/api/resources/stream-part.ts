import type { EventStore } from '../../event-sourcing/index.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';

/** Consecutive events of one stream, read once for several folds. */
export class StreamPart {
  /** @param events known already */
  constructor(
    private readonly store: EventStore,
    private readonly stream: string,
    private events: readonly RecordedEvent[] = [],
  ) {}

  /** Events with revisions from `from` to `to`; fewer if the stream ends before. @throws UnavailableError */
  async between(from: number, to: number): Promise<readonly RecordedEvent[]> {
    const [first, last] = [this.events[0], this.events.at(-1)];
    if (!first || !last || from < first.revision || to > last.revision) {
      const start = Math.min(from, first?.revision ?? from);
      const max = Math.max(to, last?.revision ?? to) - start + 1;
      this.events = await this.store.load(this.stream, { from: start, max });
    }
    return this.events.filter(({ revision }) => revision >= from && revision <= to);
  }
}
