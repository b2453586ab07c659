import { startPdfium, type Pdfium } from './pdfium.js';
import type { Size } from './sheet-layout.js';

/** A part of a plane in points, from its lower left corner. */
export interface Area {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

type Corners = [left: number, bottom: number, right: number, top: number];

/** PDFium with what it takes to change a document; the types of its package lack them (see its public headers). */
interface Editor extends Pdfium {
  readonly HEAPF32: Float32Array;
  _FPDFPage_Delete(document: number, index: number): void;
  _FPDFPage_GetRotation(page: number): number;
  _FPDFPage_SetRotation(page: number, quarters: number): void;
  _FPDF_GetPageBoundingBox(page: number, area: number): number;
  _FPDFPage_SetMediaBox(page: number, ...corners: Corners): void;
  _FPDFPage_SetCropBox(page: number, ...corners: Corners): void;
  _FPDFPage_SetTrimBox(page: number, ...corners: Corners): void;
  _FPDFPage_TransFormWithClip(page: number, matrix: number, clip: number): number;
  _FPDFPage_TransformAnnots(
    ...matrix: [page: number, a: number, b: number, c: number, d: number, e: number, f: number]
  ): void;
  _FPDFPage_CountObjects(page: number): number;
  _FPDFPage_GetObject(page: number, index: number): number;
  _FPDF_SaveAsCopy(document: number, writer: number, flags: number): number;
}

/** FPDF_REMOVE_SECURITY of fpdf_save.h: a filter or printer has no password either. */
const REMOVE_SECURITY = 3;
/** GetFontCharset in FPDF_SYSFONTINFO, in words: nothing asks PDFium's own source of fonts, which has none. */
const UNUSED_CALL = 7;
/** Bytes of a document that was changed. */
const MAX_BYTES = 256 * 1024 * 1024;
/** FPDF_ERR_* of fpdfview.h. */
const REASONS: Record<number, string> = { 3: 'damaged', 4: 'protected by a password', 5: 'encrypted' };

/** The document cannot be read. */
export class PdfUnreadable extends Error {}

/** A PDF whose pages can be placed anew, with the fields and annotations on them. */
export class PdfEditor {
  private constructor(
    private readonly pdfium: Editor,
    private readonly document: number,
    private readonly scratch: number,
  ) {}

  /** @throws PdfUnreadable */
  static async open(bytes: Uint8Array): Promise<PdfEditor> {
    const pdfium = (await startPdfium()) as Editor;
    const memory = pdfium.wasmExports.malloc(bytes.length);
    if (memory === 0) throw new PdfUnreadable('it is too large');
    pdfium.HEAPU8.set(bytes, memory);
    const document = pdfium._FPDF_LoadMemDocument(memory, bytes.length, 0);
    if (document === 0)
      throw new PdfUnreadable(`it is ${REASONS[pdfium._FPDF_GetLastError()] ?? 'unreadable'}`);
    return new PdfEditor(pdfium, document, pdfium.wasmExports.malloc(64));
  }

  get pageCount(): number {
    return this.pdfium._FPDF_GetPageCount(this.document);
  }

  /** @param pages ascending indexes */
  keepOnly(pages: readonly number[]): void {
    for (let index = this.pageCount - 1; index >= 0; index--)
      if (!pages.includes(index)) this.pdfium._FPDFPage_Delete(this.document, index);
  }

  /** @throws PdfUnreadable */
  onPage<T>(index: number, use: (page: EditedPage) => T): T {
    const page = this.pdfium._FPDF_LoadPage(this.document, index);
    if (page === 0) throw new PdfUnreadable(`it is damaged on page ${index + 1}`);
    try {
      return use(new EditedPage(this.pdfium, page, this.scratch));
    } finally {
      this.pdfium._FPDF_ClosePage(page);
    }
  }

  save(): Buffer {
    const { pdfium, scratch } = this;
    const parts: Buffer[] = [];
    let length = 0;
    const call = pdfium.HEAP32[pdfium._FPDF_GetDefaultSystemFontInfo() / 4 + UNUSED_CALL] ?? 0;
    const { __indirect_function_table: table } = pdfium.wasmExports as unknown as Record<string, WasmTable>;
    table?.set(
      call,
      writeBlock((_, start, size) => {
        length += size;
        if (length > MAX_BYTES) return 0;
        parts.push(Buffer.from(pdfium.HEAPU8.subarray(start, start + size)));
        return 1;
      }),
    );
    pdfium.HEAP32.set([1, call], scratch / 4); // FPDF_FILEWRITE: version and function.
    if (!pdfium._FPDF_SaveAsCopy(this.document, scratch, REMOVE_SECURITY))
      throw new PdfUnreadable('it is too large');
    return Buffer.concat(parts);
  }
}

/** An open page in its own coordinates, before it is turned by its rotation. */
export class EditedPage {
  constructor(
    private readonly pdfium: Editor,
    private readonly page: number,
    private readonly scratch: number,
  ) {}

  /** Clockwise quarters by which the page is shown. */
  get rotation(): number {
    return this.pdfium._FPDFPage_GetRotation(this.page);
  }

  /** As it is shown. */
  get size(): Size {
    return [this.pdfium._FPDF_GetPageWidth(this.page), this.pdfium._FPDF_GetPageHeight(this.page)];
  }

  /** What is shown of it. */
  get box(): Area {
    this.pdfium._FPDF_GetPageBoundingBox(this.page, this.scratch);
    const [left = 0, top = 0, right = 0, bottom = 0] = this.floats(4);
    return { left, bottom, right, top };
  }

  /** The areas of its objects. */
  *objects(): Iterable<Area> {
    const { pdfium, page, scratch } = this;
    for (let index = 0; index < pdfium._FPDFPage_CountObjects(page); index++) {
      const object = pdfium._FPDFPage_GetObject(page, index);
      const at = [scratch, scratch + 4, scratch + 8, scratch + 12] as const;
      if (!pdfium._FPDFPageObj_GetBounds(object, ...at)) continue;
      const [left = 0, bottom = 0, right = 0, top = 0] = this.floats(4);
      yield { left, bottom, right, top };
    }
  }

  /** Scales and moves everything on it, cuts it at `clip`, and gives it another sheet. */
  place(scale: number, [x, y]: readonly [number, number], clip: Area, sheet: Size, rotation: number): void {
    const { pdfium, page, scratch } = this;
    pdfium.HEAPF32.set([scale, 0, 0, scale, x, y, clip.left, clip.top, clip.right, clip.bottom], scratch / 4);
    pdfium._FPDFPage_TransFormWithClip(page, scratch, scratch + 24);
    pdfium._FPDFPage_TransformAnnots(page, scale, 0, 0, scale, x, y);
    pdfium._FPDFPage_SetMediaBox(page, 0, 0, ...sheet);
    pdfium._FPDFPage_SetCropBox(page, 0, 0, ...sheet);
    // Filters of CUPS look at this one.
    pdfium._FPDFPage_SetTrimBox(page, 0, 0, ...sheet);
    pdfium._FPDFPage_SetRotation(page, rotation);
  }

  private floats(count: number): number[] {
    return [...this.pdfium.HEAPF32.subarray(this.scratch / 4, this.scratch / 4 + count)];
  }
}

/** The part of WebAssembly that is needed; Node's types leave it to those of browsers. */
interface WasmTable {
  set(index: number, call: unknown): void;
}
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object;
    Instance: new (module: object, imports: object) => { exports: { call: unknown } };
  };
};

/** WriteBlock of FPDF_FILEWRITE as a function of WebAssembly: a module that imports it and exports it again. */
function writeBlock(call: (writer: number, start: number, size: number) => number): unknown {
  const I32 = 0x7f;
  const bytes = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 8, 1, 0x60, 3, I32, I32, I32, 1, I32],
    ...[2, 7, 1, 1, 0x65, 1, 0x66, 0, 0], // imports e.f
    ...[7, 8, 1, 4, ...Buffer.from('call'), 0, 0],
  ];
  const module = new WebAssembly.Module(Uint8Array.from(bytes));
  return new WebAssembly.Instance(module, { e: { f: call } }).exports.call;
}
