import { PDFDocument } from 'pdf-lib';
import { SystemFonts } from '../fonts/system-fonts.js';
import { textPdf, type TextPage } from './text-pages.js';

const NO_MARGINS = { top: 0, right: 0, bottom: 0, left: 0 };
const PAGE: TextPage = { width: 576, height: 792, margins: NO_MARGINS };
const OWN_FONT_ONLY = new SystemFonts();

describe('setting text on pages', () => {
  const pages = async (text: string | Buffer, page = PAGE): Promise<PDFDocument> =>
    PDFDocument.load(await textPdf(Buffer.from(text), page, OWN_FONT_ONLY));

  it('sets 80 columns and 66 rows on 8 by 11 inches', async () => {
    const full = `${'x'.repeat(80)}\n`.repeat(66);
    const document = await pages(full);
    expect(document.getPages().map((page) => page.getSize())).toEqual([{ width: 576, height: 792 }]);
    expect((await pages(`${full}x`)).getPageCount()).toBe(2);
  });

  it('leaves the margins free', async () => {
    const margins = { top: 72, right: 36, bottom: 72, left: 36 };
    const full = `${'x'.repeat(70)}\n`.repeat(54);
    expect((await pages(full, { ...PAGE, margins })).getPageCount()).toBe(1);
    expect((await pages(`${full}x`, { ...PAGE, margins })).getPageCount()).toBe(2);
  });

  it.each([
    ['Western Europe', 'Grüße, 5 € – „naïve“'],
    ['Central Europe', 'Zażółć gęślą jaźń, Příliš žluťoučký kůň'],
    ['Greek', 'Ξεσκεπάζω την ψυχοφθόρα'],
    ['Cyrillic', 'Съешь ещё этих мягких булок, ґанок їжак'],
    ['a letter and its mark', 'e\u0301'],
    ['a byte order mark', '\uFEFFtext'],
    ['joiners and marks of direction', 'a\u200bb\u200e\ufe0f'],
  ])('draws %s in its own font', async (_, text) => {
    expect((await pages(text)).getPageCount()).toBe(1);
  });

  it.each([
    ['a\nb漢', 'no font of this computer has 漢 (U+6F22) in line 2'],
    ['\u001b@', 'no font of this computer has U+001B in line 1'],
    ['漢字', 'no font of this computer has 漢 (U+6F22) in line 1, and 1 other letter'],
  ])('refuses %j, which no font has', async (text, message) => {
    await expect(pages(text)).rejects.toMatchObject({
      ...{ name: 'NotSubmitted', failureCode: 'GLYPH_MISSING', failureClass: 'permanent' },
      message,
    });
  });

  it('refuses a text of too many pages', async () => {
    await expect(pages('\f'.repeat(6000))).rejects.toMatchObject({ failureCode: 'RENDER_FAILED' });
  });
});
