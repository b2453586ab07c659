import { NotSubmitted } from '../provider.js';
import { strideOf, type Band, type PageSize, type Placement } from './page-layout.js';
import { stripsOf, type Strip } from './page-strips.js';
import { openForm, showForPaper, startPdfium, type Pdfium } from './pdfium.js';

/** FPDFBitmap_Gray and FPDFBitmap_BGR of fpdfview.h: the orders of bytes that GDI takes. */
const GRAY = 1;
const BGR = 2;
/** FPDF_ANNOT: all of them but fields, which FPDF_FFLDraw draws. */
const ANNOTATIONS = 0x1;
/**
 * FPDF_PRINTING; FPDF_RENDER_NO_SMOOTHTEXT and FPDF_RENDER_NO_SMOOTHPATH: no gray edges, which a printer would set as
 * scattered dots.
 */
const PAPER = 0x800 | 0x1000 | 0x4000;
/** FPDF_GRAYSCALE */
const GRAYSCALE = 0x8;
const WHITE = 0xffffffff;
const QUARTER_TURN = 1;
/** FPDF_ERR_* of fpdfview.h. */
const REASONS: Record<number, string> = { 3: 'damaged', 4: 'protected by a password', 5: 'encrypted' };

/** An open page. Always `close` it. */
export interface PdfPage {
  readonly size: PageSize;

  /** Draws one band of the page. */
  draw(placement: Placement, band: Band): Strip[];
  close(): void;
}

/**
 * A PDF in an instance of PDFium of its own, whose memory goes with it: a document that breaks the renderer affects no
 * other one.
 */
export class PdfDocument {
  private constructor(
    private readonly pdfium: Pdfium,
    private readonly document: number,
    private readonly form: number,
    readonly pageCount: number,
  ) {}

  /** Throws `NotSubmitted` (permanent) if the document is damaged or encrypted. */
  static async open(bytes: Uint8Array): Promise<PdfDocument> {
    const pdfium = await startPdfium();
    // PDFium reads from this memory as long as the document is open.
    const memory = pdfium.wasmExports.malloc(bytes.length);
    if (memory === 0) throw unprintable('too large');
    pdfium.HEAPU8.set(bytes, memory);
    const handle = pdfium._FPDF_LoadMemDocument(memory, bytes.length, 0);
    if (handle === 0) throw unprintable(REASONS[pdfium._FPDF_GetLastError()] ?? 'unreadable');
    const document = new PdfDocument(
      ...([pdfium, handle, openForm(pdfium, handle)] as const),
      pdfium._FPDF_GetPageCount(handle),
    );
    if (document.pageCount === 0) throw unprintable('without pages');
    return document;
  }

  /** Throws `NotSubmitted` (permanent) if the page is damaged. */
  openPage(index: number): PdfPage {
    const { pdfium, form } = this;
    const page = pdfium._FPDF_LoadPage(this.document, index);
    const size = { width: pdfium._FPDF_GetPageWidth(page), height: pdfium._FPDF_GetPageHeight(page) };
    if (page === 0 || !(size.width > 0 && size.height > 0)) throw unprintable(`damaged on page ${index + 1}`);
    showForPaper(pdfium, page);
    pdfium._FORM_OnAfterLoadPage(page, form);
    return {
      size,
      draw: (placement, band) => this.draw(page, placement, band),
      close: () => {
        pdfium._FORM_OnBeforeClosePage(page, form);
        pdfium._FPDF_ClosePage(page);
      },
    };
  }

  private draw(page: number, placement: Placement, band: Band): Strip[] {
    const { pdfium } = this;
    const { columns, color, turned } = placement;
    const { rows } = band;
    const { left, top, width, height } = placement.page;
    const stride = strideOf(placement);
    const memory = pdfium.wasmExports.malloc(stride * rows);
    const bitmap = pdfium._FPDFBitmap_CreateEx(columns, rows, color ? BGR : GRAY, memory, stride);
    if (memory === 0 || bitmap === 0) throw new Error('no memory to draw the page');
    try {
      pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, columns, rows, WHITE);
      const flags = color ? PAPER : PAPER | GRAYSCALE;
      const place = [left, top - band.top, width, height, turned ? QUARTER_TURN : 0] as const;
      pdfium._FPDF_RenderPageBitmap(bitmap, page, ...place, flags | ANNOTATIONS);
      pdfium._FPDF_FFLDraw(this.form, bitmap, page, ...place, flags);
      return stripsOf(pdfium.HEAPU8.subarray(memory, memory + stride * rows), placement, band);
    } finally {
      pdfium._FPDFBitmap_Destroy(bitmap);
      pdfium.wasmExports.free(memory);
    }
  }
}

function unprintable(why: string): NotSubmitted {
  return new NotSubmitted('CONTENT_TYPE_NOT_SUPPORTED', `cannot print this PDF: it is ${why}`, 'permanent');
}
