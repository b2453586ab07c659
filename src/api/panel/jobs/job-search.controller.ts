import { Controller, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import {
  type FoundJobs,
  JobSearch,
  type JobSearchFilter,
} from '../../../../projections/job-view/job-search.js';
import type { JobDocument } from '../../../../projections/job-view/job-view.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import { JOB_STATUSES } from '../../../contexts/jobs/index.js';
import type { Keyset } from '../../../event-sourcing/index.js';
import { BareAnswer } from '../../../http/answer.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { bytes, ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { dateTime, integer, oneOf, text, uuid } from '../../../http/validation/rules.js';
import { Clock, type Instant } from '../../../kernel/time.js';
import { CursorLists, CursorQuery } from '../../lists.js';
import { jobResource, PrintJob } from '../../resources/print-job.resource.js';
import { panel } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';

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

const TEXT = {
  optional: true,
  description:
    'Begins the title (in any case), the external id or the job id (from its first 6 characters on)',
} as const;

const STATUS = {
  optional: true,
  description: '`unfinished`: it waits, or is at the Agent or the spooler',
} as const;

abstract class JobFilters extends CursorQuery {
  @Field(text({ max: 160 }), TEXT) q?: string;
  @Field(oneOf(...JOB_STATUSES, 'unfinished'), STATUS) status?: JobSearchFilter['status'];
  @Field(uuid(), optional) printer_id?: string;
  @Field(dateTime(), { optional: true, description: 'Created at this time or later' }) from?: Instant;
  @Field(dateTime(), { optional: true, description: 'Created before this time' }) to?: Instant;
}

export class SearchJobsQuery extends JobFilters {
  @Field(integer(1, 100), { optional: true, default: 50 }) limit: number = 50;
}

export class JobLinesQuery extends JobFilters {
  @Field(integer(1, 10_000), { optional: true, default: 10_000 }) limit: number = 10_000;
}

const Operation = operationsOf(panel, { tag: 'Jobs', scopes: ['jobs:read'], errors: ['PRINTER_NOT_FOUND'] });

/** Finds jobs for people: Integration clients list theirs by exact fields. */
@Controller()
export class PanelJobSearchController {
  constructor(
    private readonly jobs: JobSearch,
    private readonly printers: PrinterQueries,
    private readonly lists: CursorLists,
    private readonly clock: Clock,
  ) {}

  @Operation({
    id: 'searchJobs',
    route: 'GET /v1/panel/jobs',
    summary: 'Find print jobs',
    description:
      'Newest first. A page looks through a bounded number of jobs, so it may have fewer than `limit`, even none, ' +
      'although `has_more` is true.',
    limit: { perMinute: 120 },
    query: SearchJobsQuery,
    success: ok('A page of jobs.', PrintJob, { list: 'cursor' }),
  })
  async search(@Query() query: SearchJobsQuery, @Caller() caller: MemberPrincipal) {
    const { accountId } = caller;
    const filter = await this.filter(accountId, query);
    const list = this.lists.open('panel-jobs', caller, accountId, query);
    const { documents, ...page } = await list.follow((start) => this.jobs.find(accountId, filter, start));
    const now = this.clock.now();
    return { items: documents.map((job) => jobResource(job, now)), ...page };
  }

  @Operation({
    id: 'downloadJobs',
    route: 'GET /v1/panel/jobs.csv',
    summary: 'Download a table of print jobs',
    description:
      'CSV (RFC 4180) of the jobs that `searchJobs` finds, newest first, at most 10,000. The last line says if older ' +
      'ones are left out. A cell that a spreadsheet would run as a formula begins with an apostrophe.',
    limit: { perMinute: 10 },
    query: JobLinesQuery,
    success: bytes('The table, as an attachment.', { media: 'text/csv' }),
  })
  async download(
    @Query() query: JobLinesQuery,
    @Caller() caller: MemberPrincipal,
    @Req() { method }: FastifyRequest,
  ) {
    const { accountId } = caller;
    const filter = await this.filter(accountId, query);
    const list = this.lists.open('panel-jobs', caller, accountId, query);
    const lines = jobLines((page) => this.jobs.find(accountId, filter, page), list);
    return new BareAnswer(200, method === 'HEAD' ? '' : Readable.from(lines), {
      'content-type': 'text/csv; charset=utf-8',
      'content-security-policy': 'sandbox',
      'content-disposition': `attachment; filename="jobs-${this.clock.now().slice(0, 'YYYY-MM-DD'.length)}.csv"`,
    });
  }

  private async filter(accountId: string, query: JobFilters): Promise<JobSearchFilter> {
    const { status, printer_id: printerId, from, to } = query;
    if (printerId) orNotFound(await this.printers.getPrinter(accountId, printerId), 'PRINTER_NOT_FOUND');
    return { text: query.q?.trim() || undefined, status, printerId, from, to };
  }
}
