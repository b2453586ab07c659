import {
  BLOB_ITEMS,
  countKey,
  entriesKey,
  NUMBER_BYTES,
  positionsKey,
  tileKey,
  writeNumber,
  type StoredLog,
} from './stored-log.js';
import { foldHashes, HASH_BYTES } from './tree.js';

/** A blob that grows: `count` items so far, also of the full blobs before it. */
interface Growing {
  count: number;
  readonly bytes: Buffer;
}

/** Adds leaves behind those that are stored; `take` gives the blobs to store. */
export class LogTail {
  private blobs = new Map<string, Uint8Array>();
  private readonly accounts = new Map<string, Growing>();

  private constructor(
    private readonly log: StoredLog,
    private readonly tiles: Growing[],
    private readonly positions: Growing,
  ) {}

  /** @param size leaves, all of them stored @throws MissingHashesError */
  static async at(log: StoredLog, size: number): Promise<LogTail> {
    const tiles: Growing[] = [];
    for (
      let [level, count] = [0, size];
      count > 0;
      [level, count] = [level + 1, Math.floor(count / BLOB_ITEMS)]
    )
      tiles.push(await grown(log, (n) => tileKey(level, n), count, HASH_BYTES));
    return new LogTail(log, tiles, await grown(log, positionsKey, size, NUMBER_BYTES));
  }

  get size(): number {
    return this.positions.count;
  }

  /** @param position of the event @param seq of the entry in the chain of its account */
  async add(leafHash: Buffer, position: number, account: string, seq: number): Promise<void> {
    let entries = this.accounts.get(account);
    if (!entries) {
      entries = await grown(this.log, (n) => entriesKey(account, n), seq, NUMBER_BYTES);
      this.accounts.set(account, entries);
    }
    this.push(entries, this.size, (n) => entriesKey(account, n));
    this.push(this.positions, position, positionsKey);
    this.pushHash(0, leafHash);
  }

  /** Bytes of all blobs that changed since the last call, which are to be stored. */
  take(): ReadonlyMap<string, Uint8Array> {
    const { blobs } = this;
    const keep = ({ count, bytes }: Growing, itemBytes: number, key: (n: number) => string) => {
      const items = count % BLOB_ITEMS;
      if (items > 0)
        blobs.set(key((count - items) / BLOB_ITEMS), Buffer.from(bytes.subarray(0, items * itemBytes)));
    };
    for (const [level, tile] of this.tiles.entries()) keep(tile, HASH_BYTES, (n) => tileKey(level, n));
    keep(this.positions, NUMBER_BYTES, positionsKey);
    for (const [account, entries] of this.accounts) {
      keep(entries, NUMBER_BYTES, (n) => entriesKey(account, n));
      const count = Buffer.alloc(NUMBER_BYTES);
      writeNumber(count, 0, entries.count);
      blobs.set(countKey(account), count);
    }
    this.blobs = new Map();
    this.accounts.clear();
    return blobs;
  }

  private push(growing: Growing, value: number, key: (n: number) => string): void {
    writeNumber(growing.bytes, growing.count++ % BLOB_ITEMS, value);
    this.keepFull(growing, key);
  }

  private pushHash(level: number, hash: Buffer): void {
    const tile = (this.tiles[level] ??= { count: 0, bytes: Buffer.alloc(BLOB_ITEMS * HASH_BYTES) });
    hash.copy(tile.bytes, (tile.count++ % BLOB_ITEMS) * HASH_BYTES);
    if (this.keepFull(tile, (n) => tileKey(level, n))) this.pushHash(level + 1, foldHashes(tile.bytes));
  }

  private keepFull({ count, bytes }: Growing, key: (n: number) => string): boolean {
    if (count % BLOB_ITEMS > 0) return false;
    this.blobs.set(key(count / BLOB_ITEMS - 1), Buffer.from(bytes));
    return true;
  }
}

async function grown(
  log: StoredLog,
  key: (n: number) => string,
  count: number,
  itemBytes: number,
): Promise<Growing> {
  const items = count % BLOB_ITEMS;
  return { count, bytes: await log.beginning(key((count - items) / BLOB_ITEMS), items, itemBytes) };
}
