import type { Instant } from '../../kernel/time.js';

export interface TestPage {
  readonly printerName: string;
  readonly printerCode: string;
  readonly computerName: string;
  readonly at: Instant;
}

/** A one-page A4 PDF that names printer, computer and time. The library is loaded when first needed. */
export async function renderTestPage(page: TestPage): Promise<Uint8Array> {
  const { PDFDocument, StandardFonts } = await import('pdf-lib');
  const document = await PDFDocument.create();
  document.setTitle('Test page');
  document.setCreationDate(new Date(page.at));
  document.setModificationDate(new Date(page.at));
  const sheet = document.addPage([595.28, 841.89]);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  const plain = await document.embedFont(StandardFonts.Helvetica);
  sheet.drawText('Test page', { x: 56, y: 760, size: 28, font: bold });
  const lines = [
    `Printer: ${page.printerName}`,
    `Printer code: ${page.printerCode}`,
    `Computer: ${page.computerName}`,
    `Time: ${page.at}`,
    'If you can read this, the way from the service to this printer works.',
  ];
  lines.forEach((line, i) => {
    sheet.drawText(printable(line), { x: 56, y: 710 - i * 26, size: 13, font: plain, maxWidth: 480 });
  });
  return document.save();
}

/** The standard fonts support Latin-1 only; the library would reject other characters. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\xff]/g, '?');
}
