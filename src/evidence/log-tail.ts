import type { Link } from './entry.js';
import { BLOB_ITEMS, blobKey, countKey, numberBytes, NUMBER_BYTES, type StoredLog } from './stored-log.js';
import { foldHashes, HASH_BYTES } from './tree.js';

/** Items of one length in blobs: the hashes of a level of tiles, positions of leaves, or the entries of an account. */
interface List {
  readonly name: string;
  readonly itemBytes: number;
  /** Also those of the full blobs before the last one. */
  count: number;
  /** Of the last blob. */
  readonly bytes: Buffer;
}

/** The entries of an account, and what its next entry names. */
export interface Chain extends Link {
  seq: number;
  prev: string | undefined;
  readonly leaves: List;
}

/** Accounts whose chains stay in memory after a `take`, 2 KB each. */
const CACHED_CHAINS = 4_096;

/** Adds leaves behind those that are stored; `take` gives the blobs to store. */
export class LogTail {
  private blobs = new Map<string, Uint8Array>();
  private readonly chains = new Map<string, Chain>();
  /** Those with entries since the last `take`. */
  private readonly changed = new Set<Chain>();

  private constructor(
    private readonly log: StoredLog,
    private readonly tiles: List[],
    private readonly positions: List,
  ) {}

  /** @param size leaves, all of them stored @throws MissingHashesError */
  static async at(log: StoredLog, size: number): Promise<LogTail> {
    const tiles: List[] = [];
    for (let count = size; count > 0; count = Math.floor(count / BLOB_ITEMS))
      tiles.push(await listOf(log, `t/${tiles.length}`, HASH_BYTES, count));
    return new LogTail(log, tiles, await listOf(log, 'p', NUMBER_BYTES, size));
  }

  get size(): number {
    return this.positions.count;
  }

  /** Undefined: `open` it. */
  chain(account: string): Chain | undefined {
    return this.chains.get(account);
  }

  /** Reads the chain of an account, all of whose entries are stored. */
  async open(account: string): Promise<Chain> {
    const link = await this.log.link(account, await this.log.countOf(account, this.size));
    const chain = { ...link, leaves: await listOf(this.log, `a/${account}`, NUMBER_BYTES, link.seq) };
    this.chains.set(account, chain);
    return chain;
  }

  /** @param leafHash of the next entry of the chain @param position of its event */
  add(chain: Chain, leafHash: string, position: number): void {
    this.push(chain.leaves, this.size);
    chain.seq++;
    chain.prev = leafHash;
    this.changed.add(chain);
    this.push(this.positions, position);
    this.pushHash(0, leafHash);
  }

  /** Bytes of all blobs that changed since the last call, which are to be stored. */
  take(): ReadonlyMap<string, Uint8Array> {
    const { blobs, chains, changed } = this;
    const lists = [...this.tiles, this.positions, ...[...changed].map(({ leaves }) => leaves)];
    for (const list of lists) if (list.count % BLOB_ITEMS > 0) this.keep(list);
    for (const { account, seq } of changed) blobs.set(countKey(account), numberBytes(seq));
    this.blobs = new Map();
    changed.clear();
    if (chains.size > CACHED_CHAINS) chains.clear();
    return blobs;
  }

  private pushHash(level: number, hash: string): void {
    const tile = (this.tiles[level] ??= emptyList(`t/${level}`, HASH_BYTES));
    this.push(tile, hash);
    if (tile.count % BLOB_ITEMS === 0) this.pushHash(level + 1, foldHashes(tile.bytes).toString('base64'));
  }

  /** @param item a hash in base64, or a number */
  private push(list: List, item: string | number): void {
    const at = (list.count++ % BLOB_ITEMS) * list.itemBytes;
    if (typeof item === 'string') list.bytes.write(item, at, 'base64');
    else list.bytes.writeUIntBE(item, at, NUMBER_BYTES);
    if (list.count % BLOB_ITEMS === 0) this.keep(list);
  }

  private keep({ name, itemBytes, count, bytes }: List): void {
    const n = Math.floor((count - 1) / BLOB_ITEMS);
    const filled = bytes.subarray(0, (count - n * BLOB_ITEMS) * itemBytes);
    this.blobs.set(blobKey(name, n), Buffer.from(filled));
  }
}

const emptyList = (name: string, itemBytes: number): List => ({
  ...{ name, itemBytes, count: 0, bytes: Buffer.alloc(BLOB_ITEMS * itemBytes) },
});

async function listOf(log: StoredLog, name: string, itemBytes: number, count: number): Promise<List> {
  const list = { ...emptyList(name, itemBytes), count };
  const filled = (count % BLOB_ITEMS) * itemBytes;
  if (filled > 0)
    list.bytes.set((await log.blob(name, Math.floor(count / BLOB_ITEMS), filled)).subarray(0, filled));
  return list;
}
