/** Cuts a stream of bytes into messages; each begins with its own length. */
export class Framing {
  private chunks: Buffer[] = [];
  private held = 0;

  push(chunk: Buffer): Buffer[] {
    this.chunks.push(chunk);
    this.held += chunk.length;
    const messages: Buffer[] = [];
    for (let next = this.next(); next; next = this.next()) messages.push(next);
    return messages;
  }

  private next(): Buffer | undefined {
    if (this.held < 16) return undefined;
    if (this.chunks[0]!.length < 4) this.join();
    const length = this.chunks[0]!.readInt32LE(0);
    if (this.held < length) return undefined;
    if (this.chunks[0]!.length < length) this.join();
    const first = this.chunks[0]!;
    this.held -= length;
    if (first.length === length) this.chunks.shift();
    else this.chunks[0] = first.subarray(length);
    return first.subarray(0, length);
  }

  private join(): void {
    this.chunks = [Buffer.concat(this.chunks)];
  }
}
