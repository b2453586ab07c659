import type { Statement } from 'better-sqlite3';
import { positionFromNumber, type StoredRow } from '../../write/event-codec.js';
import type { Connection } from '../connection.js';
import { Recent } from '../../../kernel/recent.js';
import type { Placed, WireAppend } from '../writer-messages.js';
import { compactMetadata } from './compact-metadata.js';
import { compactId, compactStream, type CompactText } from './compact-text.js';
import { storedChecksum } from './event-rows.js';
import { LogReader } from './log-reader.js';
import { tablesOf } from './log-schema.js';
import { phrased } from './phrases.js';

const HOT_STREAMS = 10_000;
const NO_STREAM = -1;

export class StreamConflict extends Error {
  constructor(
    readonly stream: string,
    readonly expected: number,
    readonly actual: number,
  ) {
    super(`stream ${stream}: expected ${expected}, found ${actual}`);
  }
}

/** What the writer knows of a stream. */
interface Known {
  /** Number of the stream; undefined until its first row in `events`. */
  readonly number: number | undefined;
  /** Revision of its last event. */
  readonly revision: number;
}

/** Appends to the event table; used only by the writer. */
export class EventLog {
  readonly reader: LogReader;
  private readonly known = new Recent<string, Known>(HOT_STREAMS);
  private readonly statements: Readonly<
    Record<'insert' | 'number' | 'insertStream' | 'lastRow' | 'lastPacked', Statement>
  >;
  /** Finds the last revision in rows of older releases; undefined if there are none. */
  private readonly lastOld: Statement | undefined;
  private head = 0;
  private metadata: { readonly text: string; readonly compact: CompactText } = { text: '', compact: '' };

  constructor(db: Connection) {
    this.reader = new LogReader(db);
    const { old } = tablesOf(db);
    this.lastOld =
      old &&
      db.prepare(`SELECT revision FROM ${old.table} WHERE stream = ? ORDER BY revision DESC LIMIT 1`).pluck();
    this.statements = {
      insert: db.prepare(
        `INSERT INTO events (position, stream, revision, type, id, data, metadata, checksum)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ),
      number: db.prepare('SELECT id FROM streams WHERE name = ?').pluck(),
      insertStream: db.prepare('INSERT INTO streams (name) VALUES (?)'),
      lastRow: db
        .prepare('SELECT revision FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1')
        .pluck(),
      lastPacked: db.prepare('SELECT max(last) FROM packs WHERE stream = ?').pluck(),
    };
    this.forget();
  }

  /**
   * Writes all appends or none; adds new rows to `fresh`.
   * @throws StreamConflict before anything is written
   */
  append(appends: readonly WireAppend[], fresh: StoredRow[]): Placed[] {
    const planned = new Map<string, number>();
    const repeats = appends.map((append) => this.check(append, planned));
    return appends.map((append, n) => {
      const repeatedAt = repeats[n];
      if (repeatedAt !== undefined) return { first: repeatedAt, repeated: true };
      return { first: this.write(append, fresh), repeated: false };
    });
  }

  /** Stores a row at its own position. */
  insert(row: StoredRow, stream: number, position: number, checksum: number | null): void {
    const { revision, type, id, data, metadata } = row;
    if (this.metadata.text !== metadata)
      this.metadata = { text: metadata, compact: compactMetadata(metadata) };
    const { compact } = this.metadata;
    const texts = [phrased(type), compactId(id), phrased(data), compact];
    this.statements.insert.run([position, stream, revision, ...texts, checksum]);
  }

  /** Number of a stream, given out for its first row. */
  numberOf(stream: string): number {
    const number = this.statements.number.get(compactStream(stream)) as number | undefined;
    return number ?? this.newNumber(stream);
  }

  private newNumber(stream: string): number {
    return Number(this.statements.insertStream.run(compactStream(stream)).lastInsertRowid);
  }

  /** Clears caches after a rollback. */
  forget(): void {
    this.known.clear();
    this.head = this.reader.head();
  }

  /** Original position if this append is a repeat. */
  private check(append: WireAppend, planned: Map<string, number>): number | undefined {
    const { stream, expected, ids } = append;
    const actual = planned.get(stream) ?? this.find(stream).revision;
    if (actual !== expected) {
      const repeatedAt = this.repeatOf(append);
      if (repeatedAt === undefined) throw new StreamConflict(stream, expected, actual);
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

  private find(stream: string): Known {
    let known = this.known.get(stream);
    if (!known) this.known.set(stream, (known = this.read(stream)));
    return known;
  }

  private read(stream: string): Known {
    const { number: byName, lastRow, lastPacked } = this.statements;
    const number = byName.get(compactStream(stream)) as number | undefined;
    const stored = number === undefined ? undefined : (lastRow.get(number) ?? lastPacked.get(number));
    const revision = (stored ?? this.lastOld?.get(stream) ?? NO_STREAM) as number;
    return { number, revision };
  }

  private write(append: WireAppend, fresh: StoredRow[]): number {
    const { stream, expected, ids, types, data, metadata, checksums } = append;
    const first = this.head + 1;
    // While old rows are moved, a stream may have been given a number since it was looked up.
    const number =
      this.find(stream).number ?? (this.lastOld ? this.numberOf(stream) : this.newNumber(stream));
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
      this.insert(row, number, this.head, storedChecksum(checksums[n]!, this.head));
      fresh.push(row);
    }
    this.known.set(stream, { number, revision: expected + ids.length });
    return first;
  }
}
