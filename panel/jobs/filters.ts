import type { PrintJob } from '../../sdk/src/generated/integration.js';

export const FILTERS = ['q', 'status', 'printer', 'from', 'to', 'cursor'] as const;

/** As in the address of the page; empty texts where nothing is chosen. `from` and `to` are days or minutes of this browser. */
export type JobFilters = Readonly<Record<(typeof FILTERS)[number], string>>;

export const isFiltered = ({ cursor: _, ...filters }: JobFilters) =>
  Object.values(filters).some((value) => value !== '');

/** Parameters of `searchJobs`; `to` includes its day or minute. */
export function queryOf({ q, status, printer, from, to, cursor }: JobFilters) {
  return {
    ...(q && { q }),
    ...(status && { status: status as PrintJob['status'] | 'unfinished' }),
    ...(printer && { printer_id: printer }),
    ...(startOf(from) && { from: startOf(from)! }),
    ...(startOf(to, 1) && { to: startOf(to, 1)! }),
    ...(cursor && { cursor }),
  };
}

/** Address of a page with these filters. */
export function pageWith(filters: Readonly<Record<string, string>>, path = '/jobs'): string {
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  const text = new URLSearchParams(given).toString();
  return text ? `${path}?${text}` : path;
}

/** `2026-11-25` or `2026-11-25T14:30` */
const MOMENT = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?$/;

/** When a day or minute of the zone of this browser begins, or a later one; undefined for neither. */
export function startOf(text: string, later = 0): string | undefined {
  const [year, month, date, hour, minute] = (MOMENT.exec(text) ?? [])
    .slice(1)
    .map((part) => Number(part ?? NaN));
  if (year === undefined) return undefined;
  const isDay = Number.isNaN(hour);
  const start = isDay
    ? new Date(year, month! - 1, date! + later)
    : new Date(year, month! - 1, date, hour, minute! + later);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}
