import { EscPosPrinter } from '../../../test/stand-ins/esc-pos/printer.js';
import { quietProgress } from '../../../test/kit/quiet-progress.js';
import { RECEIPTS } from '../../../test/kit/receipts.js';
import type { TextEncoding, TextSettings } from '../../service/protocol.js';
import type { PrinterProvider, PrintRequest } from '../provider.js';
import { SystemFonts } from '../fonts/system-fonts.js';
import { printDocument, type PrintDocument } from './print-document.js';

const ENCODINGS: TextEncoding[] = [
  ...(['utf-8', 'windows-1252', 'cp437', 'cp850', 'cp852', 'cp858', 'cp866'] as const),
  ...(['iso8859-15', 'shift_jis', 'gb18030'] as const),
];

function prepared(content: string, text: TextSettings): Promise<PrintDocument> {
  const request: PrintRequest = {
    ...{ documentName: 'svc:a:1', printer: 'till', contentType: 'text', copies: 1 },
    ...{ bytes: Buffer.from(content), text },
  };
  const route = { provider: {} as PrinterProvider, printer: 'till' };
  return printDocument(request, route, new SystemFonts(), quietProgress());
}

/** What the receipt of the job promises for a text: each letter that it names in its other form. */
function promised(content: string, { ignored }: PrintDocument): string {
  const forms = new Map(
    ignored.map(({ reason }) => {
      const [, letter, form = ''] =
        /^(.+) \(U\+[0-9A-F]+\) (?:printed as (.+)|left out)$/u.exec(reason) ?? [];
      return [letter, form];
    }),
  );
  return [...content.replaceAll(/\p{Zs}/gu, ' ')].map((letter) => forms.get(letter) ?? letter).join('');
}

function printedBy({ request }: PrintDocument, encoding: TextEncoding): EscPosPrinter {
  const wide = encoding === 'shift_jis' || encoding === 'gb18030' ? encoding : undefined;
  const printer = new EscPosPrinter(wide);
  printer.print(request.bytes);
  return printer;
}

describe('receipts in many languages', () => {
  it.each(RECEIPTS)(
    'prints %s with %s: each letter as it is, or as the receipt says',
    async (_, encoding, content) => {
      const document = await prepared(content, { encoding, line_ending: 'lf', cut_after: true });
      const printer = printedBy(document, encoding);

      expect(printer.lines.join('\n').replaceAll(/\p{Zs}/gu, ' ')).toBe(promised(content, document));
      expect(printer.cuts).toEqual([2]);
      expect(document.request.contentType).toBe('raw');
    },
  );

  it.each(ENCODINGS)(
    'prints all languages with %s, and names at most 20 letters and the number of others',
    async (encoding) => {
      const content = RECEIPTS.map(([, , text]) => text).join('\n');
      const document = await prepared(content, { encoding, cut_after: false });

      expect(printedBy(document, encoding).lines.length).toBeGreaterThanOrEqual(2 * RECEIPTS.length);
      expect(document.ignored.length).toBeLessThanOrEqual(21);
      if (document.ignored.length === 21)
        expect(document.ignored[20]?.reason).toMatch(/^\d+ more letters printed in another form$/);
    },
  );

  it.each([
    ['Polish', 'cp437', 'ł (U+0142) printed as l'],
    ['German', 'cp850', '€ (U+20AC) printed as EUR'],
    ['German', 'cp437', '„ (U+201E) printed as "'],
    ['Romanian', 'cp852', 'ș (U+0219) printed as ş'],
    ['Vietnamese', 'windows-1252', 'ổ (U+1ED5) printed as ô'],
    ['Russian', 'cp437', 'щ (U+0449) printed as shch'],
    ['Ukrainian', 'cp866', 'ґ (U+0491) printed as г'],
    ['Japanese', 'shift_jis', '¥ (U+00A5) printed as ￥'],
    ['Hebrew', 'cp858', 'ת (U+05EA) printed as ?'],
  ] as const)('names a letter of %s that %s lacks: %s', async (language, encoding, reason) => {
    const content = { Russian: 'щ' }[language as string] ?? RECEIPTS.find(([name]) => name === language)![2];
    const { ignored } = await prepared(content, { encoding });
    expect(ignored).toContainEqual({ option: 'text', reason });
  });
});
