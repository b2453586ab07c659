/** Bytes of a document from `first` to before `end`. */
export interface ContentPart {
  readonly first: number;
  readonly end: number;
}

/** Document bytes by job. Written before the event that names the job; never part of an event. */
export abstract class ContentStore {
  /** `putThen` and the appends in `follow` share one commit: appending separately costs a commit more. */
  readonly sharesCommit: boolean = false;

  /** Durable when it resolves. Writing the same id again replaces the bytes. */
  abstract put(jobId: string, bytes: Uint8Array): Promise<void>;
  /**
   * Stores the bytes and runs `follow`; nothing written by it survives without the bytes. A store that keeps both
   * in one place can use one commit for both.
   */
  async putThen<T>(jobId: string, bytes: Uint8Array, follow: () => Promise<T>): Promise<T> {
    await this.put(jobId, bytes);
    return follow();
  }
  /**
   * The bytes, or undefined if they certainly do not exist: never written, purged, or lost. A part costs the reading
   * and the memory of its own bytes only; bytes beyond the end are left out.
   * @throws UnavailableError if this cannot be determined now
   */
  abstract get(jobId: string, part?: ContentPart): Promise<Uint8Array | undefined>;
  abstract has(jobId: string): Promise<boolean>;
  /** Ids with content, ascending, after `after`; used to sweep unneeded content. */
  abstract ids(after: string | undefined, limit: number): Promise<readonly string[]>;
  /** Deleting missing content is no error. */
  abstract delete(jobId: string): Promise<void>;
}
