import type { HashStore } from '../event-sourcing/index.js';
import { StoredLog } from './stored-log.js';
import { HASH_BYTES, TILE_HASHES } from './tree.js';

/**
 * A tile of the log as C2SP tlog-tiles addresses it; undefined unless the first `size` leaves fill it.
 * @param path such as `x001/x234/067` or, of a partial tile, `x001/x234/067.p/12`
 */
export async function publishedTile(
  hashes: HashStore,
  level: number,
  path: string,
  size: number,
): Promise<Uint8Array | undefined> {
  const [digits = '', partial] = path.split('.p/');
  const n = Number(digits.replace(/[x/]/g, ''));
  const width = partial === undefined ? TILE_HASHES : Number(partial);
  if (partial !== undefined && width >= TILE_HASHES) return undefined;
  const isShortest = digits.length === 3 || !digits.startsWith('x000');
  const available = Math.floor(size / TILE_HASHES ** level) - n * TILE_HASHES;
  if (!isShortest || width > available) return undefined;
  return (await new StoredLog(hashes, size).tile(level, n, width)).subarray(0, width * HASH_BYTES);
}
