const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** `3min ago`, `in 2h`. */
export function ago(at: string, now: number): string {
  const ms = Date.parse(at) - now;
  const [unit, size] = STEPS.find(([, step]) => Math.abs(ms) >= step) ?? STEPS.at(-1)!;
  return relative.format(Math.round(ms / size), unit);
}

/** Date, time and zone of this browser. */
export function whole(at: string): string {
  return exact.format(new Date(at));
}

/** `2026-11-25 12:03:07 UTC` */
export const utc = (at: string) => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const LONG_MS = 15 * 60_000;

/** `+62.140 s`, `+6 h 47 min`, `+2 days 3 h` */
export function offset(ms: number): string {
  if (ms < LONG_MS) return `+${(ms / 1000).toFixed(3)} s`;
  const minutes = Math.round(ms / 60_000);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  if (days > 0) return `+${days} ${days === 1 ? 'day' : 'days'} ${hours} h`;
  return hours > 0 ? `+${hours} h ${minutes % 60} min` : `+${minutes} min`;
}

/** `80 ms`, `10 min`, `2 h`, `3 days` */
export function duration(ms: number): string {
  if (ms >= 2 * 86_400_000) return `${Math.round(ms / 86_400_000)} days`;
  if (ms >= 2 * 3_600_000) return `${Math.round(ms / 3_600_000)} h`;
  if (ms >= 2 * 60_000) return `${Math.round(ms / 60_000)} min`;
  return ms < 100 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** `18 KB` */
export function size(bytes: number): string {
  if (bytes >= 1_048_576) return `${(bytes / 1_048_576).toFixed(1)} MB`;
  return bytes >= 1_024 ? `${Math.round(bytes / 1_024)} KB` : `${bytes} bytes`;
}

const two = (n: number) => String(n).padStart(2, '0');

/** `2026-11-25` in the zone of this browser, as the filters of lists want it. */
export function dayOf(ms: number): string {
  const at = new Date(ms);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** `2026-11-25T14:30`, for the same filters. */
export function minuteOf(ms: number): string {
  const at = new Date(ms);
  return `${dayOf(ms)}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
