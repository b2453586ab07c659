import fc from 'fast-check';
import { DrawnSheet, sheetOf } from '../../../test/kit/drawn-sheet.js';
import { placementOf, strideOf } from './page-layout.js';
import { stripsOf } from './page-strips.js';

/** One inch with as many dots, of which all can be printed. */
const pictureOf = (dots: number, color: boolean) => {
  const sheet = sheetOf([1, 1], dots, 0, color);
  return { sheet, placement: placementOf({ width: 72, height: 72 }, sheet) };
};
const WHITE = 0xffffff;

describe('the strips of a band', () => {
  it('show each pixel as it was drawn', () => {
    const dots = 30;
    const { sheet, placement } = pictureOf(dots, true);
    const rows = fc.array(
      fc.constantFrom<[number, number]>([0, 0], [0, 0], [0, 1], [3, 2], [3, 20], [1, 999]),
      {
        ...{ minLength: dots, maxLength: dots },
      },
    );
    fc.assert(
      fc.property(rows, (colors) => {
        const colorAt = (x: number, y: number): number => {
          const [from = 0, count = 0] = colors[y] ?? [];
          return x < from || count === 0 ? WHITE : ((y * dots + x) % count) * 4099;
        };
        const bytes = new Uint8Array(strideOf(placement) * dots).fill(0xff);
        for (let y = 0; y < dots; y++)
          for (let x = 0; x < dots; x++) {
            const color = colorAt(x, y);
            bytes.set([color & 0xff, (color >> 8) & 0xff, color >> 16], y * strideOf(placement) + x * 3);
          }
        const drawn = new DrawnSheet(sheet, stripsOf(bytes, placement, { top: 0, rows: dots }));
        for (let y = 0; y < dots; y++)
          for (let x = 0; x < dots; x++)
            if (drawn.at(x, y) !== colorAt(x, y)) throw new Error(`another colour at ${x}, ${y}`);
      }),
    );
  });

  it.each<[number, number]>([
    [1, 1],
    [2, 1],
    [3, 4],
    [16, 4],
    [17, 8],
    [256, 8],
    [257, 24],
  ])('have for %d colours %d bits a pixel', (colors, bits) => {
    const { placement } = pictureOf(20, true);
    const bytes = new Uint8Array(strideOf(placement) * 20);
    for (let pixel = 0; pixel < 400; pixel++)
      bytes.set([pixel % colors, (pixel % colors) >> 8, 0], pixel * 3);
    expect(stripsOf(bytes, placement, { top: 0, rows: 20 })).toMatchObject([{ bits }]);
  });

  it('are black from 50 % gray on for a printer of one colour', () => {
    const { placement } = pictureOf(4, false);
    const bytes = Uint8Array.of(...[0, 127, 128, 255], ...Array<number>(12).fill(200));
    const [strip, ...others] = stripsOf(bytes, placement, { top: 0, rows: 4 });

    expect(others).toEqual([]);
    expect(strip).toMatchObject({ x: 0, y: 0, columns: 2, rows: 1, bits: 1, palette: [0] });
  });

  it('are cut between lines of text, and not within one', () => {
    const { placement } = pictureOf(40, false);
    const bytes = new Uint8Array(40 * 40).fill(0xff);
    for (const row of [3, 10, 30]) bytes[row * 40 + row] = 0;
    const strips = stripsOf(bytes, placement, { top: 0, rows: 40 });

    expect(strips).toMatchObject([
      { x: 3, y: 3, columns: 8, rows: 8 },
      { x: 30, y: 30, columns: 1, rows: 1 },
    ]);
  });
});
