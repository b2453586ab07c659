/**
 * Bytes by key, beside the events: whatever is lost is computed from them again. Backups leave it out.
 * @throws UnavailableError
 */
export abstract class HashStore {
  /** In the order of the keys; undefined where there are none. */
  abstract get(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** As last stored; undefined before that. */
  abstract progress(): Promise<Uint8Array | undefined>;
  /**
   * Stores these bytes, and the progress with or after them. Shorter bytes never replace longer ones, so a late writer
   * takes nothing away.
   */
  abstract put(blobs: ReadonlyMap<string, Uint8Array>, progress: Uint8Array): Promise<void>;
  /** Removes all keys and the progress. */
  abstract clear(): Promise<void>;
}
