import { LRUCache } from 'lru-cache';
import { growingTo } from '../../../kernel/cache-size.js';
import type { Statement } from 'better-sqlite3';
import { positionFromNumber } from '../../write/event-codec.js';
import type { StoredText } from '../../ports/stored-texts.port.js';
import type { Connection } from '../connection.js';
import { ConcurrencyError } from '../../../kernel/errors.js';
import type { AppendedAt, WireAppend } from '../writer-messages.js';
import { storedChecksum, isNamed } from './log-schema.js';
import { LogReader } from './log-reader.js';

const HOT_STREAMS = 20_000;
const NO_STREAM = -1;

interface StreamHead {
  /** Undefined until the stream's first row in `events`. */
  readonly number: number | undefined;
  readonly revision: number;
}

/** Used only by the writer. */
export class EventLog {
  readonly reader: LogReader;
  private readonly heads = new LRUCache<string, StreamHead>(growingTo(HOT_STREAMS));
  private readonly statements: Readonly<
    Record<'insert' | 'number' | 'insertStream' | 'lastRow' | 'lastPacked', Statement>
  >;
  private head = 0;

  constructor(db: Connection) {
    this.reader = new LogReader(db);
    this.statements = {
      insert: db.prepare(
        `INSERT INTO events (position, stream, revision, type, id, data, metadata, checksum)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ),
      number: db.prepare(`SELECT id FROM streams WHERE ${isNamed('$name')}`).pluck(),
      insertStream: db.prepare('INSERT INTO streams (name) VALUES (?)'),
      lastRow: db
        .prepare('SELECT revision FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1')
        .pluck(),
      lastPacked: db.prepare('SELECT max(last) FROM packs WHERE stream = ?').pluck(),
    };
    this.invalidate();
  }

  /** All appends or none; adds new rows to `fresh`. @throws ConcurrencyError before anything is written */
  append(appends: readonly WireAppend[], fresh: StoredText[]): AppendedAt[] {
    const planned = new Map<string, number>();
    const repeats = appends.map((append) => this.check(append, planned));
    return appends.map((append, n) => {
      const repeatedAt = repeats[n];
      if (repeatedAt !== undefined) return { first: repeatedAt, repeated: true };
      return { first: this.write(append, fresh), repeated: false };
    });
  }

  invalidate(): void {
    this.heads.clear();
    this.head = this.reader.head();
  }

  /** Original position if this append is a repeat. */
  private check(append: WireAppend, planned: Map<string, number>): number | undefined {
    const { stream, expected, ids } = append;
    const actual = planned.get(stream) ?? this.find(stream).revision;
    if (actual !== expected) {
      const repeatedAt = this.repeatOf(append);
      if (repeatedAt === undefined)
        throw new ConcurrencyError(stream, expected === NO_STREAM ? 'no_stream' : expected, actual);
      return repeatedAt;
    }
    planned.set(stream, expected + ids.length);
    return undefined;
  }

  private repeatOf({ stream, expected, ids }: WireAppend): number | undefined {
    const stored = this.reader.load(stream, expected + 1, ids.length);
    const same = stored.length === ids.length && stored.every(({ id }, n) => id === ids[n]);
    return same ? Number(stored[0]!.position) : undefined;
  }

  private find(stream: string): StreamHead {
    let head = this.heads.get(stream);
    if (!head) this.heads.set(stream, (head = this.read(stream)));
    return head;
  }

  private read(name: string): StreamHead {
    const { number: byName, lastRow, lastPacked } = this.statements;
    const number = byName.get({ name }) as number | undefined;
    const revision = number === undefined ? undefined : (lastRow.get(number) ?? lastPacked.get(number));
    return { number, revision: (revision ?? NO_STREAM) as number };
  }

  private write(append: WireAppend, fresh: StoredText[]): number {
    const { stream, expected, ids, types, data, metadata, checksums } = append;
    const { insert, insertStream } = this.statements;
    const first = this.head + 1;
    const number = this.find(stream).number ?? Number(insertStream.run(stream).lastInsertRowid);
    for (let n = 0; n < ids.length; n++) {
      const row = {
        id: ids[n]!,
        stream,
        revision: expected + 1 + n,
        position: positionFromNumber(++this.head),
        type: types[n]!,
        data: data[n]!,
        metadata: metadata[n]!,
      };
      const checksum = storedChecksum(checksums[n]!, this.head);
      insert.run(this.head, number, row.revision, row.type, row.id, row.data, row.metadata, checksum);
      fresh.push(row);
    }
    this.heads.set(stream, { number, revision: expected + ids.length });
    return first;
  }
}
