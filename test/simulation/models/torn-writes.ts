import { flipBit } from '../../kit/damage.js';
import type { Random } from '../../kit/random.js';

/** Content of the database file and of its write-ahead log. */
export interface DiskState {
  readonly database: Buffer;
  readonly log: Buffer;
}

const PAGE_BYTES = 4_096;
/** Synced before the first frame that follows it. */
const LOG_HEADER_BYTES = 32;

/**
 * What a power cut during a commit leaves. SQLite syncs the log before it answers, and before it copies pages into the
 * database; between two syncs any pages may be missing.
 */
export function tornBy(random: Random, before: DiskState, after: DiskState): DiskState {
  if (random.chance(0.3)) return { log: after.log, database: mixed(random, before.database, after.database) };
  const log = mixed(random, before.log, after.log);
  if (!log.equals(before.log)) after.log.copy(log, 0, 0, LOG_HEADER_BYTES);
  return { database: before.database, log };
}

/** Each page is the old one or the new one; a page that was never written has zeros, or is beyond the end. */
function mixed(random: Random, before: Buffer, after: Buffer): Buffer {
  const written = random.next();
  const result = Buffer.alloc(Math.max(before.length, after.length));
  before.copy(result);
  let end = before.length;
  for (let at = 0; at < after.length; at += PAGE_BYTES) {
    if (!random.chance(written)) continue;
    const page = after.subarray(at, at + PAGE_BYTES);
    page.copy(result, at);
    end = Math.max(end, at + page.length);
  }
  return random.chance(0.5) ? result.subarray(0, end) : result;
}

export function flipped(random: Random, { database, log }: DiskState) {
  const bit = random.below(8 * (database.length + log.length));
  const whole = Buffer.concat([database, log]);
  flipBit(whole, bit);
  const state = { database: whole.subarray(0, database.length), log: whole.subarray(database.length) };
  return { state, isInLog: bit >= 8 * database.length };
}
