import type { Statement } from 'better-sqlite3';
import { positionFromNumber, type StoredRow } from '../../event-sourcing/write/event-codec.js';
import type { Connection } from './connection.js';
import { storedChecksum } from './event-rows.js';
import { Recent } from './recent.js';
import type { Placed, WireAppend } from './writer-messages.js';

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

/** The event table, used only by the writer. */
export class EventLog {
  private readonly revisions = new Recent<number>(HOT_STREAMS);
  private readonly insert: Statement;
  private readonly lastRevision: Statement;
  private readonly idsFrom: Statement;
  private readonly lastPosition: Statement;
  private head = 0;

  constructor(db: Connection) {
    this.insert = db.prepare(
      `INSERT INTO events (position, id, stream, revision, type, data, metadata, checksum)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.lastRevision = db
      .prepare('SELECT revision FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1')
      .pluck();
    this.idsFrom = db.prepare(
      'SELECT id, position FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?',
    );
    this.lastPosition = db.prepare('SELECT max(position) FROM events').pluck();
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

  /** Clears caches after a rollback. */
  forget(): void {
    this.revisions.clear();
    this.head = (this.lastPosition.get() as number | null) ?? 0;
  }

  /** Original position if this append is a repeat. */
  private check(append: WireAppend, planned: Map<string, number>): number | undefined {
    const { stream, expected, ids } = append;
    const actual = planned.get(stream) ?? this.revisionOf(stream);
    if (actual !== expected) {
      const repeatedAt = this.repeatOf(append);
      if (repeatedAt === undefined) throw new StreamConflict(stream, expected, actual);
      return repeatedAt;
    }
    planned.set(stream, expected + ids.length);
    return undefined;
  }

  private repeatOf({ stream, expected, ids }: WireAppend): number | undefined {
    const stored = this.idsFrom.all(stream, expected + 1, ids.length) as { id: string; position: number }[];
    const same = stored.length === ids.length && stored.every(({ id }, n) => id === ids[n]);
    return same ? stored[0]?.position : undefined;
  }

  private revisionOf(stream: string): number {
    const hot = this.revisions.get(stream);
    return hot ?? (this.lastRevision.get(stream) as number | undefined) ?? NO_STREAM;
  }

  private write(append: WireAppend, fresh: StoredRow[]): number {
    const { stream, expected, ids, types, data, metadata, checksums } = append;
    const first = this.head + 1;
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
      this.insert.run(this.head, row.id, stream, row.revision, row.type, row.data, row.metadata, checksum);
      fresh.push(row);
    }
    this.revisions.set(stream, expected + ids.length);
    return first;
  }
}
