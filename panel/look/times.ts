const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** `3 min ago`, `in 2 h`. */
export function ago(at: string, now: number): string {
  const ms = Date.parse(at) - now;
  if (Math.abs(ms) < 1_000) return 'now';
  return ms > 0 ? `in ${age(ms)}` : `${age(-ms)} ago`;
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

/** `50 s`, `10 min`, `2 h`, `3 days`: the same on every page. */
export function age(ms: number): string {
  if (ms >= 1.5 * 86_400_000) return `${Math.round(ms / 86_400_000)} days`;
  if (ms >= 1.5 * 3_600_000) return `${Math.round(ms / 3_600_000)} h`;
  if (ms >= 1.5 * 60_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 1_000)} s`;
}

/** An age, with parts of seconds while they matter: `80 ms`, `4.2 s`, `10 min`. */
export function duration(ms: number): string {
  if (ms >= 1.5 * 60_000) return age(ms);
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
