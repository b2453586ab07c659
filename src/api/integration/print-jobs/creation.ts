import type { JobDocument } from '../../../../projections/job-view/job-view.js';
import type { RecentRestore } from '../../../contexts/recovery/index.js';
import { answer } from '../../../http/answer.js';
import { created, ok } from '../../../http/operation.js';
import type { Instant } from '../../../kernel/time.js';
import { RESTORED_FROM, restoredFrom } from '../../print-request.js';
import { jobResource, PrintJob } from '../../resources/print-job.resource.js';

/** The header of an answer to a repeat. */
export const REPLAYED = { 'idempotent-replayed': 'true' } as const;

/** The answers of operations that create a job once per Idempotency-Key. */
export const CREATED_ONCE = [
  created('The job is queued.', PrintJob, { code: 'SVC_JOB_CREATED', headers: RESTORED_FROM }),
  ok('A replay: the original job as it is now.', PrintJob, {
    code: 'SVC_JOB_IDEMPOTENT_REPLAY',
    headers: { 'Idempotent-Replayed': 'true on a replay', ...RESTORED_FROM },
  }),
];

export const CREATION_ERRORS = [
  'SVC_PLAN_LIMIT_REACHED',
  'SVC_VIRTUAL_PRINTERS_ONLY',
  'SVC_PRINTER_NOT_FOUND',
  'SVC_PRINTER_NOT_READY',
  'SVC_CONTENT_TYPE_NOT_SUPPORTED',
  'SVC_AGENT_TOO_OLD',
  'SVC_OPTION_NOT_SUPPORTED',
  'SVC_JOB_IDEMPOTENCY_CONFLICT',
  'SVC_CONTENT_TOO_LARGE',
] as const;

export function submittedAnswer(
  job: JobDocument,
  { replayed }: { readonly replayed: boolean },
  restore: RecentRestore,
  at: Instant,
) {
  const resource = jobResource(job, at);
  const headers = restoredFrom(restore, at);
  return replayed
    ? answer(resource, { status: 200, headers: { ...REPLAYED, ...headers } })
    : answer(resource, { headers });
}
