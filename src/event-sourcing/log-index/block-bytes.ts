import { UUID_BYTES, uuidOfHex } from '../../kernel/ids.js';

/** Of numbers and of one name, beside the text of the name. */
const ROOM_OF_ENTRY = 64;
const BYTES_OF_CHARACTER = 3;
const DASH = 45;

/** The bytes of a block. Numbers are base 128, the lowest digits first. */
export class ByteWriter {
  private bytes = Buffer.allocUnsafeSlow(2_048);
  private length = 0;

  /** Call before an entry with this name is written. */
  makeRoom(name: string): void {
    const needed = this.length + ROOM_OF_ENTRY + BYTES_OF_CHARACTER * name.length;
    if (needed <= this.bytes.length) return;
    const bytes = Buffer.allocUnsafeSlow(2 * needed);
    this.bytes.copy(bytes, 0, 0, this.length);
    this.bytes = bytes;
  }

  number(number: number): void {
    let rest = number;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.bytes[this.length++] = (rest % 128) + 128;
    this.bytes[this.length++] = rest;
  }

  text(text: string): void {
    this.number(Buffer.byteLength(text));
    this.length += this.bytes.write(text, this.length);
  }

  /** What follows the category in the name of a stream: the bytes of a UUID after 0, or another text. */
  id(stream: string, start: number): void {
    if (!this.uuid(stream, start)) this.text(stream.slice(start));
  }

  /** Returns what was written since the last call, and begins anew. */
  take(): Uint8Array {
    const taken = new Uint8Array(this.bytes.subarray(0, this.length));
    this.length = 0;
    return taken;
  }

  /** False, with nothing written, unless the rest of the name is a UUID in lower case. */
  private uuid(stream: string, start: number): boolean {
    const { bytes, length } = this;
    let from = start;
    for (let n = 1; n <= UUID_BYTES; n++) {
      if ((n === 5 || n === 7 || n === 9 || n === 11) && stream.charCodeAt(from++) !== DASH) return false;
      const high = digitOf(stream.charCodeAt(from++));
      const low = digitOf(stream.charCodeAt(from++));
      if (high < 0 || low < 0) return false;
      bytes[length + n] = 16 * high + low;
    }
    if (from !== stream.length) return false;
    bytes[length] = 0;
    this.length = length + 1 + UUID_BYTES;
    return true;
  }
}

/** -1 for the code of a character that is no lower-case hexadecimal digit. */
function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  return code >= 97 && code <= 102 ? code - 87 : -1;
}

export class ByteReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  number(): number {
    let number = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.bytes[this.at++]!;
      number += (byte % 128) * unit;
      if (byte < 128) return number;
    }
  }

  text(): string {
    return this.take(this.number()).toString();
  }

  id(): string {
    const length = this.number();
    return length > 0 ? this.take(length).toString() : uuidOfHex(this.take(UUID_BYTES).toString('hex'));
  }

  private take(length: number): Buffer {
    const { buffer, byteOffset } = this.bytes;
    this.at += length;
    return Buffer.from(buffer, byteOffset + this.at - length, length);
  }
}
