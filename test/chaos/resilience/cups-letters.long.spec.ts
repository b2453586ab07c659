import { CupsPrinters } from '../../../agent/printers/cups/cups-printers.js';
import { SystemFonts } from '../../../agent/printers/fonts/system-fonts.js';
import { IppClient, ippServer } from '../../../agent/printers/ipp/ipp-client.js';
import { bandsOf, placementOf } from '../../../agent/printers/pdf/page-layout.js';
import { PdfDocument } from '../../../agent/printers/pdf/pdf-renderer.js';
import type { PrintRequest } from '../../../agent/printers/provider.js';
import { Cupsd, cupsdMissing, filtersMissing } from '../../kit/cupsd.js';
import { DrawnSheet, sheetOf } from '../../kit/drawn-sheet.js';
import { pdfInThisProcess } from '../../kit/pdf-tool.js';
import { eventually } from '../../kit/polling.js';
import { quietProgress } from '../../kit/quiet-progress.js';
import { rasterPages } from '../../kit/raster-pages.js';
import { rasterPpd } from '../../kit/raster-ppd.js';
import { FONT_FOLDER, fontsMissing, unembeddedPdf, type FontForm } from '../../kit/sample-fonts.js';
import { FORM_KINDS, formPdf } from '../../kit/sample-forms.js';
import { describeUnless } from '../../kit/describe-unless.js';

const DPI = 100;
const MM = 25.4 / 72;
/** In dots: filters blacken each dot that a shape touches. */
const EXACTNESS = 4;

/** A page, and the name of the queue with its sheet. In points. */
interface Page {
  readonly name: string;
  readonly size: readonly [width: number, height: number];
}
const LETTERS: Page = { name: 'letters', size: [300, 200] };
const FORM: Page = { name: 'forms', size: [300, 300] };
const SCALES = [undefined, 'fit', 'actual'] as const;
type Ink = ReturnType<DrawnSheet['ink']>;

function expectSame(printed: Ink, drawn: Ink): void {
  const off = (side: 'left' | 'top' | 'right' | 'bottom'): number => Math.abs(printed[side] - drawn[side]);
  const most = Math.max(off('left'), off('top'), off('right'), off('bottom'));
  expect({ printed, drawn, isSame: most <= EXACTNESS }).toEqual({ printed, drawn, isSame: true });
}

/** Where the Agent itself draws ink on the page. */
async function drawnInk(pdf: Buffer, { size: [width, height] }: Page): Promise<Ink> {
  const sheet = sheetOf([width / 72, height / 72], DPI, 0);
  const page = (await PdfDocument.open(pdf, new SystemFonts([FONT_FOLDER]))).openPage(0);
  const placement = placementOf(page.size, sheet);
  const strips = [...bandsOf(placement)].flatMap((band) => page.draw(placement, band));
  page.close();
  return new DrawnSheet(sheet, strips).ink();
}

function lettersOnCups(): void {
  let cupsd: Cupsd;
  let ipp: IppClient;
  let printers: CupsPrinters;
  beforeAll(async () => {
    cupsd = await Cupsd.start();
    for (const { name, size } of [LETTERS, FORM]) {
      const sheet = { name, size: [size[0] * MM, size[1] * MM] } as const;
      await cupsd.addPrinter(name, rasterPpd([sheet], [DPI]));
    }
    ipp = new IppClient(ippServer(cupsd.address));
    printers = new CupsPrinters(ipp, pdfInThisProcess);
  });
  afterAll(async () => {
    await ipp.close();
    await cupsd.remove();
  });

  let count = 0;
  async function print(bytes: Buffer, printer: Page, options?: PrintRequest['options']): Promise<Ink> {
    const documentName = `svc:letters:${++count}`;
    const request = { documentName, printer: printer.name, contentType: 'pdf', copies: 1, options } as const;
    await printers.admit({ ...request, bytes }, quietProgress());
    await printers.submit({ ...request, bytes }, quietProgress());
    const output = await eventually(documentName, () => cupsd.document(documentName));
    return rasterPages(output)[0]!.ink();
  }

  const FONTS: readonly (readonly [string, FontForm])[] = [
    ...([
      ['Helvetica', 'Type1'],
      ['Courier', 'Type1'],
      ['ArialMT', 'TrueType'],
    ] as const),
    ...([
      ['Calibri', 'TrueType'],
      ['DejaVuSans', 'TrueType'],
      ['Foo-Sans', 'CID'],
    ] as const),
    ['DejaVuSans', 'CID'],
  ];
  const TEXTS = ['Aéß', 'ЖŁα', 'Ωй€'];
  it.each(FONTS.flatMap(([name, form]) => TEXTS.map((text) => [text, name, form] as const)))(
    'prints %s in %s (%s), which the document does not embed',
    async (text, name, form) => {
      const pdf = await unembeddedPdf(name, form, text);
      expectSame(await print(pdf, LETTERS), await drawnInk(pdf, LETTERS));
    },
  );

  it.each<[string, FontForm]>([
    ['DejaVuSans', 'TrueType'],
    ['Foo-Sans', 'CID'],
    ['Foo-Sans', 'CID without letters'],
  ])('refuses letters that no font has before the hand-off (%s, %s)', async (name, form) => {
    const refused = print(await unembeddedPdf(name, form, 'A中'), LETTERS);
    await expect(refused).rejects.toMatchObject({ failureCode: 'GLYPH_MISSING', failureClass: 'permanent' });
  });

  it.each(FORM_KINDS.flatMap((kind) => SCALES.map((scale) => [kind, scale] as const)))(
    'prints a filled form: %s, scale %s',
    async (kind, scale) => {
      const pdf = await formPdf(kind);
      expectSame(
        await print(pdf, FORM, scale && { scale, unsupported: 'refuse' }),
        await drawnInk(pdf, FORM),
      );
    },
  );
}

describeUnless(
  cupsdMissing() ?? filtersMissing() ?? fontsMissing(),
  'letters and forms on a real cupsd',
  lettersOnCups,
);
