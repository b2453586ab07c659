/** Document bytes by job. Written before the event that names the job; never part of an event. */
export abstract class ContentStore {
  /** Durable when it resolves. Writing the same id again replaces the bytes. */
  abstract put(jobId: string, bytes: Uint8Array): Promise<void>;
  /** The bytes, or undefined when there are none (never written, or purged). */
  abstract get(jobId: string): Promise<Uint8Array | undefined>;
  abstract has(jobId: string): Promise<boolean>;
  /** Deleting what is not there is no error. */
  abstract delete(jobId: string): Promise<void>;
}
