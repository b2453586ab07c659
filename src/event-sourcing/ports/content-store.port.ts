/** From `first` to before `end`. */
export interface ContentPart {
  readonly first: number;
  readonly end: number;
}

/** Written before the event that names the job; never part of an event. */
export abstract class ContentStore {
  /** `putThen` and the appends in `follow` share one commit. */
  readonly sharesCommit: boolean = false;

  /** Durable when it resolves. Replaces earlier bytes of the id. */
  abstract put(jobId: string, bytes: Uint8Array): Promise<void>;
  /** Nothing written by `follow` survives without the bytes. A store of both can use one commit. */
  async putThen<T>(jobId: string, bytes: Uint8Array, follow: () => Promise<T>): Promise<T> {
    await this.put(jobId, bytes);
    return follow();
  }
  /**
   * Undefined if certainly absent: never written, purged, or lost. A part may be shorter. @throws
   * UnavailableError
   */
  abstract get(jobId: string, part?: ContentPart): Promise<Uint8Array | undefined>;
  abstract has(jobId: string): Promise<boolean>;
  /** Ascending, exclusive of `after`. */
  abstract ids(after: string | undefined, limit: number): Promise<readonly string[]>;
  /** Deleting missing content is no error. */
  abstract delete(jobId: string): Promise<void>;
}
