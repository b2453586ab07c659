import fc from 'fast-check';
import { resolvePaper } from '../../src/contexts/jobs/domain/print-options.js';
import { unsupportedOptions } from '../../src/contexts/jobs/print-target.js';

/** Sizes of ISO 216, DIN 476-2, ASME Y14.1 and cards of the USA. */
const KNOWN = {
  ...{
    A2: [420, 594],
    A3: [297, 420],
    A4: [210, 297],
    A5: [148, 210],
    A6: [105, 148],
    A7: [74, 105],
    A8: [52, 74],
  },
  ...{ B4: [250, 353], B5: [176, 250], B6: [125, 176], C5: [162, 229], C6: [114, 162], DL: [110, 220] },
  ...{ Letter: [215.9, 279.4], Legal: [215.9, 355.6], Tabloid: [279.4, 431.8], Ledger: [279.4, 431.8] },
  ...{ Executive: [184.15, 266.7], Statement: [139.7, 215.9], '3x5': [76.2, 127], '4x6': [101.6, 152.4] },
  ...{ '5x7': [127, 177.8], '5x8': [127, 203.2], '8x10': [203.2, 254] },
} as const;
const shortName = fc.constantFrom(...(Object.keys(KNOWN) as (keyof typeof KNOWN)[]));
const letters = fc.infiniteStream(fc.boolean());
const tenths = fc.integer({ min: 10, max: 20_000 }).map((n) => n / 10);
const stem = fc.stringMatching(/^[a-z]{1,8}_[a-z0-9-]{1,12}$/);

describe('the laws of papers', () => {
  it('resolve each short name, in any case, to a PWG name and the size of the standard', () => {
    fc.assert(
      fc.property(shortName, letters, (name, upper) => {
        const spelt = [...name].map((c) => (upper.next().value ? c.toUpperCase() : c.toLowerCase())).join('');
        const [width_mm, height_mm] = KNOWN[name];
        expect(resolvePaper(spelt)).toEqual({
          name: expect.stringMatching(/^(iso|na)_[a-z0-9-]+_[\d.]+x[\d.]+(mm|in)$/),
          width_mm,
          height_mm,
        });
      }),
    );
  });

  it('read the size from each PWG name, and keep the name', () => {
    fc.assert(
      fc.property(stem, tenths, tenths, fc.constantFrom('mm', 'in'), (name, width, height, unit) => {
        const paper = resolvePaper(`${name}_${width}x${height}${unit}`);
        const mm = unit === 'in' ? 25.4 : 1;
        expect(paper.name).toBe(`${name}_${width}x${height}${unit}`);
        expect(paper.width_mm).toBeCloseTo(width * mm, 2);
        expect(paper.height_mm).toBeCloseTo(height * mm, 2);
      }),
    );
  });

  it('resolve a resolved name to the same paper, and a size to itself', () => {
    fc.assert(
      fc.property(fc.oneof(shortName, fc.string({ minLength: 1 })), (name) => {
        const paper = resolvePaper(name);
        expect(resolvePaper(paper.name!)).toEqual(paper);
      }),
    );
    fc.assert(
      fc.property(tenths, tenths, (width_mm, height_mm) => {
        expect(resolvePaper({ width_mm, height_mm })).toEqual({ width_mm, height_mm });
      }),
    );
  });

  it('allow a paper by name and by size if the printer lists it, or a range around it', () => {
    fc.assert(
      fc.property(stem, tenths, tenths, fc.integer({ min: 0, max: 90 }), (name, width, height, slack) => {
        const range = [
          `custom_min_${Math.max(0, width - slack)}x${Math.max(0, height - slack)}mm`,
          `custom_max_${width + slack}x${height + slack}mm`,
        ];
        const own = `${name}_${width}x${height}mm`;
        for (const papers of [[own], range])
          for (const paper of [own, { width_mm: width, height_mm: height }])
            expect(unsupportedOptions({ paper }, capabilities(papers))).toEqual([]);
      }),
    );
  });
});

const capabilities = (papers: readonly string[]) => ({
  contentTypes: ['pdf'] as const,
  ...{ color: null, duplex: null, papers, options: ['paper'] },
});
