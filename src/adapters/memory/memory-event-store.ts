import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import {
  ConcurrencyError,
  EventStore,
  type Append,
  type Appended,
  type NewEvent,
} from '../../ports/event-store.port.js';
import { EventCodec, positionFromNumber } from '../../event-sourcing/write/event-codec.js';
import { refuseUnfit } from '../../event-sourcing/write/append-limits.js';

/** Events in memory, through JSON like everywhere else; read models follow in the same call. */
export class MemoryEventStore extends EventStore {
  private readonly all: RecordedEvent[] = [];
  private readonly streams = new Map<string, RecordedEvent[]>();
  private readonly listeners = new Set<(events: readonly RecordedEvent[]) => void>();
  private readonly codec = new EventCodec();

  constructor(private readonly project: (events: readonly RecordedEvent[]) => void) {
    super();
  }

  async append(append: Append): Promise<Appended> {
    const [appended] = await this.appendInOrder([append]);
    return appended!;
  }

  async appendInOrder(appends: readonly Append[]): Promise<readonly Appended[]> {
    const fresh: RecordedEvent[] = [];
    const answers = appends.map((append) => this.prepare(append, fresh));
    this.project(fresh);
    for (const event of fresh) this.store(event);
    if (fresh.length > 0) for (const listener of this.listeners) listener(fresh);
    return answers.map((events) => {
      const last = events.at(-1)!;
      return { revision: last.revision, position: last.position, events };
    });
  }

  async load(stream: string, { from = 0, max = Infinity }: { from?: number; max?: number } = {}) {
    return (this.streams.get(stream) ?? []).slice(from, from + max);
  }

  async readAll({ after, max }: { after?: Position; max: number }) {
    const start = after === undefined ? 0 : Number(after);
    return this.all.slice(start, start + max);
  }

  /** All events there are, now. */
  everything(): readonly RecordedEvent[] {
    return this.all;
  }

  async head(): Promise<Position | undefined> {
    return this.all.at(-1)?.position;
  }

  async unshown(): Promise<readonly RecordedEvent[]> {
    return [];
  }

  async allShown(): Promise<void> {
    return undefined;
  }

  onAppended(listener: (events: readonly RecordedEvent[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async check(): Promise<void> {
    return undefined;
  }

  async close(): Promise<void> {
    this.listeners.clear();
  }

  /** The events of one append, new ones added to `fresh`; or those of the first time. @throws ConcurrencyError */
  private prepare(append: Append, fresh: RecordedEvent[]): readonly RecordedEvent[] {
    const { stream, expected, events } = append;
    const encoded = events.map((event) => this.codec.encode(event));
    refuseUnfit(encoded);
    const stored = this.streams.get(stream) ?? [];
    const known = [...stored, ...fresh.filter((event) => event.stream === stream)];
    const first = expected === 'no_stream' ? 0 : expected + 1;
    if (first !== known.length) {
      const repeated = known.slice(first, first + events.length);
      if (repeated.length === events.length && sameIds(repeated, events)) return repeated;
      throw new ConcurrencyError(stream, expected, known.length - 1);
    }
    const recorded = events.map(({ id, type }, n) => {
      const position = positionFromNumber(this.all.length + fresh.length + n + 1);
      return this.codec.decode({ id, stream, revision: first + n, position, type, ...encoded[n]! });
    });
    fresh.push(...recorded);
    return recorded;
  }

  private store(event: RecordedEvent): void {
    this.all.push(event);
    const stream = this.streams.get(event.stream);
    if (stream) stream.push(event);
    else this.streams.set(event.stream, [event]);
  }
}

function sameIds(stored: readonly RecordedEvent[], asked: readonly NewEvent[]): boolean {
  return stored.every(({ id }, n) => id === asked[n]!.id);
}
