import type { OperationSpec } from '../../../http/operation.js';
import { RESTORED_FROM } from '../../print-request.js';
import { partner as surface } from '../partner.surface.js';
import { Job } from './job.resource.js';
import { CreateJobBody, ListJobsQuery } from '../partner.requests.js';
import { ETAG, IF_NONE_MATCH, JOB_POLLING, UNCHANGED } from '../../polling.js';

const ofAccount = { account_id: 'ACCOUNT_NOT_FOUND' } as const;

export const createJob: OperationSpec = {
  id: 'createJob',
  surface,
  route: 'POST /v1/accounts/:account_id/jobs',
  summary: 'Create a print job',
  tag: 'Jobs',
  description:
    'Creates a job exactly once per Idempotency-Key. A repeat of the same request answers the job as it is now; ' +
    'another request under the same key is a conflict.',
  scopes: ['jobs:write'],
  limit: { perMinute: 300 },
  params: ofAccount,
  idempotencyKey: true,
  carriesContent: true,
  body: CreateJobBody,
  requestExample: {
    printer_id: Job.example.printer_id,
    content: { type: 'text', encoding: 'utf8', data: 'Hello, printer' },
    external_id: 'order-4711',
    title: 'Receipt 4711',
  },
  success: [
    {
      status: 201,
      description: 'The job is queued.',
      type: Job,
      codes: ['JOB_CREATED'],
      headers: RESTORED_FROM,
    },
    {
      status: 200,
      description: 'A replay: the original job as it is now.',
      type: Job,
      codes: ['JOB_IDEMPOTENT_REPLAY'],
      headers: { 'Idempotent-Replayed': 'true on a replay', ...RESTORED_FROM },
    },
  ],
  errors: [
    'PLAN_LIMIT_REACHED',
    'SVC_ACCOUNT_SUSPENDED',
    'PUBLIC_API_DISABLED',
    'SVC_VIRTUAL_PRINTERS_ONLY',
    'PRINTER_NOT_FOUND',
    'SVC_IDEMPOTENCY_CONFLICT',
    'PRINTER_NOT_READY',
    'CONTENT_TYPE_NOT_SUPPORTED',
    'ACCOUNT_CLOSED',
    'CONTENT_TOO_LARGE',
  ],
};

export const listJobs: OperationSpec = {
  id: 'listJobs',
  surface,
  route: 'GET /v1/accounts/:account_id/jobs',
  summary: 'List print jobs',
  tag: 'Jobs',
  description: 'Newest first.',
  scopes: ['jobs:read'],
  limit: { perMinute: 300 },
  params: ofAccount,
  query: ListJobsQuery,
  headers: IF_NONE_MATCH,
  success: [
    {
      status: 200,
      description: 'A page of jobs.',
      type: Job,
      list: 'cursor',
      codes: ['OK'],
      headers: ETAG,
    },
    UNCHANGED,
  ],
  errors: ['PRINTER_NOT_FOUND'],
};

export const getJob: OperationSpec = {
  id: 'getJob',
  surface,
  route: 'GET /v1/accounts/:account_id/jobs/:job_id',
  summary: 'Get a print job',
  tag: 'Jobs',
  description: JOB_POLLING.description,
  scopes: ['jobs:read'],
  limit: { perMinute: 600 },
  params: { ...ofAccount, job_id: 'JOB_NOT_FOUND' },
  headers: JOB_POLLING.headers,
  success: [
    {
      status: 200,
      description: 'The job as it is now; after a wait, as it has become.',
      type: Job,
      codes: ['OK'],
      headers: JOB_POLLING.changed,
    },
    JOB_POLLING.unchanged,
  ],
};
