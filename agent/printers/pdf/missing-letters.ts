import { STANDARD_FONT, type FontSource } from './font-source.js';
import { widenTexts } from './hidden-text.js';
import type { Pdfium } from './pdfium.js';

/** Text that is not shown, as that of scanned pages. */
const INVISIBLE = 3;
const CLIP = 7;
const TEXT_OBJECT = 1;
/** FPDF_FORMFIELD_*: combination box, list box and text field. */
const FIELDS_WITH_TEXT = [4, 5, 6];
const MAX_NAME = 64;
/** Characters without ink. */
const BLANK = /^[\p{Cc}\p{Cf}\p{Cs}\p{Z}\u{fffe}\u{ffff}\u{115f}\u{1160}\u{2800}\u{3164}\u{ffa0}]$/u;
const MAX_LETTER = 0x10ffff;
const HALF = /^[\u{d800}-\u{dbff}]$/u;
const ANY_SIZE = 10;
/** Every font has these. A glyph for two of them, as ﬁ, need not have each. */
const LAST_ASCII = 0x7e;
const LAST_LATIN_1 = 0xff;
/** Of WinAnsiEncoding (ISO 32000, annex D), beside Latin-1: all printers have them in the standard fonts. */
const WESTERN = lettersOf('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');
const SYMBOL_FONT = /^(Symbol|ZapfDingbats)$/;

interface FontUse {
  /** Fonts that the document does not embed. */
  readonly used: readonly number[];
  readonly letters: Set<number>;
  /** Glyphs by number, of which the document does not tell the letter. */
  isUnknown: boolean;
}

/** A letter without ink; undefined if the document does not tell which. */
export interface MissingLetter {
  readonly letter: number | undefined;
  readonly font: string;
}

/**
 * Looks for a letter of an open page, also in its fields, that no font has. Fonts are found by it, and it leaves all
 * letters of fonts that are not embedded in `fonts.letters`, and whether any is needed in `fonts.areNeeded`: draw the page before it is closed.
 */
export function missingLetter(
  pdfium: Pdfium,
  fonts: FontSource,
  form: number,
  page: number,
): MissingLetter | undefined {
  const all = new Set<number>();
  let missing: MissingLetter | undefined;
  fonts.areNeeded = false;
  for (const { letters, isUnknown, used } of [
    ...usesInText(pdfium, page),
    ...usesInFields(pdfium, form, page),
  ]) {
    fonts.letters = letters;
    const names = used.map((font) => nameOf(pdfium, font));
    const isOfEveryPrinter =
      names.every((name) => SYMBOL_FONT.test(name)) ||
      (names.every((name) => STANDARD_FONT.test(name)) &&
        [...letters].every((letter) => letter <= LAST_LATIN_1 || WESTERN.has(letter)));
    fonts.areNeeded ||= letters.size > 0 && !isOfEveryPrinter;
    const sizes = used.map((font) => sizeOf(pdfium, font));
    const hasInk = (letter: number): boolean =>
      letter <= LAST_ASCII ||
      used.some(
        (font, index) =>
          pdfium._FPDFFont_GetGlyphPath(font, letter, ANY_SIZE) !== 0 &&
          // The path may be that of a box.
          fonts.mayHave(letter, sizes[index] ?? 0),
      );
    for (const letter of letters) {
      all.add(letter);
      if (!hasInk(letter)) missing ??= { letter, font: nameOf(pdfium, used[0] ?? 0) };
    }
    if (isUnknown) missing ??= { letter: undefined, font: nameOf(pdfium, used[0] ?? 0) };
  }
  fonts.letters = all;
  return missing;
}

/** With the letters that the page shows in each. */
function usesInText(pdfium: Pdfium, page: number): Iterable<FontUse> {
  const fonts = new Map<number, FontUse>();
  let pair = '';
  const restore = widenTexts(pdfium, page);
  const text = pdfium._FPDFText_LoadPage(page);
  let lastObject = 0;
  let use: FontUse | undefined;
  for (let index = 0; index < pdfium._FPDFText_CountChars(text); index++) {
    const object = pdfium._FPDFText_GetTextObject(text, index);
    if (object !== lastObject) use = fontUse(pdfium, object, fonts);
    lastObject = object;
    if (!use) continue;
    if (pdfium._FPDFText_HasUnicodeMapError(text, index) === 1) use.isUnknown = true;
    const letter = pdfium._FPDFText_GetUnicode(text, index);
    // Letters beyond 16 bits come in two halves.
    pair += letter <= MAX_LETTER ? String.fromCodePoint(letter) : '';
    if (HALF.test(pair)) continue;
    for (const whole of lettersOf(pair)) use.letters.add(whole);
    pair = '';
  }
  pdfium._FPDFText_ClosePage(text);
  restore();
  return fonts.values();
}

function fontUse(pdfium: Pdfium, object: number, fonts: Map<number, FontUse>): FontUse | undefined {
  if (object === 0 || [INVISIBLE, CLIP].includes(pdfium._FPDFTextObj_GetTextRenderMode(object)))
    return undefined;
  const font = pdfium._FPDFTextObj_GetFont(object);
  if (font === 0 || pdfium._FPDFFont_GetIsEmbedded(font) !== 0) return undefined;
  const use = fonts.get(font) ?? { used: [font], letters: new Set(), isUnknown: false };
  fonts.set(font, use);
  return use;
}

function usesInFields(pdfium: Pdfium, form: number, page: number): FontUse[] {
  const uses: FontUse[] = [];
  for (let index = 0; index < pdfium._FPDFPage_GetAnnotCount(page); index++) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, index);
    if (FIELDS_WITH_TEXT.includes(pdfium._FPDFAnnot_GetFormFieldType(form, annotation))) {
      const letters = lettersOf(valueOf(pdfium, form, annotation));
      const used = fontsOfField(pdfium, annotation);
      if (used.length > 0) uses.push({ letters, used, isUnknown: false });
    }
    pdfium._FPDFPage_CloseAnnot(annotation);
  }
  return uses;
}

/** Those of its appearance; none if the document embeds one of them. */
function fontsOfField(pdfium: Pdfium, annotation: number): number[] {
  const fonts: number[] = [];
  for (let index = 0; index < pdfium._FPDFAnnot_GetObjectCount(annotation); index++) {
    const object = pdfium._FPDFAnnot_GetObject(annotation, index);
    if (pdfium._FPDFPageObj_GetType(object) !== TEXT_OBJECT) continue;
    const font = pdfium._FPDFTextObj_GetFont(object);
    if (pdfium._FPDFFont_GetIsEmbedded(font) !== 0) return [];
    fonts.push(font);
  }
  return fonts;
}

function valueOf(pdfium: Pdfium, form: number, annotation: number): string {
  return filled(pdfium, (buffer, size) =>
    pdfium._FPDFAnnot_GetFormFieldValue(form, annotation, buffer, size),
  ).toString('utf16le');
}

function nameOf(pdfium: Pdfium, font: number): string {
  const name = filled(pdfium, (buffer, size) => pdfium._FPDFFont_GetBaseFontName(font, buffer, size));
  return name
    .toString('latin1')
    .replaceAll(/[^!-~]/g, '')
    .slice(0, MAX_NAME);
}

/** Bytes of the font that stands in for one. */
function sizeOf(pdfium: Pdfium, font: number): number {
  const size = pdfium.wasmExports.malloc(8);
  pdfium._FPDFFont_GetFontData(font, 0, 0, size);
  const bytes = pdfium.HEAP32[size / 4] ?? 0;
  pdfium.wasmExports.free(size);
  return bytes;
}

/** What a function writes into a buffer, of whose size it tells the bytes. */
function filled(pdfium: Pdfium, fill: (buffer: number, size: number) => number): Buffer {
  const size = fill(0, 0);
  const buffer = pdfium.wasmExports.malloc(size + 1);
  if (buffer === 0) throw new Error('no memory for a text');
  fill(buffer, size);
  const bytes = Buffer.from(pdfium.HEAPU8.slice(buffer, buffer + size));
  pdfium.wasmExports.free(buffer);
  return bytes;
}

function lettersOf(text: string): Set<number> {
  return new Set(
    [...text].flatMap((character) => (BLANK.test(character) ? [] : [character.codePointAt(0) ?? 0])),
  );
}
