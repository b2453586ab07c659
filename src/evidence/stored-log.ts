import { LRUCache } from 'lru-cache';
import type { HashStore } from '../event-sourcing/index.js';
import { MissingHashesError } from '../kernel/errors.js';
import { POSITION_DIGITS, type Position } from '../kernel/recorded-event.js';
import type { Link } from './entry.js';
import { progressOf } from './progress.js';
import { HASH_BYTES, TILE_HASHES, type TileReader } from './tree.js';

/** Blobs of the hash store: a full one has 256 hashes or numbers. */
export const BLOB_ITEMS = TILE_HASHES;
export const NUMBER_BYTES = 6;
const CACHED_BLOBS = 512;

/** @param list `t/<level>`: tiles; `p`: positions of leaves; `a/<account>`: leaf numbers of its entries */
export const blobKey = (list: string, n: number): string => `${list}/${n}`;
/** Number of entries of an account, perhaps outdated. */
export const countKey = (account: string): string => `h/${account}`;

export function numberBytes(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(NUMBER_BYTES);
  bytes.writeUIntBE(value, 0, NUMBER_BYTES);
  return bytes;
}

const numberAt = (bytes: Uint8Array, n: number) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUIntBE(n * NUMBER_BYTES, NUMBER_BYTES);

/**
 * The log as it is stored, up to the progress that was read before. It caches, so make one for each task.
 * @throws MissingHashesError
 */
export class StoredLog implements TileReader {
  private readonly cache: LRUCache<string, Uint8Array>;

  /** @param size leaves that were stored: if a hash of them is missing, the log is built anew */
  constructor(
    private readonly hashes: HashStore,
    private readonly size?: number,
    blobs = CACHED_BLOBS,
  ) {
    this.cache = new LRUCache({ max: blobs });
  }

  tile(level: number, n: number, width: number): Promise<Uint8Array> {
    return this.blob(`t/${level}`, n, width * HASH_BYTES);
  }

  /** Base64. */
  async leafHash(leaf: number): Promise<string> {
    const [n, at] = placeOf(leaf);
    const bytes = await this.tile(0, n, at + 1);
    return Buffer.from(bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)).toString('base64');
  }

  /** Position of the event of a leaf. */
  async position(leaf: number): Promise<Position> {
    const [n, at] = placeOf(leaf);
    const bytes = await this.blob('p', n, (at + 1) * NUMBER_BYTES);
    return String(numberAt(bytes, at)).padStart(POSITION_DIGITS, '0');
  }

  /** The leaf of the event at a position, or the first after it; `size` if there is none. @param size leaves */
  leafFrom(position: Position, size: number): Promise<number> {
    return firstThat(size, async (leaf) => (await this.position(leaf)) >= position);
  }

  /** Leaf number of an entry of an account. */
  async leafOf(account: string, seq: number): Promise<number> {
    const [n, at] = placeOf(seq);
    return numberAt(await this.blob(`a/${account}`, n, (at + 1) * NUMBER_BYTES), at);
  }

  /** Number of entries that an account has among the first `size` leaves. */
  async countOf(account: string, size: number): Promise<number> {
    const hint = await this.stored(countKey(account));
    const known = hint ? numberAt(hint, 0) : 0;
    const countIn = (n: number) => this.countIn(blobKey(`a/${account}`, n), size, known - n * BLOB_ITEMS);
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

  /** Place of the entry `seq` in the chain of an account. */
  async link(account: string, seq: number): Promise<Link> {
    const prev = seq > 0 ? await this.leafHash(await this.leafOf(account, seq - 1)) : undefined;
    return { account, seq, prev };
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

  /** A blob of a list, with `least` bytes or more. */
  async blob(list: string, n: number, least: number): Promise<Uint8Array> {
    const key = blobKey(list, n);
    const cached = this.cache.get(key);
    if (cached && cached.length >= least) return cached;
    const bytes = await this.stored(key);
    if (!bytes || bytes.length < least) return this.missing(key);
    this.cache.set(key, bytes);
    return bytes;
  }

  private async stored(key: string): Promise<Uint8Array | undefined> {
    try {
      return await this.hashes.get(key);
    } catch (error) {
      if (error instanceof MissingHashesError) await this.askAnew();
      throw error;
    }
  }

  private async missing(key: string): Promise<never> {
    await this.askAnew();
    throw new MissingHashesError(key);
  }

  /** Asks the builder, which alone may remove hashes. */
  private async askAnew(): Promise<void> {
    const { hashes, size } = this;
    const progress = progressOf(await hashes.progress());
    if (size === undefined || progress.size < size || progress.isLacking) return;
    await hashes.put(new Map(), Buffer.from(JSON.stringify({ ...progress, isLacking: true })));
  }
}

/** Number of the blob, and place in it. */
const placeOf = (item: number): [n: number, at: number] => [Math.floor(item / BLOB_ITEMS), item % BLOB_ITEMS];

/** The first of `count` numbers for which this holds, as for all after it; `count` if for none. */
export async function firstThat(count: number, holds: (number: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
