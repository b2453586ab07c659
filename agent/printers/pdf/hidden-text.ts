import type { Pdfium } from './pdfium.js';

/** FPDF_PAGEOBJ_TEXT and FPDF_PAGEOBJ_FORM. */
const TEXT = 1;
const FORM = 5;
const MAX_DEPTH = 8;
const NO_WIDTH = 0.01;
/** FPDF_TEXTRENDERMODE_STROKE */
const STROKE = 1;
const BOUNDS = 16;
const FLOAT = 4;
const MATRIX = [1, 0, 0, 1, 0, 0] as const;

/**
 * PDFium passes over texts without width, which a single letter is that its font lacks. This gives them one, by the
 * width of an outline, until the function that it returns is called.
 */
export function widenTexts(pdfium: Pdfium, page: number): () => void {
  const widened = new Map<number, number>();
  const bounds = pdfium.wasmExports.malloc(BOUNDS);
  for (const object of textsOf(pdfium, page)) {
    const mode = pdfium._FPDFTextObj_GetTextRenderMode(object);
    if (mode !== 0 || widthOf(pdfium, object, bounds) >= NO_WIDTH) continue;
    widened.set(object, mode);
    setMode(pdfium, object, STROKE);
  }
  pdfium.wasmExports.free(bounds);
  return () => {
    for (const [object, mode] of widened) setMode(pdfium, object, mode);
  };
}

function* textsOf(pdfium: Pdfium, page: number): Iterable<number> {
  for (let index = 0; index < pdfium._FPDFPage_CountObjects(page); index++)
    yield* textsIn(pdfium, pdfium._FPDFPage_GetObject(page, index), MAX_DEPTH);
}

function* textsIn(pdfium: Pdfium, object: number, depth: number): Iterable<number> {
  const type = pdfium._FPDFPageObj_GetType(object);
  if (type === TEXT) yield object;
  if (type !== FORM || depth === 0) return;
  for (let index = 0; index < pdfium._FPDFFormObj_CountObjects(object); index++)
    yield* textsIn(pdfium, pdfium._FPDFFormObj_GetObject(object, index), depth - 1);
}

function widthOf(pdfium: Pdfium, object: number, bounds: number): number {
  pdfium._FPDFPageObj_GetBounds(object, bounds, bounds + FLOAT, bounds + 2 * FLOAT, bounds + 3 * FLOAT);
  const floats = new Float32Array(pdfium.HEAPU8.buffer, bounds, BOUNDS / FLOAT);
  return Math.abs((floats[2] ?? 0) - (floats[0] ?? 0));
}

/** The text measures itself when it is moved, here by nothing. */
function setMode(pdfium: Pdfium, object: number, mode: number): void {
  pdfium._FPDFTextObj_SetTextRenderMode(object, mode);
  pdfium._FPDFPageObj_Transform(object, ...MATRIX);
}
