import Database from 'better-sqlite3';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readLogState } from './write-ahead-log.js';

const HEADER = 32;
const FRAME = 24 + 4_096;
const PAGE_CACHE = 4_096;

describe('reading the write-ahead log of a killed process', () => {
  let root: string;
  /** The log with its last commits: 60 rows of 2 KB in one, then one row in each of two more. */
  let log: Buffer;
  let commits: number[];
  const folder = () => join(root, 'killed');
  const wal = () => join(folder(), 'rps.db-wal');

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'rps-wal-'));
    mkdirSync(folder());
    const running = join(root, 'rps.db');
    const db = new Database(running);
    db.pragma('journal_mode = WAL');
    db.pragma('wal_autocheckpoint = 0');
    db.exec('CREATE TABLE t (n INTEGER PRIMARY KEY, x BLOB)');
    // The log is begun anew, so that frames of its earlier use stand behind the current ones.
    const insert = db.prepare('INSERT INTO t (x) VALUES (randomblob(2000))');
    const many = (n: number) => db.transaction(() => void Array.from({ length: n }, () => insert.run()))();
    many(400);
    db.pragma('wal_checkpoint(RESTART)');
    many(60);
    many(1);
    many(1);
    copyFileSync(running, join(folder(), 'rps.db'));
    log = readFileSync(`${running}-wal`);
    db.close();
    commits = commitsIn(log);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const judged = (change: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(log);
    change(bytes);
    writeFileSync(wal(), bytes);
    return readLogState(folder()).damage;
  };
  const at = (frame: number) => HEADER + frame * FRAME;

  it('accepts a sound log and a missing one', () => {
    expect(judged(() => undefined)).toBeUndefined();
    rmSync(wal());
    expect(readLogState(folder()).damage).toBeUndefined();
  });

  it('finds every flipped bit that SQLite would take for the end of the log', () => {
    const end = at(commits.at(-1)!);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: end * 8 - 1 }), (bit) => {
        expect(judged((bytes) => (bytes[bit >> 3]! ^= 1 << (bit & 7)))).toMatch(/is damaged/);
      }),
    );
  });

  it.each([8, 12])('finds a flipped bit in the salt at %d of the commit before the last', (salt) => {
    expect(judged((bytes) => (bytes[at(commits[1]!) + salt]! ^= 1))).toMatch(/last 1 commit/);
  });

  it.each([16, 20])('finds a flipped bit in the checksum at %d of the frame before the last', (checksum) => {
    expect(judged((bytes) => (bytes[at(commits.at(-1)! - 1) + checksum]! ^= 1))).toMatch(/last 1 commit/);
  });

  it('finds every flipped bit of the header', () => {
    for (let bit = 0; bit < HEADER * 8; bit++)
      expect(judged((bytes) => (bytes[bit >> 3]! ^= 1 << (bit & 7)))).toMatch(/last 3 commit/);
  });

  it.each([HEADER, 512, 4_096])('finds a log whose first %d bytes are zero', (bytes) => {
    expect(judged((log) => log.fill(0, 0, bytes))).toMatch(/is damaged/);
  });

  it('counts the commits that would be lost', () => {
    expect(judged((bytes) => (bytes[at(3)]! ^= 1))).toMatch(/last 3 commit/);
    expect(judged((bytes) => (bytes[at(commits[0]!) + 100]! ^= 1))).toMatch(/last 2 commit/);
  });

  it('accepts a last commit with an unwritten end', () => {
    for (let lost = 0; lost <= 2 * FRAME; lost += 512)
      expect(judged((bytes) => bytes.fill(0, at(commits.at(-1)! + 1) - lost, at(commits.at(-1)! + 1)))).toBe(
        undefined,
      );
    writeFileSync(wal(), log);
    truncateSync(wal(), at(commits.at(-1)!) + 1_000);
    expect(readLogState(folder()).damage).toBeUndefined();
  });

  it('finds the rest of an interrupted commit, which new commits would turn into damage', () => {
    const last = at(commits.at(-1)!);
    writeFileSync(wal(), log);
    expect(readLogState(folder()).hasRest).toBe(false);
    judged((bytes) => bytes.fill(0, last + FRAME - 600, last + FRAME));
    expect(readLogState(folder())).toEqual({ hasRest: true });
  });

  it('finds a flipped bit in a last commit of many pages', () => {
    const onlyFirst = Buffer.from(log.subarray(0, at(commits[0]! + 1)));
    onlyFirst[at(3)]! ^= 1;
    writeFileSync(wal(), onlyFirst);
    expect(readLogState(folder()).damage).toMatch(/last 1 commit/);
  });

  it('accepts a last commit with unwritten pages of the page cache', () => {
    const onlyFirst = Buffer.from(log.subarray(0, at(commits[0]! + 1)));
    const pages = Math.floor(onlyFirst.length / PAGE_CACHE);
    const lost = fc.uniqueArray(fc.integer({ min: 1, max: pages - 1 }), { minLength: 1 });
    fc.assert(
      fc.property(lost, (numbers) => {
        const bytes = Buffer.from(onlyFirst);
        for (const n of numbers) bytes.fill(0, n * PAGE_CACHE, (n + 1) * PAGE_CACHE);
        writeFileSync(wal(), bytes);
        expect(readLogState(folder()).damage).toBeUndefined();
      }),
    );
  });
});

/** Numbers of the last frames of the commits of the log's current use. */
function commitsIn(log: Buffer): number[] {
  const salts = log.subarray(16, 24);
  const numbers = [...Array(Math.floor((log.length - HEADER) / FRAME)).keys()];
  return numbers.filter((n) => {
    const frame = log.subarray(HEADER + n * FRAME, HEADER + (n + 1) * FRAME);
    return frame.subarray(8, 16).equals(salts) && frame.readUInt32BE(4) > 0;
  });
}
