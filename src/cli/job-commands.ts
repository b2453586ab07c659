import * as columns from './columns.js';
import type { Command, Input } from './command.js';
import { createJobs } from './create-job.js';
import { count, get, idOf, jobFlags, moment, oneAccount, option, post } from './inputs.js';

const key: Input = {
  ...option('idempotency_key', 'repeats with this key act once (8 characters or more)', 'KEY'),
  unsent: true,
};
const reason = option('reason', 'why, for the history', 'TEXT');

/** An operation of the Integration API on one job, in its account. */
const onOne = (verb: string, says: string, more: Partial<Command>): Command =>
  post(`job ${verb}`, `/svc-api-print-jobs/{id}/${verb}`, says, {
    ...{ surface: 'integration', args: [idOf('job')], ...more },
  });

export const jobCommands: readonly Command[] = [
  get('job list', '/jobs', 'list jobs, newest first', {
    flags: [
      oneAccount(),
      option('status', 'only in this status, as manual_review', 'STATUS'),
      option('limit', 'at most so many jobs, 1 to 1000 (default 100)', 'N', count),
    ],
    columns: { items: columns.JOBS },
  }),
  get('job show', '/jobs/{id}', 'show a job with its history, account and computer', {
    args: [idOf('job')],
    flags: [{ ...moment, summary: 'all of it as it was then (RFC 3339)' }],
    columns: { history: columns.HISTORY },
  }),
  get('job history', '/jobs/{id}', 'show the history of a job, oldest first', {
    args: [idOf('job')],
    columns: { history: columns.HISTORY },
    only: ['job_id', 'status', 'history', 'history_truncated'],
    rows: 'history',
  }),

  get('job explain', '/jobs/{id}/explanation', 'explain why a job has not printed, and what to do', {
    args: [idOf('job')],
    columns: { evidence: ['at', 'text'], next_steps: ['action', 'text', 'operation'] },
  }),

  post('job create', '/jobs', 'print files', {
    args: [
      {
        field: 'files',
        summary: 'PDFs, .txt, or bytes for the printer as they are',
        value: 'FILE',
        many: true,
      },
    ],
    flags: jobFlags,
    work: createJobs,
  }),
  onOne('cancel', 'cancel a job that no Agent has accepted', { flags: [reason] }),
  onOne('retry', 'print a failed job again, or one that waits for a decision', {
    flags: [reason, key],
    keyed: true,
  }),
  onOne('reprint', 'print the document of a job again, as a new job', {
    flags: [{ ...option('printer_id', 'another printer', 'P'), flag: 'printer', is: 'printer' }, key],
    keyed: true,
  }),
  post('job release', '/jobs/release', 'print the jobs again that a restore parked', {
    flags: [{ ...option('restored_before', 'parked before (RFC 3339)', 'TIME'), required: true }],
  }),
];
