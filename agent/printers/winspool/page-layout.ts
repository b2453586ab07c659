/** The part of a sheet that a printer can print on, in its own pixels. */
export interface PrintableArea {
  readonly width: number;
  readonly height: number;
  readonly dpiX: number;
  readonly dpiY: number;
  /** False for a printer of one colour. */
  readonly color: boolean;
}

/** In points (1/72 inch). */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** A page on a sheet. Each bitmap pixel covers `stepX` by `stepY` pixels of the printer. */
export interface Placement {
  /** The page lies across the sheet: it is turned clockwise by 90°. */
  readonly turned: boolean;
  /** Upper left corner, in pixels of the printer. */
  readonly x: number;
  readonly y: number;
  readonly stepX: number;
  readonly stepY: number;
  /** Size of the bitmap of the whole page. */
  readonly columns: number;
  readonly rows: number;
  readonly color: boolean;
}

/** Rows `top` to `top + rows` of the bitmap of a page. */
export interface Band {
  readonly top: number;
  readonly rows: number;
}

/** Finer bitmaps cost time and spool space and look the same on paper. */
const MAX_DPI = 300;
/** Memory of one bitmap: a page is drawn in as many bands as this takes. */
const MAX_BAND_BYTES = 8 * 1024 * 1024;
export const POINTS_PER_INCH = 72;

/** Centres a page at its own size, turned as the sheet lies; a page larger than the printable area shrinks to it. */
export function placementOf(page: PageSize, area: PrintableArea): Placement {
  const turned = page.width > page.height !== area.width > area.height && page.width !== page.height;
  const [across, along] = turned ? [page.height, page.width] : [page.width, page.height];
  const width = (across / POINTS_PER_INCH) * area.dpiX;
  const height = (along / POINTS_PER_INCH) * area.dpiY;
  const scale = Math.min(1, area.width / width, area.height / height);
  const stepX = Math.ceil(area.dpiX / MAX_DPI);
  const stepY = Math.ceil(area.dpiY / MAX_DPI);
  const columns = Math.max(1, Math.floor((width * scale) / stepX));
  const rows = Math.max(1, Math.floor((height * scale) / stepY));
  return {
    turned,
    x: Math.floor((area.width - columns * stepX) / 2),
    y: Math.floor((area.height - rows * stepY) / 2),
    ...{ stepX, stepY, columns, rows },
    color: area.color,
  };
}

/** Bytes of one bitmap row: 24 bits a pixel in colour, else 8, filled up to four bytes as GDI expects. */
export function strideOf({ columns, color }: Placement): number {
  return Math.ceil((columns * (color ? 3 : 1)) / 4) * 4;
}

/** Cuts a page into bands from top to bottom. */
export function* bandsOf(placement: Placement): Iterable<Band> {
  const height = Math.max(1, Math.floor(MAX_BAND_BYTES / strideOf(placement)));
  for (let top = 0; top < placement.rows; top += height) {
    yield { top, rows: Math.min(height, placement.rows - top) };
  }
}
