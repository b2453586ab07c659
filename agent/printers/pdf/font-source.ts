import { readFileSync } from 'node:fs';
import type { FontFace } from '../fonts/font-file.js';
import type { Pdfium } from './pdfium.js';
import type { SystemFonts } from '../fonts/system-fonts.js';

/** PDFium has these itself, with the letters of Western Europe. */
export const STANDARD_FONT = /^(Courier|Helvetica|Times)(-|$)/;
const PRIVATE_AREA = 0xf000;
/** Asks for the whole file, if it is a collection. */
const COLLECTION = 0x74746366;

/** Where FPDF_SYSFONTINFO (fpdf_sysfontinfo.h) has its functions, in words of 32 bits. */
const Slot = { enumFonts: 2, mapFont: 3, getFont: 4, getFontData: 5, getFaceName: 6, deleteFont: 8 } as const;

/** The part of WebAssembly that is needed; Node's types leave it to those of browsers. */
interface WasmTable {
  set(index: number, call: unknown): void;
}
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object;
    Instance: new (module: object, imports: object) => { exports: { call: unknown } };
  };
};

/** Gives an instance of PDFium the fonts of this computer that a document does not embed. */
export class FontSource {
  /** PDFium asks for one more font when one lacks letters. It gets the one with most of these. */
  letters: ReadonlySet<number> = new Set();
  /** The page has letters that it leaves to other fonts than those that every printer has. */
  areNeeded = false;
  private readonly given: FontFace[] = [];
  private content: { face: FontFace; bytes: Buffer } | undefined;

  constructor(
    private readonly pdfium: Pdfium,
    private readonly system: SystemFonts,
  ) {
    this.attach();
  }

  /**
   * Replaces the functions of PDFium's own source, which finds no files: its table of functions cannot grow, and
   * nothing else calls these.
   */
  private attach(): void {
    const { pdfium } = this;
    const info = pdfium._FPDF_GetDefaultSystemFontInfo();
    const { __indirect_function_table: table } = pdfium.wasmExports as unknown as Record<string, WasmTable>;
    const replace = (slot: number, parameters: number, call: (...args: number[]) => number | void): void =>
      table?.set(pdfium.HEAP32[info / 4 + slot] ?? 0, wasmCall(parameters, call, slot));
    replace(Slot.enumFonts, 2, () => undefined);
    replace(Slot.mapFont, 7, (_, weight, italic, __, ___, name) => this.find(weight, italic !== 0, name));
    replace(Slot.getFont, 2, () => 0);
    replace(Slot.getFontData, 5, (_, font, table, buffer, size) => this.copyData(font, table, buffer, size));
    replace(Slot.getFaceName, 4, (_, font, buffer, size) => this.copyName(font, buffer, size));
    replace(Slot.deleteFont, 2, () => undefined);
    pdfium._FPDF_SetSystemFontInfo(info);
  }

  /** Whether no font of this computer stands in for a font with this much data, or one of those given has the letter. */
  mayHave(letter: number, size: number): boolean {
    const isGiven = this.given.some((face) => face.size === size);
    // Fonts of symbols have theirs in the private area.
    return (
      !isGiven || this.given.some((face) => face.has(letter) || face.has(PRIVATE_AREA + (letter & 0xff)))
    );
  }

  /** A number for the font, or 0 for one of PDFium's own. */
  private find(weight = 0, isItalic: boolean, name = 0): number {
    const { letters, system, pdfium } = this;
    const wanted = Buffer.from(pdfium.HEAPU8.subarray(name, pdfium.HEAPU8.indexOf(0, name))).toString(
      'latin1',
    );
    const named = STANDARD_FONT.test(wanted) ? undefined : system.named(wanted, weight, isItalic);
    const face = named ?? (letters.size === 0 ? undefined : system.covering(letters, weight, isItalic));
    if (!face) return 0;
    const index = this.given.indexOf(face);
    return index < 0 ? this.given.push(face) : index + 1;
  }

  /** Returns the number of bytes. A collection is given from its face on, by which PDFium finds the face. */
  private copyData(font = 0, table = 0, buffer = 0, size = 0): number {
    const face = this.given[font - 1];
    if (!face || (table === COLLECTION && !face.isInCollection)) return 0;
    const bytes = table === 0 || table === COLLECTION ? this.bytesOf(face) : face.table(tagOf(table));
    const asked = table === 0 ? bytes.subarray(face.start) : bytes;
    if (buffer !== 0) this.pdfium.HEAPU8.set(asked.subarray(0, size), buffer);
    return asked.length;
  }

  /** PDFium keeps fonts by this name. */
  private copyName(font = 0, buffer = 0, size = 0): number {
    const name = Buffer.from(`font ${font}\0`);
    if (buffer !== 0 && size >= name.length) this.pdfium.HEAPU8.set(name, buffer);
    return name.length;
  }

  private bytesOf(face: FontFace): Buffer {
    if (this.content?.face !== face) this.content = { face, bytes: readFileSync(face.file) };
    return this.content.bytes;
  }
}

function tagOf(table: number): string {
  const tag = Buffer.alloc(4);
  tag.writeUInt32BE(table);
  return tag.toString('latin1');
}

/** A function of WebAssembly that calls one of JavaScript: a module that imports it and exports it again. */
function wasmCall(parameters: number, call: (...args: number[]) => number | void, slot: number): unknown {
  const hasResult = slot !== Slot.enumFonts && slot !== Slot.deleteFont;
  const I32 = 0x7f;
  const type = [0x60, parameters, ...Array<number>(parameters).fill(I32), ...(hasResult ? [1, I32] : [0])];
  const bytes = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 1 + type.length, 1, ...type],
    ...[2, 7, 1, 1, 0x65, 1, 0x66, 0, 0], // imports e.f
    ...[7, 8, 1, 4, ...Buffer.from('call'), 0, 0],
  ];
  return new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes)), { e: { f: call } }).exports
    .call;
}
