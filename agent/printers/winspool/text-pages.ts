import { NotSubmitted } from '../provider.js';
import { POINTS_PER_INCH, type Sheet } from './page-layout.js';

/** Courier at ten characters and six lines an inch, as printers set raw text. */
const FONT_SIZE = 12;
const COLUMN = POINTS_PER_INCH / 10;
const LINE = POINTS_PER_INCH / 6;
const TAB = 8;

/** Characters that place others. */
const LAYOUT = new Set([...'\t\n\r\f'].map((character) => character.charCodeAt(0)));

/** @throws NotSubmitted (permanent) for a character that the font lacks: it has those of Windows-1252 */
async function assertTextCanBeDrawn(text: Uint8Array): Promise<void> {
  const { font } = await newDocument();
  const known = new Set(font.getCharacterSet());
  for (const character of new TextDecoder().decode(text)) {
    const code = character.codePointAt(0) ?? 0;
    if (known.has(code) || LAYOUT.has(code)) continue;
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    throw new NotSubmitted('CONTENT_TYPE_NOT_SUPPORTED', `cannot draw the character ${name}`, 'permanent');
  }
}

/**
 * Sets UTF-8 text in Courier, as a PDF whose pages have the size of the printable area.
 * @throws NotSubmitted as `assertTextCanBeDrawn`
 */
export async function textPdf(text: Uint8Array, { printable, dpiX, dpiY }: Sheet): Promise<Uint8Array> {
  await assertTextCanBeDrawn(text);
  const size: [number, number] = [
    (printable.width / dpiX) * POINTS_PER_INCH,
    (printable.height / dpiY) * POINTS_PER_INCH,
  ];
  const { document, font } = await newDocument();
  for (const lines of pagesOf(new TextDecoder().decode(text), ...gridOf(size))) {
    const page = document.addPage(size);
    for (const [index, line] of lines.entries()) {
      page.drawText(line, { x: 0, y: size[1] - (index + 0.8) * LINE, size: FONT_SIZE, font });
    }
  }
  return document.save();
}

/** Cuts text into pages of lines: at line ends, form feeds, and where a line or page is full. */
export function pagesOf(text: string, columns: number, rows: number): string[][] {
  return text
    .replace(/\r\n?/g, '\n')
    .split('\f')
    .flatMap((part) => {
      // The end of the last line begins no other one.
      const lines = part.replace(/\n$/, '').split('\n');
      return chunks(
        lines.flatMap((line) => chunks([...expanded(line)], columns).map((piece) => piece.join(''))),
        rows,
      );
    });
}

/** At least one column and one row: a smaller area shows a part of each character. */
function gridOf([width, height]: [number, number]): [columns: number, rows: number] {
  return [Math.max(1, Math.floor(width / COLUMN)), Math.max(1, Math.floor(height / LINE))];
}

function expanded(line: string): string {
  let column = 0;
  return [...line]
    .map((character) => {
      const shown = character === '\t' ? ' '.repeat(TAB - (column % TAB)) : character;
      column += character === '\t' ? shown.length : 1;
      return shown;
    })
    .join('');
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const count = Math.max(1, Math.ceil(items.length / size));
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Loads the library for the first such document only. */
async function newDocument() {
  const { PDFDocument, StandardFonts } = await import('pdf-lib');
  const document = await PDFDocument.create();
  return { document, font: await document.embedFont(StandardFonts.Courier) };
}
