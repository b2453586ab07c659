import * as columns from './columns.js';
import type { Command } from './command.js';
import { createJobs } from './create-job.js';
import { count, get, id, jobFlags, moment, option, post } from './inputs.js';

export const jobCommands: readonly Command[] = [
  get('job list', '/jobs', 'list jobs, newest first', {
    flags: [
      { field: 'account_id', flag: 'account', summary: 'only of this account', value: 'ID' },
      option('status', 'only in this status, as manual_review', 'STATUS'),
      option('limit', 'at most so many jobs, 1 to 1000 (default 100)', 'N', count),
    ],
    columns: { items: columns.JOBS },
  }),
  get('job show', '/jobs/{id}', 'show a job with its history, account and computer', {
    args: [id],
    flags: [{ ...moment, summary: 'all of it as it was then (RFC 3339)' }],
    columns: { history: columns.HISTORY },
  }),
  get('job history', '/jobs/{id}', 'show the history of a job, oldest first', {
    args: [id],
    columns: { history: columns.HISTORY },
    only: ['job_id', 'status', 'history', 'history_truncated'],
  }),

  get('job explain', '/jobs/{id}/explanation', 'explain why a job has not printed, and what to do', {
    args: [id],
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
  post('job release', '/jobs/release', 'print the jobs again that a restore parked', {
    flags: [{ ...option('restored_before', 'parked before (RFC 3339)', 'TIME'), required: true }],
  }),
];
