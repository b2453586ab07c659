import { PDFDocument, rgb } from 'pdf-lib';

const POINTS_PER_MM = 72 / 25.4;
export const SQUARE_MM = 20;

/** Millimetres. */
export type PageMm = readonly [width: number, height: number];

/**
 * A PDF with a page per size, each with a black square in its upper left corner: `inset` from both edges, and as large
 * as the page allows up to 20 mm.
 */
export async function squarePdf(inset: number, ...sizes: PageMm[]): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (const [width, height] of sizes) {
    const page = document.addPage([width * POINTS_PER_MM, height * POINTS_PER_MM]);
    const edge = edgeOn([width, height], inset) * POINTS_PER_MM;
    const y = (height - inset) * POINTS_PER_MM - edge;
    page.drawRectangle({ x: inset * POINTS_PER_MM, y, width: edge, height: edge, color: rgb(0, 0, 0) });
  }
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

/** In millimetres. */
export function edgeOn([width, height]: PageMm, inset: number): number {
  return Math.min(SQUARE_MM, width - 2 * inset, height - 2 * inset);
}

/** A PDF whose pages of the size carry bars of these lengths in millimetres, 10 mm from the upper left corner. */
export async function barPdf([width, height]: PageMm, ...bars: number[]): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (const bar of bars) {
    const page = document.addPage([width * POINTS_PER_MM, height * POINTS_PER_MM]);
    const box = { x: 10 * POINTS_PER_MM, y: (height - 15) * POINTS_PER_MM, height: 5 * POINTS_PER_MM };
    page.drawRectangle({ ...box, width: bar * POINTS_PER_MM, color: rgb(0.8, 0, 0) });
  }
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

/** A page with a black frame along its edges. */
export async function framePdf([width, height]: PageMm): Promise<Buffer> {
  const document = await PDFDocument.create();
  const [across, along, line] = [width, height, 2].map((mm) => mm * POINTS_PER_MM) as [
    number,
    number,
    number,
  ];
  const page = document.addPage([across, along]);
  const color = rgb(0, 0, 0);
  page.drawRectangle({ x: 0, y: 0, width: across, height: line, color });
  page.drawRectangle({ x: 0, y: along - line, width: across, height: line, color });
  page.drawRectangle({ x: 0, y: 0, width: line, height: along, color });
  page.drawRectangle({ x: across - line, y: 0, width: line, height: along, color });
  return Buffer.from(await document.save({ useObjectStreams: false }));
}
