import { setImmediate as turn } from 'node:timers/promises';
import type { PDFDocument } from 'pdf-lib';
import { NotSubmitted } from '../provider.js';
import type { SystemFonts } from '../fonts/system-fonts.js';
import { composed } from './letters.js';
import { fontsFor, type LetterFont } from './text-fonts.js';
import { isFromRight, pagesOf, runsOf } from './text-lines.js';

/** In points. */
const INCH = 72;
/** Ten characters and six lines an inch, as printers set raw text. */
const FONT_SIZE = 12;
const COLUMN = INCH / 10;
const LINE = INCH / 6;
const MAX_PAGES = 5000;
const PAGES_PER_TURN = 20;

/** A page in points. Nothing is drawn in its margins. */
export interface TextPage {
  readonly width: number;
  readonly height: number;
  readonly margins: {
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
    readonly left: number;
  };
}

/**
 * Sets UTF-8 text in a font of equal widths, as a PDF.
 * @param moved is called again and again meanwhile; other work gets its turn then
 * @throws NotSubmitted, permanent: `GLYPH_MISSING` for a letter that no font has, `RENDER_FAILED` for too many pages
 */
export async function textPdf(
  bytes: Uint8Array,
  page: TextPage,
  fonts: SystemFonts,
  moved: () => void = () => undefined,
): Promise<Uint8Array> {
  const text = composed(new TextDecoder().decode(bytes)).replaceAll(/\r\n?/g, '\n');
  const [columns, rows] = gridOf(page);
  const giveWay = async (): Promise<void> => {
    moved();
    await turn();
  };
  let count = 0;
  for (const _ of pagesOf(text, columns, rows)) {
    if (++count > MAX_PAGES)
      throw new NotSubmitted('RENDER_FAILED', `the text has more than ${MAX_PAGES} pages`, 'permanent');
    if (count % PAGES_PER_TURN === 0) await giveWay();
  }
  const { PDFDocument } = await import('pdf-lib'); // Loaded by the first such document.
  const document = await PDFDocument.create();
  const fontOf = await fontsFor(text, document, fonts, giveWay);
  for (const lines of pagesOf(text, columns, rows)) {
    addPage(document, page, lines, columns, fontOf);
    await giveWay();
  }
  return document.save();
}

/** At least one column and one row: a smaller area shows a part of each character. */
function gridOf({ width, height, margins }: TextPage): [columns: number, rows: number] {
  const [across, down] = [width - margins.left - margins.right, height - margins.top - margins.bottom];
  return [Math.max(1, Math.floor(across / COLUMN)), Math.max(1, Math.floor(down / LINE))];
}

/** Writes operators itself: those of pdf-lib take a hundred times the memory. */
function addPage(
  document: PDFDocument,
  { width, height, margins }: TextPage,
  lines: readonly string[],
  columns: number,
  fontOf: (letter: string) => LetterFont,
): void {
  const page = document.addPage([width, height]);
  const names = new Map<LetterFont, string>();
  const nameOf = (font: LetterFont): string => {
    const { name, ref } = font.embedded;
    const known = names.get(font) ?? String(page.node.newFontDictionary(name, ref));
    names.set(font, known);
    return known;
  };
  const operators = lines.flatMap((line, row) => {
    const runs = runsOf(line, fontOf);
    const used = runs.reduce((sum, run) => sum + run.columns, 0);
    let column = isFromRight(line) ? columns - used : 0;
    return runs.map((run) => {
      const { hex, width: natural } = run.font.glyphs(run.text, run.isReversed);
      const [free, taken] = [run.columns * COLUMN, natural * FONT_SIZE];
      const percent = taken > free && free > 0 ? (100 * free) / taken : 100;
      const x = margins.left + column * COLUMN + (run.isReversed ? Math.max(0, free - taken) : 0);
      const y = height - margins.top - (row + 0.8) * LINE;
      column += run.columns;
      return `BT ${nameOf(run.font)} ${FONT_SIZE} Tf ${percent} Tz ${x} ${y} Td <${hex}> Tj ET`;
    });
  });
  const { context } = document;
  page.node.addContentStream(context.register(context.flateStream(operators.join('\n'))));
}
