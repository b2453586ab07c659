import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import {
  EventStore,
  type Append,
  type Appended,
  type LogListener,
  type NewEvent,
  type StoreMetrics,
} from '../ports/event-store.port.js';
import {
  decodeEvent,
  encodeEvent,
  firstRevision,
  positionFromNumber,
  refuseUnfit,
} from '../write/event-codec.js';
import { LogListeners } from '../log-listeners.js';
import type { Connection } from './connection.js';
import { LogReader } from './log/log-reader.js';
import type { WriterClient } from './writer-client.js';
import type { Answer, AppendedAt, WireAppend } from './writer-messages.js';
import { CorruptEventError, UnavailableError } from '../../kernel/errors.js';
import { checksumOf } from './log/log-schema.js';
import { StoredTexts, type StoredText, type TextPage } from '../ports/stored-texts.port.js';

/** Above the length of any stream, and valid as a limit for SQLite. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Appends through the writer, reads over a separate connection. */
export class SqliteEventStore extends EventStore {
  private readonly listeners = new LogListeners((error) => {
    throw error;
  });
  private readonly log: LogReader;
  private committed: RecordedEvent[] = [];
  private damaged: CorruptEventError | undefined;

  constructor(
    reader: Connection,
    private readonly writer: WriterClient,
    private readonly metrics: StoreMetrics,
    private readonly closeAll: () => Promise<void>,
  ) {
    super();
    this.log = new LogReader(reader);
    writer.onCommit(() => this.notifyListeners());
  }

  async append(append: Append): Promise<Appended> {
    const [appended] = await this.appendInOrder([append]);
    return appended!;
  }

  async appendInOrder(appends: readonly Append[]): Promise<readonly Appended[]> {
    const start = performance.now();
    const wire = appends.map(wireAppendOf);
    const appended = await this.writer.submit({ kind: 'append', appends: wire }, (answer) =>
      this.appendedFrom(appends, answer),
    );
    this.metrics.appended((performance.now() - start) / 1000, appended);
    return appended;
  }

  async load(
    stream: string,
    { from = 0, max = NO_LIMIT }: { from?: number; max?: number } = {},
  ): Promise<readonly RecordedEvent[]> {
    return this.read(() => this.stored(stream, from, max));
  }

  /** Keeps all events: a row missing from a stream means damage here. */
  async truncate(): Promise<void> {
    return undefined;
  }

  async readAll({ after, max }: { after?: Position; max: number }): Promise<readonly RecordedEvent[]> {
    return this.read(() => this.log.after(Number(after ?? 0), max).map(decodeEvent));
  }

  async head(): Promise<Position | undefined> {
    const head = this.log.head();
    return head === 0 ? undefined : positionFromNumber(head);
  }

  async unprojected(): Promise<readonly RecordedEvent[]> {
    return [];
  }

  async waitUntilProjected(): Promise<void> {
    return undefined;
  }

  override hearing(): object {
    return this;
  }

  listen(listener: LogListener): () => void {
    return this.listeners.add(listener);
  }

  async check(): Promise<void> {
    this.writer.check();
    if (this.damaged) throw this.damaged;
    try {
      this.log.head();
    } catch (error) {
      throw new UnavailableError('the database cannot be read', 'not_written', { cause: error });
    }
  }

  close(): Promise<void> {
    return this.closeAll();
  }

  private appendedFrom(appends: readonly Append[], answer: Answer): readonly Appended[] {
    if (answer.kind !== 'appended') throw new TypeError(`an append was answered with ${answer.kind}`);
    return appends.map((append, n) => this.appended(append, answer.appended[n]!));
  }

  private appended({ stream, expected, events }: Append, { first, repeated }: AppendedAt): Appended {
    const from = firstRevision(expected);
    const recorded = repeated
      ? this.read(() => this.stored(stream, from, events.length))
      : events.map((event, n) => recordedEvent(event, stream, from + n, first + n));
    if (!repeated) this.committed.push(...recorded);
    const last = recorded.at(-1)!;
    return { revision: last.revision, position: last.position, events: recorded };
  }

  private stored(stream: string, from: number, max: number): RecordedEvent[] {
    return this.log.load(stream, from, max).map(decodeEvent);
  }

  /** After a corrupt event the store stays unready until it is restored and restarted. */
  private read<T>(events: () => T): T {
    try {
      return events();
    } catch (error) {
      if (error instanceof CorruptEventError) this.damaged ??= error;
      throw error;
    }
  }

  private notifyListeners(): void {
    const events = this.committed;
    if (events.length === 0) return;
    this.committed = [];
    this.listeners.appended(events);
  }
}

function recordedEvent(event: NewEvent, stream: string, revision: number, number: number): RecordedEvent {
  const { id, type, data, metadata } = event;
  return { id, stream, revision, position: positionFromNumber(number), type, data, metadata };
}

/** @throws EventTooLargeError */
export function wireAppendOf({ stream, expected, events }: Append): WireAppend {
  const encoded = events.map(encodeEvent);
  refuseUnfit(encoded);
  const from = firstRevision(expected);
  return {
    stream,
    expected: from - 1,
    ids: events.map(({ id }) => id),
    types: events.map(({ type }) => type),
    data: encoded.map(({ data }) => data),
    metadata: encoded.map(({ metadata }) => metadata),
    checksums: events.map(({ id, type }, n) =>
      checksumOf({ id, stream, revision: from + n, type, ...encoded[n]! }),
    ),
  };
}

export class SqliteStoredTexts extends StoredTexts {
  private readonly log: LogReader;

  constructor(reader: Connection) {
    super();
    this.log = new LogReader(reader);
  }

  async after(
    position: Position | undefined,
    max: number,
    unwanted: readonly string[] = [],
  ): Promise<TextPage> {
    return this.log.wantedAfter(Number(position ?? 0), max, unwanted);
  }

  async stream(name: string, from: number, max: number): Promise<readonly StoredText[]> {
    return this.log.load(name, from, max);
  }

  async at(positions: readonly Position[]): Promise<readonly (StoredText | undefined)[]> {
    return positions.map(Number).map((position) => {
      const [found] = this.log.eventsAfter(position - 1, 1);
      return found?.position === position ? found.row() : undefined;
    });
  }
}
