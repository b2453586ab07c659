/** As in the server's transaction log, a record never spans two chunks. */
const CHUNK_BYTES = 16 * 1024 * 1024;

/** Bytes one after another, found again by the offset at which they begin; outside the JavaScript heap. */
export class RecordLog {
  private readonly chunks: Buffer[] = [];
  private end = 0;

  /** Where a record of this size will begin. */
  nextOffset(size: number): number {
    const inChunk = this.end % CHUNK_BYTES;
    return inChunk + size > CHUNK_BYTES ? this.end - inChunk + CHUNK_BYTES : this.end;
  }

  write(record: Uint8Array): number {
    const offset = this.nextOffset(record.length);
    const chunk = Math.floor(offset / CHUNK_BYTES);
    this.chunks[chunk] ??= Buffer.allocUnsafe(CHUNK_BYTES);
    this.chunks[chunk].set(record, offset % CHUNK_BYTES);
    this.end = offset + record.length;
    return offset;
  }

  read(offset: number, size: number): Buffer {
    const start = offset % CHUNK_BYTES;
    return this.chunks[Math.floor(offset / CHUNK_BYTES)]!.subarray(start, start + size);
  }
}
