import type { Margins, PrintOptions } from '../../service/protocol.js';

/** Sizes of pages are rounded: PostScript takes sheets that differ by so many points as equal (its reference, 6.2.1). */
export const SAME_SIZE = 5;
export const POINTS_PER_MM = 72 / 25.4;

/** Width and height in points. */
export type Size = readonly [width: number, height: number];

export type Layout = Pick<PrintOptions, 'scale' | 'orientation' | 'rotate'>;

/** How a page lies on its sheet. */
export interface PlacedPage {
  /** Clockwise quarters by which the page is turned on the sheet. */
  readonly quarters: number;
  /** 1 for a page at its own size. */
  readonly scale: number;
  /** Upper left corner of the turned page, in points from that of the sheet. */
  readonly left: number;
  readonly top: number;
}

/**
 * Places a page as docs/decisions/088-pages-at-their-own-size.md says. `orientation` is that of the sheet as it is
 * read: the page stays upright on it. Otherwise a page that lies across the sheet is turned, unless `rotate` turns it.
 * @param margins in points
 */
export function placedPage(
  page: Size,
  sheet: Size,
  { scale = 'shrink', orientation, rotate = 0 }: Layout,
  margins: Margins,
): PlacedPage {
  const turned = rotate % 180 === 0 ? page : swapped(page);
  const liesAcross = orientation === undefined ? isWide(turned) : orientation === 'landscape';
  const isFixed = orientation === undefined && rotate !== 0;
  const isTurned =
    !isFixed && liesAcross !== isWide(sheet) && (orientation !== undefined || !isSquare(turned, sheet));
  const size = isTurned ? swapped(turned) : turned;
  const quarters = (rotate / 90 + (isTurned ? 1 : 0)) % 4;
  const room: Size = [sheet[0] - margins.left - margins.right, sheet[1] - margins.top - margins.bottom];
  const isKept =
    scale === 'actual' ||
    (scale === 'shrink' && size[0] <= sheet[0] + SAME_SIZE && size[1] <= sheet[1] + SAME_SIZE);
  const factor = isKept ? 1 : Math.min(room[0] / size[0], room[1] / size[1]);
  const start = (from: number, length: number, along: number, whole: number): number => {
    const drawn = along * factor;
    if (scale === 'actual' || (isKept && Math.abs(whole - drawn) <= SAME_SIZE)) return 0;
    const centred = (whole - drawn) / 2;
    return drawn > length ? centred : Math.min(Math.max(centred, from), from + length - drawn);
  };
  return {
    quarters,
    scale: factor,
    left: start(margins.left, room[0], size[0], sheet[0]),
    top: start(margins.top, room[1], size[1], sheet[1]),
  };
}

function swapped([width, height]: Size): Size {
  return [height, width];
}

function isWide([width, height]: Size): boolean {
  return width > height;
}

function isSquare(page: Size, sheet: Size): boolean {
  return page[0] === page[1] || sheet[0] === sheet[1];
}
