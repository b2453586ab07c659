import type { Margins } from '../../service/protocol.js';
import { PdfEditor, type Area, type EditedPage } from './page-editor.js';
import { placedPage, type Layout, type Size } from './sheet-layout.js';

/** What to make of a PDF. Without `sheet` its pages keep their places. */
export interface PageTask {
  /** Ascending indexes of the pages to keep. */
  readonly pages: readonly number[];
  /** In points. */
  readonly sheet?: Size;
  readonly layout: Layout;
  /** In points. */
  readonly margins: Margins;
}

export interface Arranged {
  readonly bytes: Uint8Array;
  /** Of the page that is scaled most, or 1. */
  readonly scale: number;
  /** Something lies outside of what the printer can print. */
  readonly isCut: boolean;
}

/**
 * Sizes of all pages as they are shown, in points.
 * @throws PdfUnreadable
 */
export async function pageSizes(bytes: Uint8Array): Promise<Size[]> {
  const editor = await PdfEditor.open(bytes);
  return Array.from({ length: editor.pageCount }, (_, index) => editor.onPage(index, ({ size }) => size));
}

/**
 * Puts each page on a sheet of its own, so that a printer that scales nothing prints it as the options say.
 * @throws PdfUnreadable
 */
export async function arrange(
  bytes: Uint8Array,
  { pages, sheet, layout, margins }: PageTask,
): Promise<Arranged> {
  const editor = await PdfEditor.open(bytes);
  editor.keepOnly(pages);
  let scale = 1;
  let isCut = false;
  for (let index = 0; sheet && index < editor.pageCount; index++) {
    editor.onPage(index, (page) => {
      const placed = arrangePage(page, sheet, layout, margins);
      if (Math.abs(placed.scale - 1) > Math.abs(scale - 1)) scale = placed.scale;
      isCut ||= placed.isCut;
    });
  }
  return { bytes: editor.save(), scale, isCut };
}

function arrangePage(
  page: EditedPage,
  sheet: Size,
  layout: Layout,
  margins: Margins,
): { scale: number; isCut: boolean } {
  const { box, rotation, size } = page;
  const { quarters, scale, left, top } = placedPage(size, sheet, layout, margins);
  const total = (rotation + quarters) % 4;
  const [width, height] = quarters % 2 === 0 ? size : [size[1], size[0]];
  const clip = unturned({ left, top, width: width * scale, height: height * scale }, sheet, total);
  const move = [clip.left - box.left * scale, clip.bottom - box.bottom * scale] as const;
  const printable = unturned(
    {
      ...{ left: margins.left, top: margins.top },
      width: sheet[0] - margins.left - margins.right,
      height: sheet[1] - margins.top - margins.bottom,
    },
    sheet,
    total,
  );
  const isCut = [...page.objects()].some((area) => {
    const onSheet = {
      left: Math.max(area.left * scale + move[0], clip.left),
      bottom: Math.max(area.bottom * scale + move[1], clip.bottom),
      right: Math.min(area.right * scale + move[0], clip.right),
      top: Math.min(area.top * scale + move[1], clip.top),
    };
    return isSeen(onSheet) && !isWithin(onSheet, printable);
  });
  page.place(scale, move, clip, total % 2 === 0 ? sheet : [sheet[1], sheet[0]], total);
  return { scale, isCut };
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A box of the sheet, from its upper left corner, in the coordinates of a page that is turned by quarters onto it. */
function unturned({ left, top, width, height }: Box, [across, along]: Size, quarters: number): Area {
  const right = across - left - width;
  const bottom = along - top - height;
  const [x, y] = [
    [left, bottom],
    [top, left],
    [right, top],
    [bottom, right],
  ][quarters]! as [number, number];
  const [w, h] = quarters % 2 === 0 ? [width, height] : [height, width];
  return { left: x, bottom: y, right: x + w, top: y + h };
}

function isSeen({ left, bottom, right, top }: Area): boolean {
  return right > left && top > bottom;
}

/** Half a point, because boxes of objects include the width of lines. */
const TOLERANCE = 0.5;

function isWithin(inner: Area, outer: Area): boolean {
  return (
    inner.left >= outer.left - TOLERANCE &&
    inner.bottom >= outer.bottom - TOLERANCE &&
    inner.right <= outer.right + TOLERANCE &&
    inner.top <= outer.top + TOLERANCE
  );
}
