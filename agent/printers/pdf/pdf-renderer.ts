import { NotSubmitted } from '../provider.js';
import { FontSource } from './font-source.js';
import { missingLetter, type MissingLetter } from './missing-letters.js';
import { strideOf, type Band, type PageSize, type Placement } from './page-layout.js';
import { stripsOf, type Strip } from './page-strips.js';
import { lacksAppearance, openForm, showForPaper, startPdfium, type Pdfium } from './pdfium.js';
import { SystemFonts } from '../fonts/system-fonts.js';

/** FPDFBitmap_Gray and FPDFBitmap_BGR of fpdfview.h: the orders of bytes that GDI takes. */
const GRAY = 1;
const BGR = 2;
/** FPDF_ANNOT: all of them but fields, which FPDF_FFLDraw draws. */
const ANNOTATIONS = 0x1;
/** FPDF_PRINTING */
const PAPER = 0x800;
/**
 * FPDF_RENDER_NO_SMOOTHTEXT and FPDF_RENDER_NO_SMOOTHPATH: no gray edges, which a printer would set as scattered dots.
 */
const SHARP = 0x1000 | 0x4000;
/** FPDF_GRAYSCALE */
const GRAYSCALE = 0x8;
const WHITE = 0xffffffff;
/** FPDF_ERR_* of fpdfview.h. */
const REASONS: Record<number, string> = { 3: 'damaged', 4: 'protected by a password', 5: 'encrypted' };

/** An open page. Always `close` it. */
export interface PdfPage {
  readonly size: PageSize;
  /** Others than PDFium may leave something out: letters whose font is not embedded, annotations without appearance. */
  readonly needsDrawing: boolean;

  /** Draws one band of the page. */
  draw(placement: Placement, band: Band): Strip[];
  close(): void;
}

/**
 * A PDF in an instance of PDFium of its own, whose memory goes with it: a document that breaks the renderer affects no
 * other one.
 */
export class PdfDocument {
  readonly pageCount: number;
  private document = 0;
  private form = 0;

  private constructor(
    private readonly pdfium: Pdfium,
    private readonly fonts: FontSource,
    /** PDFium reads from this memory as long as the document is open. */
    private readonly memory: number,
    private readonly size: number,
  ) {
    this.load();
    this.pageCount = pdfium._FPDF_GetPageCount(this.document);
  }

  /** Throws `NotSubmitted` (permanent) if the document is damaged or encrypted. */
  static async open(bytes: Uint8Array, systemFonts = new SystemFonts()): Promise<PdfDocument> {
    const pdfium = await startPdfium();
    const memory = pdfium.wasmExports.malloc(bytes.length);
    if (memory === 0) throw unprintable('too large');
    pdfium.HEAPU8.set(bytes, memory);
    const fonts = new FontSource(pdfium, systemFonts);
    const document = new PdfDocument(pdfium, fonts, memory, bytes.length);
    if (document.pageCount === 0) throw unprintable('without pages');
    return document;
  }

  /** Size of a page that need not be open. */
  sizeOf(index: number): PageSize {
    const { pdfium } = this;
    const memory = pdfium.wasmExports.malloc(16);
    pdfium._FPDF_GetPageSizeByIndex(this.document, index, memory, memory + 8);
    const [width = 0, height = 0] = new Float64Array(pdfium.HEAPU8.slice(memory, memory + 16).buffer);
    pdfium.wasmExports.free(memory);
    return { width, height };
  }

  /** Throws `NotSubmitted` (permanent) if the page is damaged, or has a letter that no font has. */
  openPage(index: number): PdfPage {
    const { pdfium, fonts } = this;
    fonts.letters = new Set();
    let { page, isIncomplete } = this.loadPage(index);
    let missing = missingLetter(pdfium, fonts, this.form, page);
    if (missing && fonts.letters.size > 0) {
      // Its fonts are chosen again, now by these letters. PDFium keeps those of an open document.
      this.closePage(page);
      pdfium._FPDFDOC_ExitFormFillEnvironment(this.form);
      pdfium._FPDF_CloseDocument(this.document);
      this.load();
      ({ page, isIncomplete } = this.loadPage(index));
      missing = missingLetter(pdfium, fonts, this.form, page);
    }
    if (missing) {
      this.closePage(page);
      throw glyphMissing(missing, index + 1);
    }
    return {
      size: { width: pdfium._FPDF_GetPageWidth(page), height: pdfium._FPDF_GetPageHeight(page) },
      needsDrawing: fonts.areNeeded || isIncomplete,
      draw: (placement, band) => this.draw(page, placement, band),
      close: () => this.closePage(page),
    };
  }

  private load(): void {
    const { pdfium, memory, size } = this;
    this.document = pdfium._FPDF_LoadMemDocument(memory, size, 0);
    if (this.document === 0) throw unprintable(REASONS[pdfium._FPDF_GetLastError()] ?? 'unreadable');
    this.form = openForm(pdfium, this.document);
  }

  private loadPage(index: number): { page: number; isIncomplete: boolean } {
    const { pdfium, form } = this;
    const page = pdfium._FPDF_LoadPage(this.document, index);
    if (page === 0 || !(pdfium._FPDF_GetPageWidth(page) > 0 && pdfium._FPDF_GetPageHeight(page) > 0))
      throw unprintable(`damaged on page ${index + 1}`);
    showForPaper(pdfium, page);
    const isIncomplete = lacksAppearance(pdfium, page);
    pdfium._FORM_OnAfterLoadPage(page, form);
    return { page, isIncomplete };
  }

  private closePage(page: number): void {
    this.pdfium._FORM_OnBeforeClosePage(page, this.form);
    this.pdfium._FPDF_ClosePage(page);
  }

  private draw(page: number, placement: Placement, band: Band): Strip[] {
    const { pdfium } = this;
    const { columns, color, turns, smooth = false } = placement;
    const { rows } = band;
    const { left, top, width, height } = placement.page;
    const stride = strideOf(placement);
    const memory = pdfium.wasmExports.malloc(stride * rows);
    const bitmap = pdfium._FPDFBitmap_CreateEx(columns, rows, color ? BGR : GRAY, memory, stride);
    if (memory === 0 || bitmap === 0) throw new Error('no memory to draw the page');
    try {
      pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, columns, rows, WHITE);
      const flags = PAPER | (smooth ? 0 : SHARP) | (color ? 0 : GRAYSCALE);
      const place = [left, top - band.top, width, height, turns] as const;
      pdfium._FPDF_RenderPageBitmap(bitmap, page, ...place, flags | ANNOTATIONS);
      pdfium._FPDF_FFLDraw(this.form, bitmap, page, ...place, flags);
      return stripsOf(pdfium.HEAPU8.subarray(memory, memory + stride * rows), placement, band);
    } finally {
      pdfium._FPDFBitmap_Destroy(bitmap);
      pdfium.wasmExports.free(memory);
    }
  }
}

function glyphMissing({ letter, font }: MissingLetter, page: number): NotSubmitted {
  const code = letter?.toString(16).toUpperCase().padStart(4, '0');
  const what =
    letter === undefined
      ? `letters of the font ${font}, which it does not embed`
      : `the letter ${String.fromCodePoint(letter)} (U+${code}) in the font ${font}, and no font of this computer has it`;
  const message = `cannot draw this document: page ${page} has ${what}`;
  return new NotSubmitted('GLYPH_MISSING', message, 'permanent');
}

function unprintable(why: string): NotSubmitted {
  return new NotSubmitted('CONTENT_TYPE_NOT_SUPPORTED', `cannot print this PDF: it is ${why}`, 'permanent');
}
