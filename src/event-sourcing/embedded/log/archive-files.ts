import { closeSync, fsyncSync, mkdirSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Connection } from '../connection.js';
import { UnavailableError } from '../../../kernel/errors.js';
import { syncFolder } from '../files/private-files.js';
import { ARCHIVED_VERSION, readSchemaVersion } from './log-schema.js';

export const ARCHIVE = 'archive';

/** First byte of what stands in the place of a pack in a file; no dictionary has this number. */
const REFERENCE = 255;
const MONTH_END = 8;
const OFFSET_END = 14;
const REFERENCE_BYTES = 18;

interface Place {
  /** `YYYY-MM`, the name of the file. */
  readonly month: string;
  readonly offset: number;
  readonly length: number;
}

/**
 * Packs of streams that nothing is expected to continue, in a file for each month beside the database. A file only
 * grows, so a copy that is made after one of the database has all that it refers to.
 */
export class ArchiveFiles {
  private readonly folder: string;
  private readonly unwritten = new Map<string, { at: number; readonly packs: Uint8Array[] }>();

  constructor(private readonly db: Connection) {
    this.folder = archiveOf(db);
  }

  /**
   * What to store instead of the pack. Call `flush` before that is committed. @throws UnavailableError if a file is
   * lost: what a new one in its place gets would be lost when the right one comes back
   */
  add(month: string, pack: Uint8Array): Buffer {
    let file = this.unwritten.get(month);
    if (!file) this.unwritten.set(month, (file = { at: this.sizeOf(month), packs: [] }));
    const reference = Buffer.alloc(REFERENCE_BYTES, REFERENCE);
    reference.write(month, 1, 'latin1');
    reference.writeUIntBE(file.at, MONTH_END, OFFSET_END - MONTH_END);
    reference.writeUInt32BE(pack.byteLength, OFFSET_END);
    file.packs.push(pack);
    file.at += pack.byteLength;
    return reference;
  }

  /** Durable on return. Packs whose references are not committed afterwards stay as waste. */
  flush(): void {
    if (this.unwritten.size === 0) return;
    const ends = archiveEnds(this.db);
    for (const [month, { at, packs }] of this.unwritten) {
      this.open(month, 'a', (file) => {
        const bytes = Buffer.concat(packs);
        for (let written = 0; written < bytes.byteLength;) written += writeSync(file, bytes, written);
        fsyncSync(file);
      });
      ends.set(month, at);
    }
    syncFolder(this.folder);
    for (const [month, end] of ends) this.db.prepare(SQL.setEnd).run(ENDS + month, String(end));
    this.unwritten.clear();
  }

  /** After a failure: nothing that was added is referred to. */
  discard(): void {
    this.unwritten.clear();
  }

  /** The pack, itself or from its file. @throws Error if the file or a part of it is missing */
  resolve(stored: Uint8Array): Uint8Array {
    const place = placeIn(stored);
    return place ? this.read(place) : stored;
  }

  private read({ month, offset, length }: Place): Uint8Array {
    const pack = Buffer.alloc(length);
    const read = attempt(() => this.open(month, 'r', (file) => readSync(file, pack, 0, length, offset)));
    if (read < length) throw new RangeError(`${ARCHIVE}/${month} ends before the pack`);
    return pack;
  }

  private sizeOf(month: string): number {
    const lost = lostArchiveFile(this.db);
    if (lost !== undefined) throw new UnavailableError(lost, 'not_written');
    const made = mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) syncFolder(dirname(this.folder));
    return sizeIn(this.folder, month);
  }

  private open<T>(month: string, flags: string, use: (file: number) => T): T {
    const file = openSync(join(this.folder, month), flags, 0o600);
    try {
      return use(file);
    } finally {
      closeSync(file);
    }
  }
}

/** Says which file is missing, or ends before what the database refers to. */
export function lostArchiveFile(db: Connection): string | undefined {
  for (const [month, end] of archiveEnds(db))
    if (sizeIn(archiveOf(db), month) < end)
      return `${ARCHIVE}/${month} is missing or too short: put it back where it was, or restore a backup`;
  return undefined;
}

const archiveOf = (db: Connection) => join(dirname(db.name), ARCHIVE);

const sizeIn = (folder: string, month: string) =>
  statSync(join(folder, month), { throwIfNoEntry: false })?.size ?? 0;

/** Where the file of each month ends at least. A folder of an earlier release has only the references. */
function archiveEnds(db: Connection): Map<string, number> {
  if (readSchemaVersion(db) < ARCHIVED_VERSION) return new Map();
  const noted = db.prepare(SQL.ends).all() as { name: string; end: string }[];
  if (noted.length > 0) return new Map(noted.map(({ name, end }) => [name.slice(ENDS.length), Number(end)]));
  const newest = db.prepare(SQL.newest).pluck().all() as Buffer[];
  const places = newest.map(placeIn).filter((place) => place !== undefined);
  return new Map(places.map(({ month, offset, length }) => [month, offset + length]));
}

const ENDS = `${ARCHIVE}/`;

const SQL = {
  ends: `SELECT name, position AS end FROM checkpoints WHERE name GLOB '${ENDS}*'`,
  setEnd: 'INSERT OR REPLACE INTO checkpoints (name, position) VALUES (?, ?)',
  // References are ordered as their places in a file.
  newest: `
    SELECT max(bytes) FROM packs WHERE length(bytes) = ${REFERENCE_BYTES} AND substr(bytes, 1, 1) = x'FF'
    GROUP BY substr(bytes, 1, ${MONTH_END})`,
} as const;

/** @throws Error for a damaged reference */
function placeIn(stored: Uint8Array): Place | undefined {
  if (stored[0] !== REFERENCE) return undefined;
  const reference = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const month = reference.toString('latin1', 1, MONTH_END);
  if (reference.byteLength !== REFERENCE_BYTES || !/^\d{4}-\d\d$/.test(month))
    throw new RangeError('the reference to a pack is damaged');
  const offset = reference.readUIntBE(MONTH_END, OFFSET_END - MONTH_END);
  return { month, offset, length: reference.readUInt32BE(OFFSET_END) };
}

/** Too many open files, or a disk that does not answer, say nothing about the pack. @throws UnavailableError */
function attempt<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || code === 'ENOENT' || code.startsWith('ERR_')) throw error;
    throw new UnavailableError('the archive cannot be read', 'not_written', { cause: error });
  }
}
