import type { Applied, IgnoredOption, PrintOptions } from '../../service/protocol.js';
import { settleUnsupported } from '../options.js';
import type { PdfTool, WithPdf } from '../pdf/pdf-process.js';
import { chosenPages } from '../chosen-pages.js';
import { POINTS_PER_MM, SAME_SIZE, type Size } from '../pdf/sheet-layout.js';
import { notOfThePrinter, NotSubmitted, type Moving, type PrintRequest } from '../provider.js';
import { attribute } from './ipp-client.js';
import { Tag, type IppAttribute } from './ipp-message.js';
import { jobAttributes } from './job-attributes.js';
import { resolutionsOf, sheetFor, type IppSheet, type PrinterFacts } from './printer-facts.js';

/** A document as the printer gets it. */
export interface Prepared {
  readonly bytes: Uint8Array;
  /** Job template attributes. */
  readonly attributes: IppAttribute[];
  readonly sheet?: IppSheet;
  /** What is known without the printer. */
  readonly applied: Applied;
  readonly ignored: IgnoredOption[];
}

export interface Preparation extends Moving {
  readonly withPdf: WithPdf;
  /** Those of CUPS cut sizes that the queue does not list to whole points, and blacken each dot that a shape touches. */
  readonly throughFilters: boolean;
  /** The pages must have the size of the sheet, and be drawable. */
  readonly drawn?: boolean;
}

/** Finer pictures look the same on paper. */
const MAX_DPI = 600;
/** Of a millimetre, in points: sizes are rounded to it. */
const HUNDREDTH = 0.03;
const NO_MARGINS = { top: 0, right: 0, bottom: 0, left: 0 };

/**
 * Lays the pages out as the options say, and translates the options that the printer applies itself.
 * @throws NotSubmitted `OPTION_NOT_SUPPORTED`, permanent; `CONTENT_TYPE_NOT_SUPPORTED` for a PDF that options need read
 */
export async function prepareDocument(
  request: PrintRequest,
  facts: PrinterFacts,
  preparation: Preparation,
): Promise<Prepared> {
  if (request.contentType !== 'pdf') return preparedText(request, facts);
  const { withPdf, signal, moved } = preparation;
  const prepared = withPdf(signal, async (pdf) => {
    const document = await preparedPdf(request, facts, pdf, preparation);
    if (!preparation.drawn) return pictured(document, request, facts, pdf, preparation);
    await pdf.checkDrawable(document.bytes, moved);
    return document;
  });
  return notOfThePrinter(prepared, moved);
}

async function preparedPdf(
  { bytes, options, copies }: PrintRequest,
  facts: PrinterFacts,
  pdf: PdfTool,
  { throughFilters, drawn = false }: Preparation,
): Promise<Prepared> {
  const sizes = (await pageSizesOf(pdf, bytes, options, drawn)) ?? [];
  const wishes = new Wishes(options, facts, drawn);
  const pages = wishes.pages(sizes.length);
  const sheet = wishes.sheet(pages.map((index) => sizes[index] ?? [0, 0]));
  const larger = sheet && throughFilters ? inWholePoints(sheet, facts) : sheet;
  const { attributes, unsupported } = jobAttributes(options, facts, larger, copies);
  const ignored = settleUnsupported(options, [...wishes.unsupported, ...unsupported]);
  const page_count = pages.length || undefined;
  if (!sheet && pages.length === sizes.length) return { bytes, attributes, applied: { page_count }, ignored };
  const { scale, orientation, rotate } = options ?? {};
  const arranged = await pdf.arrange(bytes, {
    pages,
    sheet: larger && inPoints(larger, facts, throughFilters),
    layout: { scale, orientation, rotate },
    margins: mapValues(facts.margins ?? NO_MARGINS, (mm) => mm * POINTS_PER_MM),
  });
  if (!sheet) return { bytes: arranged.bytes, attributes, applied: { page_count }, ignored };
  if (arranged.isCut)
    ignored.push({
      option: 'scale',
      reason: 'a part of a page lies in the margins of the printer and is cut off',
    });
  const drawn_percent = Math.round(arranged.scale * 1000) / 10;
  return {
    bytes: arranged.bytes,
    attributes: [...attributes, attribute('print-scaling', Tag.keyword, 'none')],
    sheet,
    applied: { page_count, scale: scale ?? 'shrink', drawn_percent },
    ignored,
  };
}

/** As pictures if who draws it may leave something out or round edges. */
async function pictured(
  prepared: Prepared,
  { options }: PrintRequest,
  facts: PrinterFacts,
  pdf: PdfTool,
  { throughFilters, moved, signal }: Preparation,
): Promise<Prepared> {
  const { bytes, applied } = prepared;
  // It cannot be read here, or PDFium would take its units for points.
  if (applied.page_count === undefined || Buffer.from(bytes).includes('/UserUnit')) return prepared;
  const { dpi, color, isKnown } = drawingFor(options, facts);
  const draw = (dpi: number) => pdf.picturedPages(bytes, { dpi, color, wholePoints: throughFilters }, moved);
  try {
    const needsDrawing = await pdf.needsDrawing(bytes, moved);
    if (!needsDrawing && !(throughFilters && options?.scale === 'actual' && isKnown)) return prepared;
    const pictures = (await draw(dpi)) ?? (needsDrawing ? await draw(dpi / 2) : undefined);
    return pictures ? { ...prepared, bytes: pictures } : prepared;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NotSubmitted && error.failureCode === 'GLYPH_MISSING') throw error;
    return prepared; // As well as who draws it can.
  }
}

/** The resolution of the job or of the printer, or the finest. */
function drawingFor(options: PrintOptions | undefined, { resolutions, attributes }: PrinterFacts) {
  const asked = resolutions.find((dpi) => dpi === options?.resolution_dpi);
  const own = asked ?? resolutionsOf(attributes, 'printer-resolution-default').find((dpi) => dpi > 0);
  const dpi = own === undefined ? MAX_DPI : own / Math.ceil(own / MAX_DPI);
  const color = options?.color !== false && attributes.get('color-supported')?.[0] !== false;
  return { dpi, color, isKnown: own !== undefined };
}

/** Options that concern the pages, and what of them the printer lacks. */
class Wishes {
  readonly unsupported: IgnoredOption[] = [];

  constructor(
    private readonly options: PrintOptions | undefined,
    private readonly facts: PrinterFacts,
    private readonly isDrawn: boolean,
  ) {}

  /** Indexes of the pages to print. */
  pages(count: number): number[] {
    const chosen = chosenPages(this.options?.pages, count);
    if (chosen.length > 0 || count === 0) return chosen;
    this.lack('pages', `the document has ${count}`);
    return chosenPages(undefined, count);
  }

  private lack(option: IgnoredOption['option'], reason: string): undefined {
    this.unsupported.push({ option, reason });
  }

  /** What the pages are laid out on; undefined to let the printer or its queue place them. */
  sheet(sizes: readonly Size[]): IppSheet | undefined {
    const { paper, scale, orientation, rotate } = this.options ?? {};
    const { facts } = this;
    const isWished = [paper, scale, orientation, rotate].some((option) => option !== undefined);
    if (!isWished && !this.isDrawn) return undefined;
    if (paper) {
      const found = sheetFor(paper, facts);
      if (found) return found;
      this.lack('paper', `the printer has no ${paper.name ?? sizeText(paper.width_mm, paper.height_mm)}`);
    } else if (scale === 'actual') {
      const found = this.sheetOfPages(sizes);
      if (found) return found;
    }
    if (!facts.defaultSheet) {
      for (const [option, value] of Object.entries({ scale, orientation, rotate }))
        if (value !== undefined) this.lack(option as 'scale', 'the sheet of the printer is not known');
    }
    return facts.defaultSheet;
  }

  /** `actual` scales nothing: all pages must have the size of one sheet. */
  private sheetOfPages(sizes: readonly Size[]): IppSheet | undefined {
    const [first] = sizes;
    if (!first) return undefined;
    const [width, height] = first;
    const isSame = ([w, h]: Size): boolean =>
      Math.abs(Math.max(w, h) - Math.max(width, height)) <= SAME_SIZE &&
      Math.abs(Math.min(w, h) - Math.min(width, height)) <= SAME_SIZE;
    if (!sizes.every(isSame)) return this.lack('scale', 'the pages have different sizes: name a paper');
    const size = { width_mm: width / POINTS_PER_MM, height_mm: height / POINTS_PER_MM };
    return (
      sheetFor(size, this.facts) ??
      this.lack('scale', `the printer has no sheet of ${sizeText(size.width_mm, size.height_mm)}`)
    );
  }
}

/** The page count of a document without options for its pages is worth a try, and no refusal. */
async function pageSizesOf(
  pdf: PdfTool,
  bytes: Uint8Array,
  options: PrintOptions | undefined,
  isDrawn: boolean,
): Promise<Size[] | undefined> {
  const { paper, scale, orientation, rotate, pages } = options ?? {};
  const isNeeded = [paper, scale, orientation, rotate, pages].some((option) => option !== undefined);
  try {
    return await pdf.pageSizes(bytes);
  } catch (error) {
    if (!isNeeded && !isDrawn) return undefined;
    if (error instanceof NotSubmitted) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new NotSubmitted('CONTENT_TYPE_NOT_SUPPORTED', `cannot read this PDF: ${why}`, 'permanent');
  }
}

/** CUPS sets text on pages itself. */
function preparedText({ bytes, options, copies, contentType }: PrintRequest, facts: PrinterFacts): Prepared {
  if (contentType === 'raw') return { bytes, attributes: [], applied: {}, ignored: [] };
  const sheet = options?.paper && sheetFor(options.paper, facts);
  const { attributes, unsupported } = jobAttributes(options, facts, sheet, copies);
  const { orientation, scale, rotate, pages, paper } = options ?? {};
  const left = Object.entries({ scale, rotate, pages }).filter(([, value]) => value !== undefined);
  const lacking = left.map(([option]) => ({ option, reason: 'not for text' }) as IgnoredOption);
  if (paper && !sheet) lacking.push({ option: 'paper', reason: 'the printer has no such sheet' });
  const ignored = settleUnsupported(options, [...lacking, ...unsupported]);
  if (orientation)
    attributes.push(attribute('orientation-requested', Tag.enum, orientation === 'landscape' ? 4 : 3));
  return { bytes, attributes, sheet, applied: {}, ignored };
}

/** What the printer has at most is not enlarged. */
function inWholePoints(sheet: IppSheet, facts: PrinterFacts): IppSheet {
  if (isListed(sheet, facts)) return sheet;
  const larger = (hundredths: number, most = Infinity): number => {
    const points = Math.ceil((hundredths / 100) * POINTS_PER_MM - HUNDREDTH);
    return Math.min(Math.ceil((points / POINTS_PER_MM) * 100), most);
  };
  const { max } = facts.range ?? {};
  return { width: larger(sheet.width, max?.width), height: larger(sheet.height, max?.height) };
}

function inPoints(sheet: IppSheet, facts: PrinterFacts, inWhole: boolean): Size {
  const size: Size = [(sheet.width / 100) * POINTS_PER_MM, (sheet.height / 100) * POINTS_PER_MM];
  return inWhole && !isListed(sheet, facts) ? [Math.floor(size[0]), Math.floor(size[1])] : size;
}

function isListed({ width, height }: IppSheet, { sheets }: PrinterFacts): boolean {
  return sheets.some((sheet) => sheet.width === width && sheet.height === height);
}

function sizeText(width = 0, height = 0): string {
  return `${Math.round(width * 10) / 10} x ${Math.round(height * 10) / 10} mm`;
}

function mapValues<K extends string>(
  record: Record<K, number>,
  map: (value: number) => number,
): Record<K, number> {
  return Object.fromEntries(
    Object.entries<number>(record).map(([key, value]) => [key, map(value)]),
  ) as Record<K, number>;
}
