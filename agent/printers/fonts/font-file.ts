import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** TrueType collections hold several faces that share tables. */
const COLLECTION = 'ttcf';
const MAX_FACES = 64;
const FAMILY_NAMES = [1, 16];
/** Full name and PostScript name. */
const FACE_NAMES = [4, 6];
const ITALIC = 2;
const NORMAL_WEIGHT = 400;

interface Table {
  readonly offset: number;
  readonly length: number;
}

/** Names as PDF writes them: without spaces and marks. */
export function plainName(name: string): string {
  return name.replaceAll(/[\s,_-]/g, '').toLowerCase();
}

/** One face of a file with TrueType or OpenType fonts. */
export class FontFace {
  readonly families: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  /** 400 is normal, 700 bold. */
  readonly weight: number;
  readonly isItalic: boolean;
  private letters: ((letter: number) => boolean) | undefined;

  private constructor(
    readonly file: string,
    /** Bytes of the file. */
    readonly size: number,
    /** Where its table directory begins. */
    readonly start: number,
    readonly isInCollection: boolean,
    private readonly tables: ReadonlyMap<string, Table>,
    read: Reader,
  ) {
    const names = namesOf(this.read('name', read));
    const named = (ids: number[]): Set<string> => new Set(ids.flatMap((id) => names.get(id) ?? []));
    this.families = named(FAMILY_NAMES);
    this.names = named(FACE_NAMES);
    const weights = this.read('OS/2', read);
    this.weight = weights.length < 6 ? NORMAL_WEIGHT : weights.readUInt16BE(4);
    this.isItalic = (this.read('head', read).readUInt16BE(44) & ITALIC) !== 0;
  }

  /** Throws an error for a file that is no font. */
  static facesOf(file: string): FontFace[] {
    const { size } = statSync(file);
    return reading(file, (read) => {
      const isCollection = read(0, 4).toString('latin1') === COLLECTION;
      const count = isCollection ? Math.min(read(8, 4).readUInt32BE(), MAX_FACES) : 1;
      return Array.from({ length: count }, (_, index) => {
        const start = isCollection ? read(12 + index * 4, 4).readUInt32BE() : 0;
        return new FontFace(file, size, start, isCollection, directoryOf(read, start), read);
      });
    });
  }

  /** Whether the face has a glyph for a code point. */
  has(letter: number): boolean {
    this.letters ??= reading(this.file, (read) => lettersOf(this.read('cmap', read)));
    return this.letters(letter);
  }

  /** Empty if the face lacks the table. */
  table(tag: string): Buffer {
    return reading(this.file, (read) => this.read(tag, read));
  }

  private read(tag: string, read: Reader): Buffer {
    const { offset, length } = this.tables.get(tag) ?? { offset: 0, length: 0 };
    return read(offset, length);
  }
}

type Reader = (offset: number, length: number) => Buffer;

function reading<T>(file: string, use: (read: Reader) => T): T {
  const descriptor = openSync(file, 'r');
  try {
    return use((offset, length) => {
      const bytes = Buffer.alloc(Math.min(length, 16 * 1024 * 1024));
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, offset));
    });
  } finally {
    closeSync(descriptor);
  }
}

function directoryOf(read: Reader, start: number): Map<string, Table> {
  const count = read(start + 4, 2).readUInt16BE();
  const records = read(start + 12, count * 16);
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const at = index * 16;
      const table = { offset: records.readUInt32BE(at + 8), length: records.readUInt32BE(at + 12) };
      return [records.toString('latin1', at, at + 4), table];
    }),
  );
}

function namesOf(table: Buffer): Map<number, string[]> {
  const names = new Map<number, string[]>();
  const texts = table.readUInt16BE(4);
  for (let index = 0; index < table.readUInt16BE(2); index++) {
    const at = 6 + index * 12;
    const [platform, id] = [table.readUInt16BE(at), table.readUInt16BE(at + 6)];
    const start = texts + table.readUInt16BE(at + 10);
    const bytes = Buffer.from(table.subarray(start, start + table.readUInt16BE(at + 8)));
    const isWide = platform !== 1 && bytes.length % 2 === 0;
    const name = isWide ? bytes.swap16().toString('utf16le') : bytes.toString('latin1');
    names.set(id, [...(names.get(id) ?? []), plainName(name)]);
  }
  return names;
}

/** Formats 4 and 12 of the table `cmap`, which every font for Windows has. */
function lettersOf(table: Buffer): (letter: number) => boolean {
  const maps: ((letter: number) => boolean)[] = [];
  for (let index = 0; index < table.readUInt16BE(2); index++) {
    const map = table.subarray(table.readUInt32BE(8 + index * 8));
    if (map.readUInt16BE() === 12) maps.push((letter) => isInGroups(map, letter));
    if (map.readUInt16BE() === 4) maps.push((letter) => isInSegments(map, letter));
  }
  return (letter) => maps.some((has) => has(letter));
}

function isInGroups(map: Buffer, letter: number): boolean {
  for (let at = 16; at + 12 <= map.length && at < 16 + map.readUInt32BE(12) * 12; at += 12) {
    if (letter <= map.readUInt32BE(at + 4)) return letter >= map.readUInt32BE(at);
  }
  return false;
}

function isInSegments(map: Buffer, letter: number): boolean {
  const bytes = map.readUInt16BE(6);
  for (let at = 14; at < 14 + bytes; at += 2) {
    if (letter > map.readUInt16BE(at)) continue;
    const [start, delta] = [map.readUInt16BE(at + bytes + 2), map.readUInt16BE(at + bytes * 2 + 2)];
    if (letter < start) return false;
    const rangeAt = at + bytes * 3 + 2;
    const range = map.readUInt16BE(rangeAt);
    if (range === 0) return ((letter + delta) & 0xffff) !== 0;
    return map.readUInt16BE(rangeAt + range + (letter - start) * 2) !== 0;
  }
  return false;
}
