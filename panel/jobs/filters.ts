import type { PrintJob } from '../../sdk/src/generated/integration.js';

export const FILTERS = ['q', 'status', 'printer', 'from', 'to', 'cursor'] as const;

/** As in the address of the page; empty texts where nothing is chosen. `from` and `to` are days of this browser. */
export type JobFilters = Readonly<Record<(typeof FILTERS)[number], string>>;

export const isFiltered = ({ cursor: _, ...filters }: JobFilters) =>
  Object.values(filters).some((value) => value !== '');

/** Parameters of `searchJobs`; `to` includes its day. */
export function queryOf({ q, status, printer, from, to, cursor }: JobFilters) {
  return {
    ...(q && { q }),
    ...(status && { status: status as PrintJob['status'] }),
    ...(printer && { printer_id: printer }),
    ...(startOf(from) && { from: startOf(from)! }),
    ...(startOf(to, 1) && { to: startOf(to, 1)! }),
    ...(cursor && { cursor }),
  };
}

/** Address of the page with these filters. */
export function pageWith(filters: Partial<JobFilters>): string {
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  const text = new URLSearchParams(given as [string, string][]).toString();
  return text ? `/jobs?${text}` : '/jobs';
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Midnight of a day in the zone of this browser, or of a day after it; undefined for no day. */
function startOf(day: string, later = 0): string | undefined {
  const [, year, month, date] = DAY.exec(day) ?? [];
  if (year === undefined) return undefined;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + later);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}
