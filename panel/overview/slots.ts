/** Part of the time that a chart shows, in the zone of this browser. */
export interface Slot {
  /** Milliseconds since 1970; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** `Wed 25 Nov, 14:00`, or `Wed 25 Nov` for a day. */
  readonly label: string;
  /** Stands below the slot, if there is room. */
  readonly tick?: string;
}

export const HOUR_MS = 3_600_000;
const HOURS_BETWEEN_TICKS = 6;
const DAYS_BETWEEN_TICKS = 5;

const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** The hours of the range, the one of `to` last. */
export function hourSlots(from: string, to: string): readonly Slot[] {
  const slots: Slot[] = [];
  for (let start = Date.parse(from); start <= Date.parse(to); start += HOUR_MS) {
    const at = new Date(start);
    const hour = at.getHours();
    const tick = hour === 0 ? shortDay.format(at) : clock.format(at);
    slots.push({
      from: start,
      to: start + HOUR_MS,
      label: `${day.format(at)}, ${clock.format(at)}`,
      ...(hour % HOURS_BETWEEN_TICKS === 0 && { tick }),
    });
  }
  return slots;
}

/** The days of the range; the first one may be cut off. */
export function daySlots(from: string, to: string): readonly Slot[] {
  const slots: Slot[] = [];
  let start = new Date(from);
  for (let n = 0; start.getTime() <= Date.parse(to); n++) {
    const end = new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1);
    const tick = n % DAYS_BETWEEN_TICKS === 0 && { tick: shortDay.format(start) };
    slots.push({ from: start.getTime(), to: end.getTime(), label: day.format(start), ...tick });
    start = end;
  }
  return slots;
}

/** What lies in each slot, added up. */
export function addUp<K extends string>(
  slots: readonly Slot[],
  rows: readonly ({ readonly hour: string } & Readonly<Record<K, number>>)[],
  fields: readonly K[],
): readonly Readonly<Record<K, number>>[] {
  const timed = rows.map((row) => [Date.parse(row.hour), row] as const);
  return slots.map(({ from, to }) => {
    const inside = timed.flatMap(([at, row]) => (at >= from && at < to ? [row] : []));
    const sums = fields.map((field) => [field, inside.reduce((sum, row) => sum + row[field], 0)]);
    return Object.fromEntries(sums) as Record<K, number>;
  });
}
