import { dayOf, minuteOf } from '../look/times.js';
import { addUp, daySlots, hourSlots } from './slots.js';

const FROM = '2026-11-23T00:00:00.000Z';
const TO = '2026-11-25T10:30:00.000Z';

describe('the hours of a chart', () => {
  it('include the present one and have a tick every six hours', () => {
    const slots = hourSlots(FROM, TO);
    expect(slots).toHaveLength(59);
    expect(slots[0]).toMatchObject({ from: Date.parse(FROM), to: Date.parse(FROM) + 3_600_000 });
    expect(slots.at(-1)!.to).toBeGreaterThan(Date.parse(TO));
    expect(slots.filter(({ tick }) => tick !== undefined).length).toBe(10);
    expect(hourSlots(FROM, FROM)).toHaveLength(1);
  });
});

describe('the days of a chart', () => {
  it('follow each other without gaps, in the zone of the browser', () => {
    const slots = daySlots(FROM, TO);
    expect(slots[0]!.from).toBe(Date.parse(FROM));
    for (const [n, { from }] of slots.entries()) if (n > 0) expect(from).toBe(slots[n - 1]!.to);
    expect(slots.at(-1)!.to).toBeGreaterThanOrEqual(Date.parse(TO));
    for (const { from } of slots.slice(1)) expect(new Date(from).getHours()).toBe(0);
  });

  it('are named as the filters of the jobs want them', () => {
    expect(dayOf(new Date(2026, 0, 5, 23).getTime())).toBe('2026-01-05');
    expect(minuteOf(new Date(2026, 0, 5, 23, 7).getTime())).toBe('2026-01-05T23:07');
  });
});

describe('adding up', () => {
  it('counts each hour in the slot that has its beginning', () => {
    const rows = [
      { hour: '2026-11-23T00:00:00.000Z', done: 2 },
      { hour: '2026-11-23T01:00:00.000Z', done: 3 },
      { hour: '2026-11-23T02:00:00.000Z', done: 5 },
    ];
    const slots = [hourSlots(FROM, TO)[0]!, { ...hourSlots(FROM, TO)[1]!, to: Date.parse(TO) }];
    expect(addUp(slots, rows, ['done'])).toEqual([{ done: 2 }, { done: 8 }]);
  });
});
