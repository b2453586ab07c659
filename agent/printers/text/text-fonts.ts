import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Font as FontkitFont } from '@pdf-lib/fontkit';
import type { PDFDocument, PDFFont } from 'pdf-lib';
import { NotSubmitted } from '../provider.js';
import type { FontFace } from '../fonts/font-file.js';
import type { SystemFonts } from '../fonts/system-fonts.js';
import { unpackedFont } from '../fonts/woff.js';
import { letterName, others } from './letters.js';

type Fontkit = typeof import('@pdf-lib/fontkit');

/** DejaVu Sans Mono: Latin without Vietnamese, Greek, Cyrillic, Arabic and line drawing. */
const FONT = createRequire(import.meta.url).resolve(
  '@fontsource/dejavu-mono/files/dejavu-mono-latin-400-normal.woff',
);
const NORMAL_WEIGHT = 400;
const HAS_INK = /^[^\p{Z}\p{Cf}\u{2800}\u{3164}]$/u;
/** Characters that are not drawn: formatting, and those that place others. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\t\n\f]$/u;
/** Text that looks the same letter by letter; the other scripts join letters or change their order. */
const SEPARATE =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Armenian}\p{Script=Georgian}]*$/u;

/** A font that is embedded in a document, with the letters that are drawn. */
export class LetterFont {
  private readonly glyphsOf = new Map<string, Glyphs>();

  constructor(
    readonly embedded: PDFFont,
    private readonly font: FontkitFont,
  ) {}

  has(letter: string): boolean {
    const code = letter.codePointAt(0) ?? 0;
    if (!this.font.hasGlyphForCodePoint(code)) return false;
    // Fonts of coloured pictures have letters without outlines.
    return !HAS_INK.test(letter) || this.font.glyphForCodePoint(code).path.toSVG() !== '';
  }

  /**
   * Text as the content of a page names its glyphs, from left to right, and its width at the size 1.
   * @param isReversed for text that is read from right to left
   */
  glyphs(text: string, isReversed: boolean): Glyphs {
    const letters = [...text].filter((letter) => !INVISIBLE.test(letter) || this.has(letter));
    if (!SEPARATE.test(text)) return this.shaped(letters.join(''));
    const codes = (isReversed ? letters.reverse() : letters).map((letter) => this.shaped(letter));
    return {
      hex: codes.map(({ hex }) => hex).join(''),
      width: codes.reduce((sum, { width }) => sum + width, 0),
    };
  }

  private shaped(text: string): Glyphs {
    const known = this.glyphsOf.get(text);
    if (known) return known;
    const hex = this.embedded.encodeText(text).asString();
    const glyphs = { hex, width: this.embedded.widthOfTextAtSize(text, 1) };
    if (text.length <= 2) this.glyphsOf.set(text, glyphs);
    return glyphs;
  }
}

interface Glyphs {
  readonly hex: string;
  readonly width: number;
}

/** Letters for which a font is looked up at once, before other work gets its turn. */
const LETTERS_PER_TURN = 500;

/**
 * Embeds the fonts that a text needs: the Agent's own, and those of this computer for its other letters.
 * @returns the font of each letter of the text
 * @throws NotSubmitted `GLYPH_MISSING`, permanent, for a letter that no font has
 */
export async function fontsFor(
  text: string,
  document: PDFDocument,
  system: SystemFonts,
  giveWay: () => Promise<void>,
): Promise<(letter: string) => LetterFont> {
  const { default: fontkit } = await import('@pdf-lib/fontkit'); // Loaded by the first such document.
  const own = await embed(document, fontkit.create(unpackedFont(await readFile(FONT))));
  const fonts = new Map<string, LetterFont>();
  const drawn = [...new Set(text)].filter((letter) => !INVISIBLE.test(letter));
  let missing = await lacking(own, drawn, giveWay);
  while (missing.size > 0) {
    const some = [...missing].slice(0, LETTERS_PER_TURN);
    const face = system.covering(codesOf(some), NORMAL_WEIGHT, false);
    const font = face && (await embed(document, await opened(face, fontkit)));
    const left = font ? await lacking(font, missing, giveWay) : missing;
    for (const letter of missing) if (font && !left.has(letter)) fonts.set(letter, font);
    if (some.every((letter) => left.has(letter))) throw noFontFor(text, new Set(some));
    missing = left;
  }
  return (letter) => fonts.get(letter) ?? own;
}

async function lacking(
  font: LetterFont,
  letters: Iterable<string>,
  giveWay: () => Promise<void>,
): Promise<Set<string>> {
  const left = new Set<string>();
  let count = 0;
  for (const letter of letters) {
    if (!font.has(letter)) left.add(letter);
    if (++count % LETTERS_PER_TURN === 0) await giveWay();
  }
  return left;
}

async function embed(document: PDFDocument, font: FontkitFont): Promise<LetterFont> {
  document.registerFontkit({ create: () => font } as unknown as Fontkit);
  return new LetterFont(await document.embedFont(new Uint8Array(), { subset: true }), font);
}

async function opened(face: FontFace, fontkit: Fontkit): Promise<FontkitFont> {
  const file = fontkit.create(await readFile(face.file)) as FontkitFont & Partial<Collection>;
  if (!face.isInCollection || !file.fonts || !file.header) return file;
  return file.fonts[file.header.offsets.indexOf(face.start)] ?? file;
}

/** A file with several faces; the package's types leave it out. */
interface Collection {
  readonly header: { readonly offsets: readonly number[] };
  readonly fonts: readonly FontkitFont[];
}

function codesOf(letters: readonly string[]): ReadonlySet<number> {
  return new Set(letters.map((letter) => letter.codePointAt(0) ?? 0));
}

function noFontFor(text: string, missing: ReadonlySet<string>): NotSubmitted {
  const letter = [...text].find((one) => missing.has(one)) ?? '';
  const line = text.slice(0, text.indexOf(letter)).split('\n').length;
  const message = `no font of this computer has ${letterName(letter)} in line ${line}${others(missing.size - 1)}`;
  return new NotSubmitted('GLYPH_MISSING', message, 'permanent');
}
