import type { PDFiumModule } from '@hyzyla/pdfium';

type Module = Awaited<ReturnType<typeof PDFiumModule>>;

/** PDFium with the functions that the types of its package lack (see its public headers). */
export interface Pdfium extends Module {
  _FPDF_GetPageSizeByIndex(document: number, index: number, width: number, height: number): number;
  _FPDF_RemoveFormFieldHighlight(form: number): void;
  _FPDFPage_GetAnnotCount(page: number): number;
  _FPDFPage_GetAnnot(page: number, index: number): number;
  _FPDFPage_CloseAnnot(annotation: number): void;
  _FPDFAnnot_HasKey(annotation: number, name: number): number;
  _FPDFAnnot_GetSubtype(annotation: number): number;
  _FPDFAnnot_GetFlags(annotation: number): number;
  _FPDFAnnot_SetFlags(annotation: number, flags: number): number;
  _FPDFAnnot_GetObjectCount(annotation: number): number;
  _FPDFAnnot_GetObject(annotation: number, index: number): number;
  _FPDFAnnot_GetFormFieldType(form: number, annotation: number): number;
  _FPDFAnnot_GetFormFieldValue(form: number, annotation: number, buffer: number, size: number): number;
  _FPDFText_GetTextObject(text: number, index: number): number;
  _FPDFText_GetUnicode(text: number, index: number): number;
  _FPDFText_HasUnicodeMapError(text: number, index: number): number;
  _FPDFTextObj_GetFont(object: number): number;
  _FPDFTextObj_GetTextRenderMode(object: number): number;
  _FPDFTextObj_SetTextRenderMode(object: number, mode: number): number;
  _FPDFFormObj_CountObjects(object: number): number;
  _FPDFFormObj_GetObject(object: number, index: number): number;
  _FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
  _FPDFPageObj_Transform(
    ...matrix: [object: number, a: number, b: number, c: number, d: number, e: number, f: number]
  ): void;
  _FPDFFont_GetIsEmbedded(font: number): number;
  _FPDFFont_GetBaseFontName(font: number, buffer: number, size: number): number;
  _FPDFFont_GetFontData(font: number, buffer: number, size: number, written: number): number;
  _FPDFFont_GetGlyphPath(font: number, letter: number, size: number): number;
  _FPDF_GetDefaultSystemFontInfo(): number;
  _FPDF_SetSystemFontInfo(info: number): void;
}

/** Bytes of FPDF_FORMFILLINFO, all of whose functions may be absent, with room for later versions. */
const FORM_INFO = 256;
const FORM_INFO_VERSION = 1;
/** Flags of annotations (ISO 32000, 12.5.3). */
const HIDDEN = 2;
const PRINT = 4;
const NO_VIEW = 32;

/**
 * FPDF_ANNOT_*: text, free text, square, circle, highlight, underline, squiggly and strike-out lines, ink. For others
 * PDFium draws nothing either.
 */
const DRAWN_BY_TYPE = [1, 3, 5, 6, 9, 10, 11, 12, 15];

/** Starts an instance with memory of its own. */
export async function startPdfium(): Promise<Pdfium> {
  // An optional package: an Agent with printers of raw bytes alone does without it.
  const { PDFiumModule: start } = await import('@hyzyla/pdfium');
  const pdfium = (await start({})) as Pdfium;
  pdfium._FPDF_InitLibraryWithConfig({});
  return pdfium;
}

/** What draws the fields of a document, for as long as it is open. */
export function openForm(pdfium: Pdfium, document: number): number {
  const info = pdfium.wasmExports.malloc(FORM_INFO);
  pdfium.HEAPU8.fill(0, info, info + FORM_INFO);
  pdfium.HEAP32[info / 4] = FORM_INFO_VERSION;
  const form = pdfium._FPDFDOC_InitFormFillEnvironment(document, info);
  pdfium._FPDF_RemoveFormFieldHighlight(form);
  return form;
}

/** Shows the fields that are meant for paper and hides others, because FPDF_FFLDraw draws what a screen shows. */
export function showForPaper(pdfium: Pdfium, page: number): void {
  for (let index = 0; index < pdfium._FPDFPage_GetAnnotCount(page); index++) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, index);
    const flags = pdfium._FPDFAnnot_GetFlags(annotation);
    pdfium._FPDFAnnot_SetFlags(annotation, flags & PRINT ? flags & ~NO_VIEW : flags | HIDDEN);
    pdfium._FPDFPage_CloseAnnot(annotation);
  }
}

/** An annotation for paper has no appearance: PDFium makes one for it, others leave it out. Ask before it is drawn. */
export function lacksAppearance(pdfium: Pdfium, page: number): boolean {
  const name = pdfium.wasmExports.malloc(3);
  pdfium.HEAPU8.set(Buffer.from('AP\0'), name);
  let isLacking = false;
  for (let index = 0; index < pdfium._FPDFPage_GetAnnotCount(page); index++) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, index);
    isLacking ||=
      (pdfium._FPDFAnnot_GetFlags(annotation) & (PRINT | HIDDEN)) === PRINT &&
      DRAWN_BY_TYPE.includes(pdfium._FPDFAnnot_GetSubtype(annotation)) &&
      pdfium._FPDFAnnot_HasKey(annotation, name) === 0;
    pdfium._FPDFPage_CloseAnnot(annotation);
  }
  pdfium.wasmExports.free(name);
  return isLacking;
}
