/** Document bytes by job. Written before the event that names the job; never part of an event. */
export abstract class ContentStore {
  /** Durable when it resolves. Writing the same id again replaces the bytes. */
  abstract put(jobId: string, bytes: Uint8Array): Promise<void>;
  /**
   * Stores the bytes and does what follows: nothing that it writes lasts without them. A store that keeps both in one
   * place lets them share a commit instead of waiting twice.
   */
  async putThen<T>(jobId: string, bytes: Uint8Array, follow: () => Promise<T>): Promise<T> {
    await this.put(jobId, bytes);
    return follow();
  }
  /**
   * The bytes, or undefined when it is certain that there are none: never written, purged, or lost.
   * @throws UnavailableError when nobody can look now
   */
  abstract get(jobId: string): Promise<Uint8Array | undefined>;
  abstract has(jobId: string): Promise<boolean>;
  /** Ids that have content, ascending, after `after`: for the sweep of what no job needs. */
  abstract ids(after: string | undefined, limit: number): Promise<readonly string[]>;
  /** Deleting what is not there is no error. */
  abstract delete(jobId: string): Promise<void>;
}
