import type { Instant } from '../../kernel/time.js';
import type { ContentType } from './domain/job.events.js';

export interface TestPage {
  readonly printerName: string;
  readonly printerCode: string;
  readonly computerName: string;
  readonly at: Instant;
}

const TYPES = ['pdf', 'text', 'raw'] as const satisfies readonly ContentType[];

/** Uses the first of pdf, text and raw among the types, else PDF. */
export async function renderTestPage(page: TestPage, types: readonly ContentType[]) {
  const contentType = TYPES.find((type) => types.includes(type)) ?? 'pdf';
  const lines = [
    `Printer: ${page.printerName}`,
    `Printer code: ${page.printerCode}`,
    `Computer: ${page.computerName}`,
    `Time: ${page.at}`,
    'If you can read this, the way from the service to this printer works.',
  ];
  if (contentType === 'pdf') return { contentType, content: await pdfOf(page, lines) };
  const all = ['Test page', '', ...lines, ''];
  // Raw printers have their own character sets, and eject the page at a form feed.
  const text = contentType === 'text' ? all.join('\n') : `${all.map(ascii).join('\r\n')}\f`;
  return { contentType, content: new Uint8Array(Buffer.from(text)) };
}

/** One A4 page. pdf-lib is loaded on first use. */
async function pdfOf(page: TestPage, lines: readonly string[]): Promise<Uint8Array> {
  const { PDFDocument, StandardFonts } = await import('pdf-lib');
  const document = await PDFDocument.create();
  document.setTitle('Test page');
  document.setCreationDate(new Date(page.at));
  document.setModificationDate(new Date(page.at));
  const sheet = document.addPage([595.28, 841.89]);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  const plain = await document.embedFont(StandardFonts.Helvetica);
  sheet.drawText('Test page', { x: 56, y: 760, size: 28, font: bold });
  lines.forEach((line, i) => {
    sheet.drawText(printable(line), { x: 56, y: 710 - i * 26, size: 13, font: plain, maxWidth: 480 });
  });
  return document.save();
}

/** The standard fonts support Latin-1 only; pdf-lib rejects other characters. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\xff]/g, '?');
}

const ascii = (text: string) => text.replace(/[^\x20-\x7e]/g, '?');
