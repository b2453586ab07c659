import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DrawnSheet, sheetOf } from '../../../test/kit/drawn-sheet.js';
import {
  collectionOf,
  FONT_FILE,
  FONT_FOLDER,
  fontsMissing,
  unembeddedPdf,
  type FontForm,
} from '../../../test/kit/sample-fonts.js';
import { bandsOf, placementOf } from '../pdf/page-layout.js';
import { PdfDocument } from '../pdf/pdf-renderer.js';
import { SystemFonts } from './system-fonts.js';
import { describeUnless } from '../../../test/kit/describe-unless.js';

const NONE = new SystemFonts([]);

async function inkWidth(pdf: Buffer, fonts: SystemFonts): Promise<number> {
  const sheet = sheetOf([300 / 72, 200 / 72], 100, 0);
  const page = (await PdfDocument.open(pdf, fonts)).openPage(0);
  const placement = placementOf(page.size, sheet);
  const strips = [...bandsOf(placement)].flatMap((band) => page.draw(placement, band));
  page.close();
  return new DrawnSheet(sheet, strips).ink().width;
}

const missing = (text: string) => ({
  ...{ name: 'NotSubmitted', failureCode: 'GLYPH_MISSING', failureClass: 'permanent' },
  message: expect.stringContaining(text),
});

describe('letters of fonts that a document does not embed', () => {
  it.each<[string, FontForm]>([
    ['Helvetica', 'Type1'],
    ['Calibri', 'TrueType'],
    ['ArialMT', 'TrueType'],
    ['Foo-Sans', 'CID'],
  ])('are those of PDFium for Western Europe (%s)', async (name, form) => {
    expect(await inkWidth(await unembeddedPdf(name, form, 'Aéß€'), NONE)).toBeGreaterThan(50);
  });

  it.each<[string, FontForm]>([
    ['Helvetica', 'Type1'],
    ['Calibri', 'TrueType'],
    ['Foo-Sans', 'CID'],
  ])('refuse the document if no font has them (%s)', async (name, form) => {
    const refused = inkWidth(await unembeddedPdf(name, form, 'AЖ'), NONE);
    await expect(refused).rejects.toMatchObject(
      missing(`page 1 has the letter Ж (U+0416) in the font ${name}`),
    );
  });

  it('are not lost if one stands alone, and a space is none', async () => {
    const refused = inkWidth(await unembeddedPdf('Foo-Sans', 'CID', '中'), NONE);
    await expect(refused).rejects.toMatchObject(missing('the letter 中 (U+4E2D)'));
    expect(await inkWidth(await unembeddedPdf('Foo-Sans', 'CID', ' '), NONE)).toBeLessThan(0);
  });

  it('refuse the document if it does not tell them', async () => {
    const refused = inkWidth(await unembeddedPdf('Foo-Sans', 'CID without letters', 'A'), NONE);
    await expect(refused).rejects.toMatchObject(missing('page 1 has letters of the font Foo-Sans'));
  });

  it('may be missing in text that is not shown', async () => {
    const pdf = await unembeddedPdf('Helvetica', 'Type1', '中', '3 Tr');
    expect(await inkWidth(pdf, NONE)).toBeLessThan(0);
  });
});

describe('the folders of fonts', () => {
  it('may be absent', () => {
    expect(new SystemFonts(['/no/such/folder']).named('Arial', 400, false)).toBeUndefined();
  });
});

describeUnless(fontsMissing(), 'the fonts of this computer', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'fonts-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const system = new SystemFonts([FONT_FOLDER]);

  it.each<[string, FontForm]>([
    ['Helvetica', 'Type1'],
    ['Courier-Bold', 'Type1'],
    ['Calibri', 'TrueType'],
    ['DejaVuSans', 'TrueType'],
    ['Foo-Sans', 'CID'],
  ])('have the letters that PDFium lacks (%s)', async (name, form) => {
    expect(await inkWidth(await unembeddedPdf(name, form, 'ЖŁα'), system)).toBeGreaterThan(50);
  });

  it.each<FontForm>(['Type1', 'TrueType', 'CID'])(
    'refuse a letter that none of them has (%s)',
    async (form) => {
      const refused = inkWidth(await unembeddedPdf('DejaVuSans', form, '中'), system);
      await expect(refused).rejects.toMatchObject(missing('the letter 中 (U+4E2D)'));
    },
  );

  it('are found by their names, the nearest style first', () => {
    const found = (name: string, weight: number, isItalic: boolean) =>
      [...(system.named(name, weight, isItalic)?.names ?? [])].sort().at(-1);
    expect(found('DejaVu Sans', 400, false)).toBe('dejavusans');
    expect(found('DejaVuSans', 700, false)).toBe('dejavusansbold');
    expect(found('DejaVuSansMono', 400, false)).toBe('dejavusansmono');
    expect(found('Foo', 400, false)).toBeUndefined();
  });

  it('are found within a collection, beside damaged files', async () => {
    writeFileSync(join(folder, 'two.ttc'), collectionOf(FONT_FILE));
    writeFileSync(join(folder, 'broken.ttf'), 'no font');
    const fonts = new SystemFonts([folder]);
    expect(await inkWidth(await unembeddedPdf('DejaVuSans', 'TrueType', 'ЖŁα'), fonts)).toBeGreaterThan(50);
  });
});
