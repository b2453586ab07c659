import { sha256 } from '../../kernel/ids.js';
import { MissingHashesError } from '../../kernel/errors.js';

const SUM_BYTES = 8;

/**
 * Bytes by key, beside the events: whatever is lost is computed from them again. Backups leave it out.
 * Each value is stored behind a checksum with its key, so that a changed byte is never signed.
 * @throws UnavailableError, MissingHashesError for damaged bytes
 */
export abstract class HashStore {
  /** Undefined if nothing is stored under the key. */
  async get(key: string): Promise<Uint8Array | undefined> {
    const value = await this.read(key);
    return value && checked(key, value);
  }
  /** As last stored; undefined before that. */
  progress(): Promise<Uint8Array | undefined> {
    return this.get(PROGRESS);
  }
  /**
   * Stores these bytes, and the progress with or after them. Shorter bytes never replace longer ones, so a late writer
   * takes nothing away.
   */
  async put(blobs: ReadonlyMap<string, Uint8Array>, progress: Uint8Array): Promise<void> {
    const summed = new Map([...blobs].map(([key, bytes]) => [key, withSum(key, bytes)]));
    await this.write(summed, withSum(PROGRESS, progress));
  }
  /** Removes all keys and the progress. */
  abstract clear(): Promise<void>;

  protected abstract read(key: string): Promise<Uint8Array | undefined>;
  protected abstract write(values: ReadonlyMap<string, Uint8Array>, progress: Uint8Array): Promise<void>;
}

/** Key of the progress beside the others. */
export const PROGRESS = 'progress';

const sumOf = (key: string, bytes: Uint8Array) =>
  sha256(Buffer.concat([Buffer.from(`${key}\n`), bytes])).slice(0, 2 * SUM_BYTES);

const withSum = (key: string, bytes: Uint8Array) =>
  Buffer.concat([Buffer.from(sumOf(key, bytes), 'hex'), bytes]);

function checked(key: string, value: Uint8Array): Uint8Array {
  const bytes = value.subarray(SUM_BYTES);
  if (Buffer.from(value.subarray(0, SUM_BYTES)).toString('hex') !== sumOf(key, bytes))
    throw new MissingHashesError(key);
  return bytes;
}
