import fc from 'fast-check';
import { A4_INCHES, sheetOf } from '../../../test/kit/drawn-sheet.js';
import {
  bandsOf,
  placementOf,
  POINTS_PER_INCH,
  strideOf,
  type PageSize,
  type Placement,
  type Sheet,
} from './page-layout.js';

const A4 = { width: 595, height: 842 };
const LETTER = { width: 612, height: 792 };
/** A4 with a margin of a quarter inch. */
const SHEET = sheetOf(A4_INCHES, 300);
/** Its page as a picture that begins behind the margin, 75 dots from the corner. */
const WHOLE = { left: -75, top: -75, width: 2479, height: 3508 };

describe('placing a page on a sheet', () => {
  it('draws a page of the size of its sheet at its own size, from the corner of the sheet', () => {
    expect(placementOf(A4, SHEET)).toMatchObject({
      ...{ turns: 0, scale: 1, x: 0, y: 0, columns: 2330, rows: 3358, page: WHOLE },
    });
  });

  it('centres a smaller page at its own size', () => {
    const page = { left: 0, top: 0, width: 1200, height: 1800 };
    const label = { width: 288, height: 432 };
    expect(placementOf(label, SHEET)).toMatchObject({ scale: 1, x: 565, y: 779, page });
  });

  it('shrinks a page that is larger than the sheet to the printable area', () => {
    const { scale, x, columns, page } = placementOf(LETTER, SHEET);
    expect([x, columns, page.width]).toEqual([0, 2330, 2330]);
    expect(scale).toBeCloseTo(2330 / 2550);
  });

  it('turns a page that lies across the sheet', () => {
    const across = placementOf({ width: 842, height: 595 }, SHEET);
    expect(across).toEqual({ ...placementOf(A4, SHEET), turns: 1 });
  });

  it.each([
    ['a square page', { width: 200, height: 200 }, SHEET],
    ['a wide page on a wide sheet', { width: 842, height: 595 }, sheetOf([11.69, 8.27], 300)],
    ['a wide page on a square sheet', { width: 842, height: 595 }, sheetOf([8, 8], 300)],
  ])('does not turn %s', (_, page, sheet) => {
    expect(placementOf(page, sheet).turns).toBe(0);
  });

  it.each([
    [203, 1],
    [300, 1],
    [305, 1],
    [360, 1],
    [400, 1],
    [600, 1],
    [720, 2],
    [1200, 2],
    [1440, 3],
    [2400, 4],
  ])('draws for %d dpi with pixels of %d dots', (dpi, step) => {
    expect(placementOf(A4, sheetOf(A4_INCHES, dpi))).toMatchObject({ stepX: step, stepY: step });
  });
});

describe('the laws of placing a page', () => {
  const inches = fc.double({ min: 0.4, max: 40, noNaN: true });
  const margin = fc.double({ min: 0, max: 0.15, noNaN: true });
  const pages = fc.record({ width: inches, height: inches }).map(({ width, height }): PageSize => ({
    width: width * POINTS_PER_INCH,
    height: height * POINTS_PER_INCH,
  }));
  const sheets = fc
    .record({
      size: fc.tuple(inches, inches),
      dpi: fc.tuple(...([72, 2880] as const).map(() => fc.integer({ min: 72, max: 2880 }))),
      margins: fc.tuple(margin, margin, margin, margin),
    })
    .map(({ size: [width, height], dpi: [dpiX, dpiY], margins: [left, top, right, bottom] }): Sheet => {
      const dots = (part: number, dpi = dpiX ?? 0): number => Math.round(part * dpi);
      return {
        ...{ width: dots(width), height: dots(height, dpiY), dpiX: dpiX ?? 0, dpiY: dpiY ?? 0, color: true },
        printable: {
          ...{ left: dots(left), top: dots(top, dpiY) },
          width: dots(width) - dots(left) - dots(right),
          height: dots(height, dpiY) - dots(top, dpiY) - dots(bottom, dpiY),
        },
      };
    });
  const holds = (
    law: (placement: Placement, page: PageSize, sheet: Sheet) => void,
    scaling?: 'actual' | 'fit',
  ) =>
    fc.assert(
      fc.property(pages, sheets, (page, sheet) => law(placementOf(page, sheet, scaling), page, sheet)),
    );

  /** Each direction of the picture, alone. */
  const directions = (placement: Placement, page: PageSize, sheet: Sheet) => {
    const [across, along] = placement.turns % 2 === 1 ? [page.height, page.width] : [page.width, page.height];
    const { printable } = sheet;
    return [
      {
        ...{ size: across / POINTS_PER_INCH, dpi: sheet.dpiX, step: placement.stepX, sheet: sheet.width },
        ...{ at: placement.x, pixels: placement.columns, from: printable.left, length: printable.width },
        ...{ page: placement.page.left, pagePixels: placement.page.width },
      },
      {
        ...{ size: along / POINTS_PER_INCH, dpi: sheet.dpiY, step: placement.stepY, sheet: sheet.height },
        ...{ at: placement.y, pixels: placement.rows, from: printable.top, length: printable.height },
        ...{ page: placement.page.top, pagePixels: placement.page.height },
      },
    ];
  };

  it.each([undefined, 'actual', 'fit'] as const)(
    'keeps proportions and the printable area (%s)',
    (scaling) => {
      holds((placement, page, sheet) => {
        for (const side of directions(placement, page, sheet)) {
          const dots = side.size * side.dpi * placement.scale;
          expect(Math.abs(side.pagePixels * side.step - dots)).toBeLessThanOrEqual(side.step);
          expect(side.at).toBeGreaterThanOrEqual(0);
          expect(side.at + side.pixels * side.step).toBeLessThan(side.length + side.step);
          expect(side.page).toBeLessThanOrEqual(0);
          expect(side.pixels).toBeLessThanOrEqual(side.page + side.pagePixels);
        }
      }, scaling);
    },
  );

  it('draws with at most 600 dpi, finer printers with at least 300', () => {
    holds((placement, page, sheet) => {
      for (const { dpi, step } of directions(placement, page, sheet)) {
        expect(dpi / step).toBeLessThanOrEqual(600);
        expect(dpi / step).toBeGreaterThanOrEqual(Math.min(dpi, 300));
      }
    });
  });

  it('puts an actual page at the corner of the sheet', () => {
    holds((placement, page, sheet) => {
      expect(placement.scale).toBe(1);
      for (const { at, from, page: start, step } of directions(placement, page, sheet)) {
        expect(Math.abs(at + start * step + from)).toBeLessThanOrEqual(step / 2);
      }
    }, 'actual');
  });

  it('fits a page into the printable area, one side of it exactly', () => {
    holds((placement, page, sheet) => {
      const sides = directions(placement, page, sheet);
      for (const side of sides) expect([side.page, side.pixels]).toEqual([0, side.pagePixels]);
      const rests = sides.map(({ length, pagePixels, step }) => (length - pagePixels * step) / step);
      expect(Math.min(...rests)).toBeLessThan(1);
    }, 'fit');
  });

  it('never enlarges a page, nor shrinks one that is no larger than its sheet', () => {
    holds((placement, page, sheet) => {
      const sides = directions(placement, page, sheet);
      const isLarger = sides.some(({ size, dpi, sheet: whole }) => size * dpi > whole + (5 / 72) * dpi);
      if (isLarger) expect(placement.scale).toBeLessThan(1);
      else expect(placement.scale).toBe(1);
    });
  });

  it('cuts nothing off a page that the printable area can hold', () => {
    holds((placement, page, sheet) => {
      for (const side of directions(placement, page, sheet)) {
        const isHeld = side.pagePixels * side.step <= side.length;
        const fillsSheet = Math.abs(side.sheet - side.pagePixels * side.step) <= (5 / 72) * side.dpi;
        if (isHeld && !fillsSheet) expect([side.page, side.pixels]).toEqual([0, side.pagePixels]);
      }
    });
  });
});

describe('cutting a page into bands', () => {
  it.each([
    ['colour', true, 6992],
    ['gray', false, 2332],
  ])('fills each row of %s to four bytes', (_, color, bytes) => {
    expect(strideOf(placementOf(A4, { ...SHEET, color }))).toBe(bytes);
  });

  it.each([
    ['A4', SHEET, A4],
    ['A0', sheetOf([33.1, 46.8], 300), { width: 2384, height: 3370 }],
  ])('covers each row of %s once, with at most 16 MiB a band', (_, sheet, page) => {
    const placement = placementOf(page, sheet);
    const bands = [...bandsOf(placement)];
    let next = 0;
    for (const { top, rows } of bands) {
      expect(top).toBe(next);
      expect(rows * strideOf(placement)).toBeLessThanOrEqual(16 * 1024 * 1024);
      next += rows;
    }
    expect(next).toBe(placement.rows);
    expect(bands.length).toBeGreaterThan(1);
  });
});
