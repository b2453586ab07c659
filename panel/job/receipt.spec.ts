import { receiptRows } from './receipt.js';

describe('the receipt of a job', () => {
  it('shows what was asked beside what was printed', () => {
    const options = { paper: { width_mm: 100, height_mm: 150 }, scale: 'actual', color: true } as const;
    const applied = {
      paper: 'custom_label_100x150mm',
      sheet_mm: [100, 150],
      scale: 'actual',
      color: false,
      drawn_percent: 100,
    } as const;
    expect(receiptRows(options, { ...applied, sheet_mm: [100, 150] })).toEqual([
      { label: 'Paper', asked: '100 × 150 mm', printed: 'Label, 100 × 150 mm' },
      { label: 'Sheet', asked: undefined, printed: '100 × 150 mm' },
      { label: 'Color', asked: 'yes', printed: 'no' },
      { label: 'Size', asked: 'actual', printed: 'actual' },
      { label: 'Drawn at', asked: undefined, printed: '100 %' },
    ]);
  });

  it('has a row for an option that nobody has reported on yet', () => {
    expect(receiptRows({ pages: '1-3' }, undefined)).toEqual([
      { label: 'Pages', asked: '1-3', printed: undefined },
    ]);
  });

  it('is empty for a job without options that is not printed yet', () => {
    expect(receiptRows(undefined, undefined)).toEqual([]);
  });
});
