import type { OperationSpec } from '../../../http/operation.js';
import { ETAG, IF_NONE_MATCH, JOB_POLLING, UNCHANGED } from '../../polling.js';
import { RESTORED_FROM } from '../../print-request.js';
import { integration } from '../integration.surface.js';
import { jobExamples, PrintJob } from '../../resources/print-job.resource.js';
import { CreatePrintJobBody, ListPrintJobsQuery, ReasonBody } from '../integration.requests.js';
import { PrintJobDetail } from './print-job-detail.resource.js';

const surface = integration;
/** Errors for the state of the account, in every operation except getAccount. */
const ADMISSION = ['SVC_ACCOUNT_SUSPENDED', 'SVC_PUBLIC_API_DISABLED'] as const;
const jobId = { job_id: 'SVC_JOB_NOT_FOUND' } as const;

export const createPrintJob: OperationSpec = {
  id: 'createPrintJob',
  surface,
  route: 'POST /v1/svc-api-print-jobs',
  summary: 'Create a print job',
  tag: 'Jobs',
  description:
    'Creates a job exactly once per Idempotency-Key. A repeat with the same payload answers the job as it is now ' +
    'with 200 and `Idempotent-Replayed: true`; another payload under the same key is a conflict.',
  scopes: ['jobs:create'],
  limit: { perMinute: 60 },
  idempotencyKey: true,
  carriesContent: true,
  body: CreatePrintJobBody,
  requestExample: {
    printer_id: PrintJob.example.printer_id,
    content: { type: 'text', encoding: 'utf8', data: 'Hello, printer' },
    external_id: 'order-4711',
    title: 'Receipt 4711',
  },
  success: [
    {
      status: 201,
      description: 'The job is queued.',
      type: PrintJob,
      codes: ['SVC_JOB_CREATED'],
      headers: RESTORED_FROM,
    },
    {
      status: 200,
      description: 'A replay: the original job as it is now.',
      type: PrintJob,
      codes: ['SVC_JOB_IDEMPOTENT_REPLAY'],
      headers: { 'Idempotent-Replayed': 'true on a replay', ...RESTORED_FROM },
    },
  ],
  errors: [
    ...ADMISSION,
    'SVC_PLAN_LIMIT_REACHED',
    'SVC_VIRTUAL_PRINTERS_ONLY',
    'SVC_PRINTER_NOT_FOUND',
    'SVC_PRINTER_NOT_READY',
    'SVC_CONTENT_TYPE_NOT_SUPPORTED',
    'SVC_JOB_IDEMPOTENCY_CONFLICT',
    'SVC_CONTENT_TOO_LARGE',
  ],
};

export const listPrintJobs: OperationSpec = {
  id: 'listPrintJobs',
  surface,
  route: 'GET /v1/svc-api-print-jobs',
  summary: 'List print jobs',
  tag: 'Jobs',
  description: 'Newest first.',
  scopes: ['jobs:read'],
  limit: { perMinute: 120 },
  query: ListPrintJobsQuery,
  headers: IF_NONE_MATCH,
  success: [
    {
      status: 200,
      description: 'A page of jobs.',
      type: PrintJob,
      list: 'page',
      codes: ['SVC_OK'],
      headers: ETAG,
    },
    UNCHANGED,
  ],
  errors: [...ADMISSION, 'SVC_PRINTER_NOT_FOUND'],
};

export const getPrintJob: OperationSpec = {
  id: 'getPrintJob',
  surface,
  route: 'GET /v1/svc-api-print-jobs/:job_id',
  summary: 'Get a print job with its history',
  tag: 'Jobs',
  description: JOB_POLLING.description,
  scopes: ['jobs:read'],
  limit: { perMinute: 120 },
  params: jobId,
  headers: JOB_POLLING.headers,
  success: [
    {
      status: 200,
      description: 'The job and its timeline, oldest first.',
      type: PrintJobDetail,
      codes: ['SVC_OK'],
      headers: JOB_POLLING.changed,
    },
    JOB_POLLING.unchanged,
  ],
  errors: [...ADMISSION, 'SVC_JOB_NOT_FOUND'],
};

export const cancelPrintJob: OperationSpec = {
  id: 'cancelPrintJob',
  surface,
  route: 'POST /v1/svc-api-print-jobs/:job_id/cancel',
  summary: 'Cancel a print job',
  tag: 'Jobs',
  description: 'Possible until an agent has accepted the job.',
  scopes: ['jobs:cancel'],
  limit: { perMinute: 60 },
  params: jobId,
  body: ReasonBody,
  requestExample: { reason: 'ordered twice' },
  success: {
    status: 200,
    description: 'The job is cancelled.',
    type: PrintJob,
    codes: ['SVC_JOB_CANCELLED'],
    example: jobExamples.cancelled,
  },
  errors: [...ADMISSION, 'SVC_JOB_NOT_FOUND', 'SVC_JOB_STATE_CONFLICT'],
};

export const retryPrintJob: OperationSpec = {
  id: 'retryPrintJob',
  surface,
  route: 'POST /v1/svc-api-print-jobs/:job_id/retry',
  summary: 'Retry a print job',
  tag: 'Jobs',
  description: 'Queues a job again that failed for now, or that waits for manual review.',
  scopes: ['jobs:retry'],
  limit: { perMinute: 60 },
  params: jobId,
  idempotencyKey: true,
  body: ReasonBody,
  requestExample: { reason: 'paper was out' },
  success: {
    status: 200,
    description: 'The job is queued again, or was by an earlier request with this key.',
    type: PrintJob,
    codes: ['SVC_JOB_RETRIED'],
    example: { ...PrintJob.example, retry_count: 1, retry_state: 'submitted' },
    headers: { 'Idempotent-Replayed': 'true on a replay' },
  },
  errors: [
    ...ADMISSION,
    'SVC_JOB_NOT_FOUND',
    'SVC_JOB_STATE_CONFLICT',
    'SVC_JOB_RETRY_DUPLICATION_RISK',
    'SVC_JOB_IDEMPOTENCY_CONFLICT',
  ],
};
