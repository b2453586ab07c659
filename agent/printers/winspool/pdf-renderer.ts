import type { PDFiumModule } from '@hyzyla/pdfium';
import { NotSubmitted } from '../provider.js';
import { strideOf, type Band, type PageSize, type Placement } from './page-layout.js';

type Pdfium = Awaited<ReturnType<typeof PDFiumModule>>;

/** FPDFBitmap_Gray and FPDFBitmap_BGR of fpdfview.h: the orders of bytes that GDI takes. */
const GRAY = 1;
const BGR = 2;
/** FPDF_ANNOT and FPDF_PRINTING: draw the annotations that are meant for paper. */
const RENDER_FLAGS = 0x1 | 0x800;
/** For a printer of one colour: FPDF_GRAYSCALE, and text and lines without gray edges, which it would print as dots. */
const ONE_COLOR_FLAGS = 0x8 | 0x1000 | 0x4000;
const WHITE = 0xffffffff;
const QUARTER_TURN = 1;
/** FPDF_ERR_* of fpdfview.h. */
const REASONS: Record<number, string> = { 3: 'damaged', 4: 'protected by a password', 5: 'encrypted' };

/** An open page. Always `close` it. */
export interface PdfPage {
  readonly size: PageSize;

  /** Draws one band of the page: rows from top to bottom, each `strideOf(placement)` bytes. */
  draw(placement: Placement, band: Band): Uint8Array;
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
    readonly pageCount: number,
  ) {}

  /** Throws `NotSubmitted` (permanent) if the document is damaged or encrypted. */
  static async open(bytes: Uint8Array): Promise<PdfDocument> {
    // An optional package: only Windows draws.
    const { PDFiumModule: start } = await import('@hyzyla/pdfium');
    const pdfium = await start({});
    pdfium._FPDF_InitLibraryWithConfig({});
    // PDFium reads from this memory as long as the document is open.
    const memory = pdfium.wasmExports.malloc(bytes.length);
    if (memory === 0) throw unprintable('too large');
    pdfium.HEAPU8.set(bytes, memory);
    const handle = pdfium._FPDF_LoadMemDocument(memory, bytes.length, 0);
    if (handle === 0) throw unprintable(REASONS[pdfium._FPDF_GetLastError()] ?? 'unreadable');
    const document = new PdfDocument(pdfium, handle, pdfium._FPDF_GetPageCount(handle));
    if (document.pageCount === 0) throw unprintable('without pages');
    return document;
  }

  /** Throws `NotSubmitted` (permanent) if the page is damaged. */
  openPage(index: number): PdfPage {
    const { pdfium } = this;
    const page = pdfium._FPDF_LoadPage(this.document, index);
    const size = { width: pdfium._FPDF_GetPageWidth(page), height: pdfium._FPDF_GetPageHeight(page) };
    if (page === 0 || !(size.width > 0 && size.height > 0)) throw unprintable(`damaged on page ${index + 1}`);
    return {
      size,
      draw: (placement, band) => this.draw(page, placement, band),
      close: () => pdfium._FPDF_ClosePage(page),
    };
  }

  private draw(page: number, placement: Placement, { top, rows }: Band): Uint8Array {
    const { pdfium } = this;
    const { columns, color, turned } = placement;
    const stride = strideOf(placement);
    const memory = pdfium.wasmExports.malloc(stride * rows);
    const bitmap = pdfium._FPDFBitmap_CreateEx(columns, rows, color ? BGR : GRAY, memory, stride);
    if (memory === 0 || bitmap === 0) throw new Error('no memory to draw the page');
    try {
      pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, columns, rows, WHITE);
      pdfium._FPDF_RenderPageBitmap(
        ...([bitmap, page, 0, -top, columns, placement.rows, turned ? QUARTER_TURN : 0] as const),
        color ? RENDER_FLAGS : RENDER_FLAGS | ONE_COLOR_FLAGS,
      );
      return pdfium.HEAPU8.slice(memory, memory + stride * rows);
    } finally {
      pdfium._FPDFBitmap_Destroy(bitmap);
      pdfium.wasmExports.free(memory);
    }
  }
}

function unprintable(why: string): NotSubmitted {
  return new NotSubmitted('CONTENT_TYPE_NOT_SUPPORTED', `cannot print this PDF: it is ${why}`, 'permanent');
}
