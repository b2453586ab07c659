import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { databaseFile } from './connection.js';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Bytes of each header that its checksum covers. */
const SUMMED_OF_HEADER = 24;
const SUMMED_OF_FRAME = 8;
/** Magic number for checksums over big-endian words; the one before it is for little-endian ones. */
const BIG_ENDIAN = 0x377f0683;
/** Offset of the page size in the header of the database. */
const PAGE_BYTES_AT = 16;
const LARGEST_PAGE = { stored: 1, bytes: 65_536 };

type Sum = readonly [number, number];

interface Frame {
  /** Written since the log was last restarted. */
  readonly isCurrent: boolean;
  readonly isCommit: boolean;
  /** Current, and its checksum continues the one in front of it. */
  readonly isWhole: boolean;
}

/** Requires that no process has the database open. */
export interface LogState {
  /** Names the file and the number of commits that SQLite would drop; undefined if sound. */
  readonly damage?: string;
  /** Frames of an interrupted commit follow the last whole one. */
  readonly hasRest: boolean;
}

/**
 * Read before SQLite, which drops all commits behind a bad frame. A later commit, or a last one with every
 * frame written, proves damage instead of an interrupted write (docs/decisions/016-damage-is-noticed.md).
 */
export function readLogState(dataDir: string): LogState {
  const database = databaseFile(dataDir);
  const name = `${database}-wal`;
  if (!existsSync(database) || !existsSync(name)) return { hasRest: false };
  const file = openSync(name, 'r');
  try {
    const { lost, hasRest } = judge([...framesIn(file, pageBytesOf(database))]);
    return { ...(lost > 0 && { damage: `${name} is damaged before its last ${lost} commit(s)` }), hasRest };
  } finally {
    closeSync(file);
  }
}

function pageBytesOf(database: string): number {
  const file = openSync(database, 'r');
  try {
    const stored = Buffer.alloc(2);
    readSync(file, stored, 0, stored.length, PAGE_BYTES_AT);
    const bytes = stored.readUInt16BE();
    return bytes === LARGEST_PAGE.stored ? LARGEST_PAGE.bytes : bytes;
  } finally {
    closeSync(file);
  }
}

function judge(frames: readonly Frame[]): { readonly lost: number; readonly hasRest: boolean } {
  const rest = frames.slice(frames.findIndex(({ isWhole }) => !isWhole));
  const [bad, ...behind] = rest;
  if (!bad || bad.isWhole) return { lost: 0, hasRest: false };
  const isFound = ({ isWhole, isCommit }: Frame) => isWhole && isCommit;
  const commits = behind.filter(isFound).length;
  const isSynced = commits > 1 || (bad.isCurrent && bad.isCommit);
  const isGapless = rest.slice(0, behind.findIndex(isFound) + 2).every(({ isCurrent }) => isCurrent);
  return { lost: isSynced || isGapless ? commits : 0, hasRest: rest.some(({ isCurrent }) => isCurrent) };
}

/** Includes the header as a frame. A wrong header is replaced by the values of frame and database. */
function* framesIn(file: number, pageBytes: number): Generator<Frame> {
  const header = Buffer.alloc(HEADER_BYTES);
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + pageBytes);
  let at = HEADER_BYTES;
  const next = () => readSync(file, frame, 0, frame.length, at) === frame.length;
  if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES || !next()) return;
  const magic = header.readUInt32BE(0);
  const isBigEndian = magic === BIG_ENDIAN;
  // The checksum of zeros is zero, so it proves nothing without the magic number.
  const isKnown = isBigEndian || magic === BIG_ENDIAN - 1;
  const summed = add([0, 0], header.subarray(0, SUMMED_OF_HEADER), isBigEndian);
  const isHeaderWhole = isKnown && isStored(summed, header, SUMMED_OF_HEADER);
  yield { isCurrent: true, isCommit: false, isWhole: isHeaderWhole };
  let salts = isHeaderWhole ? header.subarray(16, 24) : undefined;
  let before = [storedIn(header, SUMMED_OF_HEADER)];
  for (; next(); at += frame.length) {
    const own = frame.subarray(8, 16);
    if (!salts && own.some((byte) => byte !== 0)) salts = Buffer.from(own);
    const isCurrent = salts !== undefined && sharesSalt(salts, own);
    const summedUp = (sum: Sum) =>
      [frame.subarray(0, SUMMED_OF_FRAME), frame.subarray(FRAME_HEADER_BYTES)].reduce(
        (all, bytes) => add(all, bytes, isHeaderWhole && isBigEndian),
        sum,
      );
    const sums = isCurrent ? before.map(summedUp) : [];
    const isCommit = frame.readUInt32BE(4) > 0;
    const isWhole = isCurrent && own.equals(salts!) && sums.some((sum) => isStored(sum, frame, 16));
    yield { isCurrent, isCommit, isWhole };
    // A flipped bit may be in the stored checksum itself.
    before = [storedIn(frame, 16), ...(isWhole ? [] : sums.slice(0, 1))];
  }
}

/** A restart of the log changes both salts, so a frame with one of them is a damaged current one. */
function sharesSalt(salts: Buffer, own: Buffer): boolean {
  return salts.readUInt32BE(0) === own.readUInt32BE(0) || salts.readUInt32BE(4) === own.readUInt32BE(4);
}

function add([a, b]: Sum, bytes: Buffer, isBigEndian: boolean): Sum {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.byteLength; at += 8) {
    a = (a + words.getUint32(at, !isBigEndian) + b) >>> 0;
    b = (b + words.getUint32(at + 4, !isBigEndian) + a) >>> 0;
  }
  return [a, b];
}

const storedIn = (bytes: Buffer, at: number): Sum => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];

function isStored([a, b]: Sum, bytes: Buffer, at: number): boolean {
  const [storedA, storedB] = storedIn(bytes, at);
  return a === storedA && b === storedB;
}
