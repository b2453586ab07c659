/** As in the server's transaction log, a record never spans two chunks. */
const CHUNK_BYTES = 16 * 1024 * 1024;

/** Bytes one after another, found again by their ordinal or the offset at which they begin; outside the JavaScript heap. */
export class RecordLog {
  private readonly chunks: Buffer[] = [];
  private readonly offsets: number[] = [];
  private readonly sizes: number[] = [];
  /** Offset behind the last record. */
  end = 0;

  get length(): number {
    return this.offsets.length;
  }

  /** Writes a record that holds its own offset; answers its ordinal. */
  write(encodeAt: (offset: number) => Uint8Array): number {
    const guess = this.end;
    const encoded = encodeAt(guess);
    const offset = this.skip(encoded.length);
    const record = offset === guess ? encoded : encodeAt(offset);
    const chunk = Math.floor(offset / CHUNK_BYTES);
    this.chunks[chunk] ??= Buffer.allocUnsafe(CHUNK_BYTES);
    this.chunks[chunk].set(record, offset % CHUNK_BYTES);
    this.sizes.push(record.length);
    return this.offsets.push(offset) - 1;
  }

  /** Leaves so many bytes empty; where they begin. */
  skip(size: number): number {
    const inChunk = this.end % CHUNK_BYTES;
    const offset = inChunk + size > CHUNK_BYTES ? this.end - inChunk + CHUNK_BYTES : this.end;
    this.end = offset + size;
    return offset;
  }

  read(ordinal: number): Buffer {
    const offset = this.offsets[ordinal]!;
    const start = offset % CHUNK_BYTES;
    return this.chunks[Math.floor(offset / CHUNK_BYTES)]!.subarray(start, start + this.sizes[ordinal]!);
  }

  offsetAt(ordinal: number): number {
    return this.offsets[ordinal]!;
  }

  /** Whether a record begins at this offset. */
  isPlace(offset: number): boolean {
    return this.offsets[this.ordinalFrom(offset)] === offset;
  }

  /** Ordinal of the first record at this offset or later. */
  ordinalFrom(offset: number): number {
    let low = 0;
    let high = this.offsets.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.offsets[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
