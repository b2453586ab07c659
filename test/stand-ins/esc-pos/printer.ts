import { TABLES } from './code-pages.js';

const LF = 0x0a;
const CR = 0x0d;
const ESC = 0x1b;
const FS = 0x1c;
const GS = 0x1d;
const COLUMNS = 48;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60\uffe0-\uffe6]$/u;

type Mode = 'single' | 'double' | 'utf-8';

/** A receipt printer that understands ESC/POS: it decodes text by the code page that was selected. */
export class EscPosPrinter {
  /** One glyph a cell; the second cell of a wide glyph is empty. */
  private readonly grid: string[][] = [[]];
  /** Number of lines above each cut. */
  readonly cuts: number[] = [];
  private table = 0;
  private mode: Mode = 'single';

  /** @param doubleBytes what its character generator of the Far East holds */
  constructor(private readonly doubleBytes?: 'shift_jis' | 'gb18030') {}

  /** Lines that were printed, without the one that waits for its end. */
  get lines(): string[] {
    return this.grid.slice(0, -1).map((cells) => cells.join(''));
  }

  /** Throws an error for a command that it does not know. */
  print(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += this.step(bytes.subarray(at));
  }

  /** Returns the number of bytes that it took. */
  private step(bytes: Uint8Array): number {
    switch (bytes[0]) {
      case LF:
        return this.grid.push([]) && 1;
      case CR:
        return 1; // As with the factory setting: no line feed.
      case ESC:
      case FS:
      case GS:
        return this.command(bytes);
      default:
        return this.letter(bytes);
    }
  }

  private command(bytes: Uint8Array): number {
    const [name = 0, code = 0, first = 0, second = 0] = bytes;
    switch (`${name} ${String.fromCharCode(code)}`) {
      case `${ESC} @`:
        return this.reset();
      case `${ESC} t`:
        if (!(first in TABLES)) throw new Error(`no table ${first}`);
        this.table = first;
        return 3;
      case `${FS} .`:
        return this.into('single', 2);
      case `${FS} &`:
        return this.into('double', 2);
      case `${FS} C`:
        if (this.doubleBytes !== 'shift_jis' || first !== 1) throw new Error(`no system ${first}`);
        return 3;
      case `${FS} (`:
        if (Buffer.compare(bytes.subarray(2, 7), Uint8Array.of(0x43, 2, 0, 48, 2)) !== 0)
          throw new Error('no such encoding');
        return this.into('utf-8', 7);
      case `${GS} V`:
        if (first !== 66) throw new Error(`no cut ${first}`);
        if (this.grid.at(-1)?.length !== 0) throw new Error('cut within a line');
        this.cuts.push(this.lines.length);
        return second === 0 ? 4 : 4 + second;
      default:
        throw new Error(`no command ${name.toString(16)} ${code.toString(16)}`);
    }
  }

  private reset(): number {
    this.table = 0;
    return this.into(this.doubleBytes ? 'double' : 'single', 2);
  }

  private into(mode: Mode, taken: number): number {
    this.mode = mode;
    return taken;
  }

  private letter(bytes: Uint8Array): number {
    const [first = 0] = bytes;
    if (first < 0x80) return this.put(String.fromCharCode(first), 1);
    if (this.mode === 'single') return this.put(TABLES[this.table]?.[first - 128] ?? '', 1);
    const decoder = new TextDecoder(this.mode === 'utf-8' ? 'utf-8' : this.doubleBytes);
    const lengths = this.mode === 'utf-8' ? [2, 3, 4] : [1, 2, 4];
    const length = lengths.find(
      (count) =>
        [...decoder.decode(bytes.subarray(0, count))].length === 1 &&
        !decoder.decode(bytes.subarray(0, count)).includes('\ufffd'),
    );
    if (length === undefined) throw new Error('no such glyph');
    return this.put(decoder.decode(bytes.subarray(0, length)), length);
  }

  private put(glyph: string, taken: number): number {
    const cells = WIDE.test(glyph) ? [glyph, ''] : [glyph];
    if (this.grid.at(-1)!.length + cells.length > COLUMNS) this.grid.push([]);
    this.grid.at(-1)!.push(...cells);
    return taken;
  }
}
