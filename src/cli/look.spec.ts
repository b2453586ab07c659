import { table, cut, fit, relative, widthOf } from './display.js';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');

describe('relative times', () => {
  it.each([
    ['2026-11-21T12:00:00.000Z', 'now'],
    ['2026-11-21T11:59:30.000Z', '30 s ago'],
    ['2026-11-21T11:57:00.000Z', '3 min ago'],
    ['2026-11-21T14:00:00.000Z', 'in 2 h'],
    ['2026-11-01T12:00:00.000Z', '20 d ago'],
    ['noon', 'noon'],
  ])('shows %s as %s', (text, shown) => {
    expect(relative(text, NOW)).toBe(shown);
  });
});

describe('fitting columns', () => {
  it('takes from the widest first, and nothing from columns that stay', () => {
    expect(fit([36, 20, 10], [false, true, true], 60)).toEqual([36, 14, 10]);
    expect(fit([36, 20, 10], [false, true, true], 50)).toEqual([36, 7, 7]);
  });

  it('ends when nothing can shrink further', () => {
    expect(fit([36, 20], [false, true], 10)).toEqual([36, 6]);
  });

  it('cuts whole characters by the columns that they take', () => {
    expect([widthOf('印刷'), cut('印刷機の名前', 6), widthOf('e\u0301')]).toEqual([4, '印刷…', 1]);
  });

  it('keeps every line of a table within the width, and ids whole', () => {
    const job_id = '0193b1c0-0000-7000-8000-000000000001';
    const items = [{ job_id, title: 'A long title that does not fit', printer_name: '印刷機の名前と場所' }];
    const lines = table(items, ['job_id', 'title', 'printer_name'], { width: 60 }).trimEnd().split('\n');
    expect(lines.map(widthOf).every((width) => width <= 60)).toBe(true);
    expect(lines[1]).toMatch(new RegExp(`^${job_id}  A long .*…  印刷.*…$`));
  });
});

describe('colours', () => {
  const items = [{ name: 'till', status: 'failed' }];

  it('paints heads and states after they are aligned', () => {
    const painted = table(items, ['status', 'name'], { hasColours: true });
    const bold = (text: string) => `\u001b[1m${text}\u001b[22m`;
    expect(painted).toBe(`${bold('STATUS')}  ${bold('NAME')}\n\u001b[31mfailed\u001b[39m  till\n`);
  });

  it('are left out by default', () => {
    expect(table(items, ['status', 'name'])).toBe('STATUS  NAME\nfailed  till\n');
  });
});
