import fc from 'fast-check';
import { chosenPages } from '../chosen-pages.js';
import { printingOrder } from './page-order.js';

describe('choosing pages', () => {
  it.each<[string | undefined, number[]]>([
    [undefined, [0, 1, 2, 3, 4]],
    ['2', [1]],
    ['1-2,4-', [0, 1, 3, 4]],
    ['4-9', [3, 4]],
    ['6-', []],
  ])('%s of five are %j', (ranges, pages) => {
    expect(chosenPages(ranges, 5)).toEqual(pages);
  });
});

describe('the laws of the order of pages', () => {
  const cases = fc.record({
    count: fc.integer({ min: 1, max: 9 }),
    copies: fc.integer({ min: 1, max: 5 }),
    isCollated: fc.boolean(),
    sides: fc.constantFrom<1 | 2>(1, 2),
  });
  const holds = (
    law: (
      sheets: (number | undefined)[][],
      printed: { pages: number[]; copies: number; isCollated: boolean; sides: number },
    ) => void,
  ) =>
    fc.assert(
      fc.property(cases, ({ count, copies, isCollated, sides }) => {
        const pages = Array.from({ length: count }, (_, index) => index);
        const order = [...printingOrder(pages, copies, isCollated, sides)];
        const sheets = Array.from({ length: Math.ceil(order.length / sides) }, (_, index) =>
          order.slice(index * sides, (index + 1) * sides),
        );
        law(sheets, { pages, copies, isCollated, sides });
      }),
    );

  it('prints each page once per copy, and begins no sheet with an empty side', () => {
    holds((sheets, { pages, copies }) => {
      for (const page of pages) expect(sheets.flat().filter((side) => side === page)).toHaveLength(copies);
      for (const [front] of sheets) expect(front).toBeDefined();
      expect(sheets.flat().at(-1)).toBeDefined();
    });
  });

  it('ends a copy on the sheet on which it began, whole copies in a row or each sheet in a row', () => {
    holds((sheets, { pages, copies, isCollated, sides }) => {
      const perCopy = Math.ceil(pages.length / sides);
      const fronts = sheets.map((_, index) => (isCollated ? index % perCopy : Math.floor(index / copies)));
      expect(sheets).toHaveLength(perCopy * copies);
      expect(sheets.map(([front]) => front)).toEqual(fronts.map((sheet) => sheet * sides));
    });
  });
});
