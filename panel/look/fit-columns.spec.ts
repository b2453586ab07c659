import { fitColumns } from './fit-columns.js';

const COLUMNS = [
  { id: 'title', width: 200, grow: 2 },
  { id: 'status', width: 100 },
  { id: 'printer', width: 150, grow: 1, priority: 2 },
  { id: 'external', width: 120, priority: 4 },
  { id: 'created', width: 100, priority: 3 },
];

describe('fitting columns into a width', () => {
  it('shares what is left among the columns that grow', () => {
    expect(fitColumns(COLUMNS, 970, 36)).toEqual({
      widths: { title: 400, status: 100, printer: 250, external: 120, created: 100 },
      hidden: [],
    });
  });

  it('hides the columns with the highest number first', () => {
    expect(fitColumns(COLUMNS, 600, 36).hidden).toEqual(['external']);
    expect(fitColumns(COLUMNS, 500, 36).hidden).toEqual(['external', 'created']);
  });

  it('keeps room for the button that opens the detail', () => {
    expect(fitColumns(COLUMNS, 550, 0).hidden).toEqual(['external']);
    expect(fitColumns(COLUMNS, 550, 36).hidden).toEqual(['external', 'created']);
  });

  it('never hides a column of priority 1', () => {
    expect(fitColumns(COLUMNS, 10, 36)).toEqual({
      widths: { title: 200, status: 100 },
      hidden: ['printer', 'external', 'created'],
    });
  });
});
