import { PDFDocument, rgb, StandardFonts } from 'pdf-lib';

const A4: [number, number] = [595, 842];

/** A one-page PDF receipt. */
export async function receipt(printer: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setTitle('Receipt 1042');
  const page = document.addPage(A4);
  const [plain, strong] = await Promise.all([
    document.embedFont(StandardFonts.Helvetica),
    document.embedFont(StandardFonts.HelveticaBold),
  ]);
  page.drawText('Demo Bakery', { x: 60, y: 760, size: 28, font: strong, color: rgb(0.15, 0.3, 0.5) });
  const lines = [
    'Receipt 1042',
    '',
    '2 x sourdough loaf          9.80',
    '6 x poppy seed roll         4.20',
    '1 x apple cake             18.50',
    '',
    `Printed on ${printer}`,
    `at ${new Date().toISOString()}`,
  ];
  lines.forEach((line, i) => page.drawText(line, { x: 60, y: 710 - i * 22, size: 14, font: plain }));
  return document.save();
}

/** A label in the language of ZPL printers. */
export function label(): Uint8Array {
  return Buffer.from('^XA^FO40,40^A0N,60,60^FDParcel 1042^FS^FO40,130^BY3^BCN,120^FD1042^FS^XZ\n');
}
