import type { Applied, IgnoredOption, PrintOptions } from '../../service/protocol.js';
import { settleUnsupported } from '../options.js';
import type { PrintRequest } from '../provider.js';
import { DUPLEX, MONOCHROME, valueIn, type ModeChanges } from './device-mode.js';
import { grantSheet, grantWishes, tryReset } from './device-wishes.js';
import { sizeOf, type DriverFacts } from './driver-facts.js';
import { POINTS_PER_INCH, sheetAsRead, type Layout, type Scaling, type Sheet } from '../pdf/page-layout.js';
import { chosenPages } from '../chosen-pages.js';
import { printingOrder } from './page-order.js';
import { isSameSize, namedPapers, pwgNameOf, shownSize, sizeIn, type Size } from './papers.js';
import type { PdfDocument } from '../pdf/pdf-renderer.js';
import type { Canvas } from './spooler-api.js';

/** One side of a sheet. */
export interface Side {
  /** Index of its page; undefined for an empty back. */
  readonly page: number | undefined;
  /** Settings of its sheet. */
  readonly changes: ModeChanges;
}

/** How a document is printed. Its canvas has the settings of the first side. */
export interface PrintPlan {
  readonly document: PdfDocument;
  readonly sides: readonly Side[];
  readonly scaling: Scaling;
  readonly layout: Layout;
  /** As far as it is known before the pages are drawn. */
  readonly applied: Applied;
  readonly ignored: IgnoredOption[];
}

export interface PlannedDocument extends Pick<PrintRequest, 'options' | 'copies' | 'contentType'> {
  readonly facts?: DriverFacts;
  /** @param sheet as it is read */
  open(sheet: Sheet): Promise<PdfDocument>;
}

const MM_PER_POINT = 25.4 / POINTS_PER_INCH;

/**
 * Settles all options with the driver, before there is a job.
 * @throws NotSubmitted `OPTION_NOT_SUPPORTED`, or what `open` throws
 */
export async function planPrinting(canvas: Canvas, job: PlannedDocument): Promise<PrintPlan> {
  const { options, copies, facts } = job;
  const { orientation, rotate, color, pages: ranges, collate = true, scale = 'shrink' } = options ?? {};
  const layout = { orientation, rotate, inGray: color === false };
  const { changes: wished, unmet } = options
    ? await grantWishes(canvas, options, facts)
    : { changes: {}, unmet: [] };
  // Otherwise the settings of the queue would multiply the copies.
  const changes = (valueIn(canvas.mode, 'copies') ?? 1) > 1 ? { ...wished, copies: 1 } : wished;
  const document = await job.open(sheetAsRead(canvas.sheet, layout));
  const pages = pagesOf(document, ranges, unmet);
  const isText = job.contentType === 'text';
  let sheets = pages.map(() => changes);
  if (options?.scale === 'actual' && !options.paper && !isText)
    sheets = await ownSheets(canvas, changes, sizesOf(document, pages), unmet, facts);
  const ignored = settleUnsupported(options, unmet);
  const isUniform = sheets.every((sheet) => sheet === sheets[0]);
  const byDriver = isUniform ? await driverCopies(canvas, sheets[0] ?? {}, pages.length, job) : undefined;
  const wanted = pages.map((page, index) => ({ page, changes: byDriver ?? sheets[index]! }));
  await tryReset(canvas, wanted[0]!.changes);
  const order = printingOrder(wanted, byDriver ? 1 : copies, collate, sidesOf(canvas));
  return {
    ...{ document, layout, ignored },
    // Text is set for the printable area.
    scaling: isText ? 'shrink' : scale,
    sides: filledSides(order),
    applied: { ...appliedTo(canvas, options, facts), scale, page_count: pages.length },
  };
}

/** The settings of an empty back are those of its front. */
function filledSides(order: Iterable<Side | undefined>): Side[] {
  const sides: Side[] = [];
  for (const side of order) sides.push(side ?? { page: undefined, changes: sides.at(-1)?.changes ?? {} });
  return sides;
}

/** All pages if the document has none of those that the ranges name. */
function pagesOf({ pageCount }: PdfDocument, ranges: string | undefined, unmet: IgnoredOption[]): number[] {
  const pages = chosenPages(ranges, pageCount);
  if (pages.length > 0) return pages;
  unmet.push({ option: 'pages', reason: `the document has ${pageCount} pages` });
  return chosenPages(undefined, pageCount);
}

/** A sheet of its own size for each page. */
async function ownSheets(
  canvas: Canvas,
  changes: ModeChanges,
  sizes: Size[],
  unmet: IgnoredOption[],
  facts?: DriverFacts,
): Promise<ModeChanges[]> {
  const found = new Map<string, ModeChanges>();
  let missing: string | undefined;
  for (const size of sizes) {
    const key = shownSize(size);
    if (found.has(key)) continue;
    const sheet = await grantSheet(canvas, changes, size, facts);
    if (!sheet) missing ??= key;
    found.set(key, sheet ?? changes);
  }
  if (missing !== undefined)
    unmet.push({ option: 'paper', reason: `the printer has no sheet of the page's size, ${missing}` });
  return sizes.map((size) => found.get(shownSize(size)) ?? changes);
}

function sizesOf(document: PdfDocument, pages: number[]): Size[] {
  return pages.map((index) => {
    const { width, height } = document.sizeOf(index);
    return [width * MM_PER_POINT, height * MM_PER_POINT];
  });
}

/** Settings by which the driver makes the copies; undefined if it cannot make them in this order. */
async function driverCopies(
  canvas: Canvas,
  changes: ModeChanges,
  pageCount: number,
  { copies, options, facts }: PlannedDocument,
): Promise<ModeChanges | undefined> {
  if (copies === 1 || !facts || facts.copies < copies) return undefined;
  const isCollated = (options?.collate ?? true) && pageCount > sidesOf(canvas);
  if (isCollated && !facts.collate) return undefined;
  const all = { ...changes, copies, ...(facts.collate && { collate: isCollated ? 1 : 0 }) };
  if (!(await tryReset(canvas, all)) || valueIn(canvas.mode, 'copies') !== copies) return undefined;
  return (valueIn(canvas.mode, 'collate') === 1) === isCollated || pageCount <= sidesOf(canvas)
    ? all
    : undefined;
}

function sidesOf({ mode }: Canvas): 1 | 2 {
  return (valueIn(mode, 'duplex') ?? 1) > 1 ? 2 : 1;
}

function appliedTo(canvas: Canvas, options?: PrintOptions, facts?: DriverFacts): Applied {
  const { mode, sheet } = canvas;
  const paper = paperOn(canvas, facts);
  const tray = valueIn(mode, 'defaultSource');
  const duplex = valueIn(mode, 'duplex') ?? (facts?.duplex === false ? 1 : 0);
  const size = sizeIn(paper)!;
  const isTurned = (size[0] - size[1]) * (sheet.width / sheet.dpiX - sheet.height / sheet.dpiY) < 0;
  return {
    paper,
    tray: facts?.trays.find((known) => known.id === tray)?.name,
    duplex: DUPLEX[duplex - 1],
    color: options?.color !== false && sheet.color && valueIn(mode, 'color') !== MONOCHROME,
    sheet_mm: isTurned ? [size[1], size[0]] : [size[0], size[1]],
  };
}

/** Name of the sheet, with its exact size, which dots only approximate. */
function paperOn({ mode, sheet }: Canvas, facts?: DriverFacts): string {
  const size = sizeOf(sheet);
  const id = valueIn(mode, 'paperSize');
  const listed = namedPapers(facts?.papers ?? []).find(
    (paper) => paper.id === id && isSameSize(paper.size, size),
  );
  if (listed) return listed.pwgName;
  const [width = 0, length = 0] = [valueIn(mode, 'paperWidth'), valueIn(mode, 'paperLength')];
  const exact: Size = [width / 10, length / 10];
  return pwgNameOf(isSameSize(exact, size) ? exact : size, valueIn(mode, 'formName') ?? '');
}
