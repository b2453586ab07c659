import { LRUCache } from 'lru-cache';
import { MissingHashesError, type HashStore } from '../event-sourcing/index.js';
import { POSITION_DIGITS, type Position } from '../kernel/recorded-event.js';
import { progressOf } from './progress.js';
import { HASH_BYTES, TILE_HASHES, type TileReader } from './tree.js';

/** Blobs of the hash store: a full one has 256 hashes or numbers. */
export const BLOB_ITEMS = TILE_HASHES;
export const NUMBER_BYTES = 6;
const CACHED_BLOBS = 512;

export const tileKey = (level: number, n: number): string => `t/${level}/${n}`;
/** Positions of leaves. */
export const positionsKey = (n: number): string => `p/${n}`;
/** Leaf numbers of the entries of an account. */
export const entriesKey = (account: string, n: number): string => `a/${account}/${n}`;
/** Number of entries of an account, perhaps outdated. */
export const countKey = (account: string): string => `h/${account}`;

export function writeNumber(bytes: Buffer, n: number, value: number): void {
  bytes.writeUIntBE(value, n * NUMBER_BYTES, NUMBER_BYTES);
}

const numberAt = (bytes: Uint8Array, n: number) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUIntBE(n * NUMBER_BYTES, NUMBER_BYTES);

/** Asks the builder, which alone may remove hashes, to begin anew. @param size leaves of which a hash is missing */
export async function askAnew(hashes: HashStore, size: number): Promise<void> {
  const progress = progressOf(await hashes.progress());
  if (progress.size < size || progress.isLacking) return;
  await hashes.put(new Map(), Buffer.from(JSON.stringify({ ...progress, isLacking: true })));
}

/**
 * The log as it is stored, up to the progress that was read before. It caches, so make one for each task.
 * @throws MissingHashesError
 */
export class StoredLog implements TileReader {
  private readonly cache = new LRUCache<string, Uint8Array>({ max: CACHED_BLOBS });

  constructor(
    private readonly hashes: Pick<HashStore, 'get'>,
    private readonly onMissing: () => Promise<void> = () => Promise.resolve(),
  ) {}

  tile(level: number, n: number, width: number): Promise<Uint8Array> {
    return this.blob(tileKey(level, n), width * HASH_BYTES);
  }

  async leafHash(leaf: number): Promise<Buffer> {
    const [n, at] = placeOf(leaf);
    const bytes = await this.tile(0, n, at + 1);
    return Buffer.from(bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES));
  }

  /** Position of the event of a leaf. */
  async position(leaf: number): Promise<Position> {
    const [n, at] = placeOf(leaf);
    const bytes = await this.blob(positionsKey(n), (at + 1) * NUMBER_BYTES);
    return String(numberAt(bytes, at)).padStart(POSITION_DIGITS, '0');
  }

  /** The leaf of the event at a position, or the first after it; `size` if there is none. @param size leaves */
  async leafFrom(position: Position, size: number): Promise<number> {
    let [low, high] = [0, size];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((await this.position(middle)) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Leaf number of an entry of an account. */
  async leafOf(account: string, seq: number): Promise<number> {
    const [n, at] = placeOf(seq);
    return numberAt(await this.blob(entriesKey(account, n), (at + 1) * NUMBER_BYTES), at);
  }

  /** Number of entries that an account has among the first `size` leaves. */
  async countOf(account: string, size: number): Promise<number> {
    const hint = await this.stored(countKey(account));
    const known = hint ? numberAt(hint, 0) : 0;
    const countIn = (n: number) => this.countIn(entriesKey(account, n), size, known - n * BLOB_ITEMS);
    let n = Math.floor(known / BLOB_ITEMS);
    let count = await countIn(n);
    while (count === 0 && n > 0) count = await countIn(--n);
    while (count === BLOB_ITEMS) {
      const next = await countIn(n + 1);
      if (next === 0) break;
      [n, count] = [n + 1, next];
    }
    return n * BLOB_ITEMS + count;
  }

  /** Forgets what was read, because more or other bytes are stored. */
  refresh(): void {
    this.cache.clear();
  }

  /** The first `items` of a blob, to write on; empty for none. */
  async beginning(key: string, items: number, itemBytes: number): Promise<Buffer> {
    const bytes = Buffer.alloc(BLOB_ITEMS * itemBytes);
    if (items > 0) bytes.set((await this.blob(key, items * itemBytes)).subarray(0, items * itemBytes));
    return bytes;
  }

  /** @param known number of entries of the account from this blob on, which were stored at the least */
  private async countIn(key: string, size: number, known: number): Promise<number> {
    const bytes = await this.stored(key);
    const stored = (bytes?.length ?? 0) / NUMBER_BYTES;
    if (stored < Math.min(known, BLOB_ITEMS)) return this.missing(key);
    let count = 0;
    while (count < stored && numberAt(bytes!, count) < size) count++;
    return count;
  }

  private async blob(key: string, least: number): Promise<Uint8Array> {
    const cached = this.cache.get(key);
    if (cached && cached.length >= least) return cached;
    const bytes = await this.stored(key);
    if (!bytes || bytes.length < least) return this.missing(key);
    this.cache.set(key, bytes);
    return bytes;
  }

  private async stored(key: string): Promise<Uint8Array | undefined> {
    try {
      return (await this.hashes.get([key]))[0];
    } catch (error) {
      if (error instanceof MissingHashesError) await this.onMissing();
      throw error;
    }
  }

  private async missing(key: string): Promise<never> {
    await this.onMissing();
    throw new MissingHashesError(key);
  }
}

/** Number of the blob, and place in it. */
const placeOf = (item: number): [n: number, at: number] => [Math.floor(item / BLOB_ITEMS), item % BLOB_ITEMS];
