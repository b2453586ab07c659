import { bandsOf, placementOf, strideOf, type PrintableArea } from './page-layout.js';

const A4 = { width: 595, height: 842 };
/** A4 with a margin of a quarter inch at 300 dpi. */
const SHEET: PrintableArea = { width: 2329, height: 3358, dpiX: 300, dpiY: 300, color: true };

describe('placing a page on a sheet', () => {
  it('shrinks a page that is larger than the printable area, and keeps its proportions', () => {
    const { columns, rows, x, y, turned } = placementOf(A4, SHEET);
    expect([columns, rows, x, y, turned]).toEqual([2329, 3295, 0, 31, false]);
  });

  it('centres a smaller page at its own size', () => {
    const label = { width: 288, height: 432 };
    expect(placementOf(label, SHEET)).toMatchObject({ columns: 1200, rows: 1800, x: 564, y: 779 });
  });

  it('turns a page that lies across the sheet', () => {
    const across = placementOf({ width: 842, height: 595 }, SHEET);
    expect(across).toEqual({ ...placementOf(A4, SHEET), turned: true });
  });

  it.each([
    ['a square page', { width: 200, height: 200 }, SHEET],
    ['a wide page on a wide sheet', { width: 842, height: 595 }, { ...SHEET, width: 3358, height: 2329 }],
  ])('does not turn %s', (_, page, sheet) => {
    expect(placementOf(page, sheet).turned).toBe(false);
  });

  it('draws with at most 300 dpi, each bitmap pixel over whole pixels of the printer', () => {
    const fine = { ...SHEET, width: 9316, height: 6716, dpiX: 1200, dpiY: 600 };
    const { stepX, stepY, columns, rows } = placementOf({ width: 72, height: 72 }, fine);
    expect([stepX, stepY, columns, rows]).toEqual([4, 2, 300, 300]);
  });

  it('keeps the pixels of a coarse label printer', () => {
    const coarse = { width: 812, height: 1218, dpiX: 203, dpiY: 203, color: false };
    const placement = placementOf({ width: 288, height: 432 }, coarse);
    expect(placement).toMatchObject({ x: 0, y: 0, stepX: 1, stepY: 1, columns: 812, rows: 1218 });
  });
});

describe('cutting a page into bands', () => {
  it.each([
    ['colour', true, 6988],
    ['gray', false, 2332],
  ])('fills each row of %s to four bytes', (_, color, bytes) => {
    expect(strideOf(placementOf(A4, { ...SHEET, color }))).toBe(bytes);
  });

  it.each([
    ['A4', SHEET, A4],
    ['A0', { ...SHEET, width: 9933, height: 14043 }, { width: 2384, height: 3370 }],
  ])('covers each row of %s once, with at most 8 MiB a band', (_, sheet, page) => {
    const placement = placementOf(page, sheet);
    const bands = [...bandsOf(placement)];
    let next = 0;
    for (const { top, rows } of bands) {
      expect(top).toBe(next);
      expect(rows * strideOf(placement)).toBeLessThanOrEqual(8 * 1024 * 1024);
      next += rows;
    }
    expect(next).toBe(placement.rows);
    expect(bands.length).toBeGreaterThan(1);
  });
});
