import { setImmediate } from 'node:timers/promises';
import type { FoundJobs } from '../../../../projections/job-view/job-search.js';
import type { JobDocument } from '../../../../projections/job-view/job-view.js';
import type { Keyset } from '../../../event-sourcing/index.js';

const COLUMNS = {
  'Job id': (job) => job.job_id,
  Title: (job) => job.title,
  'External id': (job) => job.external_id,
  Status: (job) => job.status,
  Printer: (job) => job.printer_name,
  Computer: (job) => job.computer_name,
  Copies: (job) => String(job.copies),
  Created: (job) => job.created_at,
  Changed: (job) => job.updated_at,
  Completed: (job) => job.completed_at,
  Attempts: (job) => String(job.attempt_count),
  'Failure code': (job) => job.failure_code,
  'Failure message': (job) => job.failure_message,
} as const satisfies Record<string, (job: JobDocument) => string | undefined>;

/** Spreadsheets take the encoding from it. */
const BYTE_ORDER_MARK = '\ufeff';
const AT_ONCE = 500;
/** Twice as many as full pages need: rare matches fill a part of each. */
const MAX_PAGES = 40;
const FORMULA = /^[=+\-@\t\r]/;

/** Lines of a CSV table, a page of jobs at once; other requests are answered between two pages. */
export async function* jobLines(
  find: (page: Keyset) => Promise<FoundJobs>,
  { limit, after }: Keyset,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + line(Object.keys(COLUMNS));
  let left = limit;
  let at = after;
  for (let pages = 0; pages < MAX_PAGES && left > 0; pages++) {
    const { documents, next } = await find({ limit: Math.min(left, AT_ONCE), ...(at && { after: at }) });
    left -= documents.length;
    at = next;
    yield documents.map((job) => line(Object.values(COLUMNS).map((valueOf) => valueOf(job)))).join('');
    if (at === undefined) return;
    await setImmediate();
  }
  yield line(['Older jobs are left out: filter by dates to get them.']);
}

function line(values: readonly (string | undefined)[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

/** https://owasp.org/www-community/attacks/CSV_Injection */
function cell(value = ''): string {
  const defused = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused;
}
