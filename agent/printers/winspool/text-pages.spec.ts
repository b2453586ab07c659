import { PDFDocument } from 'pdf-lib';
import { sheetOf } from '../../../test/kit/drawn-sheet.js';
import { pagesOf, textPdf } from './text-pages.js';

const SHEET = sheetOf([8.5, 11.5], 300);

describe('setting text on pages', () => {
  it.each<[string, string, string[][]]>([
    ['ends a line at each kind of line end', 'a\nb\r\nc\rd', [['a', 'b', 'c'], ['d']]],
    ['begins no line after the end of the last one', 'a\nb\n', [['a', 'b']]],
    ['keeps empty lines', '\na\n\nb', [['', 'a', ''], ['b']]],
    ['continues a long line on the next', 'abcdefghi', [['abcd', 'efgh', 'i']]],
    ['begins a page at a form feed', 'a\fb', [['a'], ['b']]],
    ['sets tabs every eight columns', 'a\tb', [['a   ', '    ', 'b']]],
    ['prints an empty page for no text', '', [['']]],
    ['counts a character beyond 16 bits once', '😀😀😀😀😀', [['😀😀😀😀', '😀']]],
  ])('%s', (_, text, pages) => {
    expect(pagesOf(text, 4, 3)).toEqual(pages);
  });

  it('makes pages of the size of the printable area, with 80 columns and 66 rows on 8 by 11 inches', async () => {
    const full = Buffer.from(`${'x'.repeat(80)}\n`.repeat(66));
    const document = await PDFDocument.load(await textPdf(full, SHEET));
    expect(document.getPages().map((page) => page.getSize())).toEqual([{ width: 576, height: 792 }]);

    const more = Buffer.concat([full, Buffer.from('x')]);
    expect((await PDFDocument.load(await textPdf(more, SHEET))).getPageCount()).toBe(2);
  });

  it.each(['Grüße, 5 €', '\uFEFFwith a byte order mark'])('accepts %j', async (text) => {
    const document = await PDFDocument.load(await textPdf(Buffer.from(text), SHEET));
    expect(document.getPageCount()).toBe(1);
  });

  it.each([
    ['ж', 'U+0436'],
    ['☕', 'U+2615'],
    ['\u001b@', 'U+001B'],
  ])('refuses %j, which its font lacks', async (text, name) => {
    await expect(textPdf(Buffer.from(text), SHEET)).rejects.toMatchObject({
      ...{ name: 'NotSubmitted', failureCode: 'CONTENT_TYPE_NOT_SUPPORTED', failureClass: 'permanent' },
      message: `cannot draw the character ${name}`,
    });
  });
});
