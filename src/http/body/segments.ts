/** Memory for large bodies comes and goes in pieces of this size. */
export const SEGMENT_BYTES = 262_144;

/** Free segments kept for the next body: 16 MiB. */
const KEPT = 64;

export type Segment = Uint8Array<ArrayBuffer>;

/** Lends memory for large bodies. What is used again is not garbage, and causes no collection on the main thread. */
export class SegmentPool {
  readonly #free: ArrayBuffer[] = [];

  take(): Segment {
    return new Uint8Array(this.#free.pop() ?? new ArrayBuffer(SEGMENT_BYTES));
  }

  give(segments: readonly Segment[]): void {
    for (const { buffer } of segments) {
      if (this.#free.length < KEPT && buffer.byteLength === SEGMENT_BYTES) this.#free.push(buffer);
    }
  }
}
