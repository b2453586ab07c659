import { PDFDocument, rgb, type PDFPage } from 'pdf-lib';

/** A4 in points. */
export const A4: [number, number] = [595.28, 841.89];

/** A PDF with a page per size, each with a red square of 100 points in its upper left corner. */
export async function pdfOf(...sizes: [number, number][]): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (const size of sizes) {
    const page = document.addPage(size);
    page.drawRectangle({ x: 0, y: size[1] - 100, width: 100, height: 100, color: rgb(1, 0, 0) });
  }
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

/** A PDF of one page, in points, that `draw` fills. */
export async function drawnPdf(
  size: [number, number],
  draw: (page: PDFPage, document: PDFDocument) => unknown,
): Promise<Buffer> {
  const document = await PDFDocument.create();
  await draw(document.addPage(size), document);
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

/** A PDF that opens only with a password. */
export async function lockedPdf(): Promise<Buffer> {
  const open = (await pdfOf(A4)).toString('latin1');
  const key = 'ab'.repeat(32);
  const lock = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >> /ID [<01> <01>]`;
  return Buffer.from(open.replace('trailer\n<<', `trailer\n<<\n${lock}`), 'latin1');
}
