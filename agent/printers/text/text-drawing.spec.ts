import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DrawnSheet, sheetOf } from '../../../test/kit/drawn-sheet.js';
import { collectionOf, FONT_FILE, FONT_FOLDER, fontsMissing } from '../../../test/kit/sample-fonts.js';
import { RECEIPTS } from '../../../test/kit/receipts.js';
import { bandsOf, placementOf } from '../pdf/page-layout.js';
import { PdfDocument } from '../pdf/pdf-renderer.js';
import { SystemFonts } from '../fonts/system-fonts.js';
import { textPdf } from './text-pages.js';

const DPI = 120;
const COLUMN = DPI / 10;
const LINE = DPI / 6;
const COLUMNS = 80;
const NO_MARGINS = { top: 0, right: 0, bottom: 0, left: 0 };
const OWN = new SystemFonts();

async function draw(text: string, fonts: SystemFonts): Promise<DrawnSheet> {
  const pdf = await textPdf(Buffer.from(text), { width: 576, height: 792, margins: NO_MARGINS }, fonts);
  const page = (await PdfDocument.open(pdf)).openPage(0);
  const sheet = sheetOf([8, 11], DPI, 0);
  const placement = placementOf(page.size, sheet);
  const strips = [...bandsOf(placement)].flatMap((band) => page.draw(placement, band));
  page.close();
  return new DrawnSheet(sheet, strips);
}

function hasInk(drawn: DrawnSheet, column: number, row: number): boolean {
  for (let y = row * LINE; y < (row + 1) * LINE; y++)
    for (let x = column * COLUMN; x < (column + 1) * COLUMN; x++)
      if (drawn.at(x, y) !== 0xffffff) return true;
  return false;
}

/** Every second column of a line has a letter, and the one after it is free. */
async function undrawn(letters: readonly string[], fonts: SystemFonts): Promise<string[]> {
  const perLine = COLUMNS / 2;
  const lines = Array.from({ length: Math.ceil(letters.length / perLine) }, (_, row) =>
    letters.slice(row * perLine, (row + 1) * perLine).join(' '),
  );
  const drawn = await draw(lines.join('\n'), fonts);
  return letters.filter((_, index) => !hasInk(drawn, (index % perLine) * 2, Math.floor(index / perLine)));
}

describe('letters of drawn text', () => {
  const own = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Sc}\p{P}\p{N}]$/u;
  const letters = [...new Set(RECEIPTS.flatMap(([, , text]) => [...text]))].filter((one) => own.test(one));

  it('are all drawn, each in its column', async () => {
    expect(letters.length).toBeGreaterThan(150);
    // Vietnamese and wide letters come from other fonts.
    const narrow = letters.filter((letter) => !/[\uff00-\uffef\u3000-\u30ff\u1ea0-\u1ef9]/.test(letter));
    expect(await undrawn(narrow, OWN)).toEqual([]);
  });

  it('leave the columns of blanks free', async () => {
    const drawn = await draw('x x', OWN);
    expect([0, 1, 2].map((column) => hasInk(drawn, column, 0))).toEqual([true, false, true]);
  });

  it('begin at the right edge in Arabic lines', async () => {
    const drawn = await draw('مرحبا', OWN);
    expect([0, COLUMNS - 5, COLUMNS - 1].map((column) => hasInk(drawn, column, 0))).toEqual([
      false,
      true,
      true,
    ]);
  });

  const missing = fontsMissing();
  const withFonts = missing ? it.skip : it;
  withFonts(`come from the fonts of this computer${missing ? `: ${missing}` : ''}`, async () => {
    const drawn = await draw('שלום', new SystemFonts([FONT_FOLDER]));
    const columns = [5, 4, 3, 2, 1].map((column) => hasInk(drawn, COLUMNS - column, 0));
    expect(columns).toEqual([false, true, true, true, true]);
  });

  withFonts('come also from a collection of fonts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fonts-'));
    try {
      writeFileSync(join(folder, 'both.ttc'), collectionOf(FONT_FILE));
      expect(hasInk(await draw('ש', new SystemFonts([folder])), COLUMNS - 1, 0)).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
