import type { OperationSpec } from '../../../http/operation.js';
import { agent } from '../agent.surface.js';
import { AcceptBody, BATCH_BYTES, HandoffBody, ReportsBody } from '../agent.requests.js';
import { AcceptedJob, HandoffPermit, ReportResults } from '../agent.resources.js';

const surface = agent;
const params = { job_id: 'JOB_NOT_FOUND' } as const;
const id = '01990000-0000-7000-8000-000000000001';
const position = `2026-11-21T12:00:00.000Z/job-${id}/0000000004/${id}/AbCdEfGhIjKlMnOpQrSt-_`;

export const getJobContent: OperationSpec = {
  id: 'getJobContent',
  surface,
  route: 'GET /v1/agent/jobs/:job_id/content',
  summary: 'Download the document of a job',
  tag: 'Jobs',
  params,
  headers: {
    Range: 'One range of bytes (RFC 9110)',
    'If-Range': 'The ETag of the part already held: another document is sent whole',
    'If-None-Match': 'The ETag already held',
  },
  success: [
    {
      status: 200,
      description: 'The whole document.',
      media: 'application/octet-stream',
      headers: { ETag: 'SHA-256 of the document, quoted' },
    },
    {
      status: 206,
      description: 'The range asked for.',
      media: 'application/octet-stream',
      headers: { 'Content-Range': 'Which bytes these are' },
    },
    { status: 304, description: 'The agent holds it already.' },
    { status: 416, description: 'The range lies outside the document.' },
  ],
  errors: ['JOB_NOT_FOUND', 'CONTENT_NOT_FOUND', 'CONTENT_DAMAGED'],
};

export const acceptJob: OperationSpec = {
  id: 'acceptJob',
  surface,
  route: 'POST /v1/agent/jobs/:job_id/accept',
  summary: 'Accept a print job',
  tag: 'Jobs',
  description: 'Confirms that the agent holds the document and has verified its hash.',
  params,
  body: AcceptBody,
  requestExample: {
    session_id: id,
    lease_id: id,
    fence: 1,
    content_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  success: {
    status: 200,
    description: 'The job is the agent’s until it reports.',
    type: AcceptedJob,
    codes: ['OK'],
    example: { job_id: id, fence: 1, status: 'accepted_by_agent' },
  },
  errors: [
    'JOB_NOT_FOUND',
    'LEASE_LOST',
    'JOB_EXPIRED',
    'CONTENT_MISMATCH',
    'SESSION_REPLACED',
    'SESSION_NOT_FOUND',
  ],
};

export const startHandoff: OperationSpec = {
  id: 'startHandoff',
  surface,
  route: 'POST /v1/agent/jobs/:job_id/handoff',
  summary: 'Request the hand-off permit',
  tag: 'Jobs',
  description: 'Without the permit the document must not reach the spooler.',
  params,
  body: HandoffBody,
  requestExample: { session_id: id, lease_id: id, fence: 1 },
  success: {
    status: 200,
    description: 'Begin now: from here on the document may have been printed.',
    type: HandoffPermit,
    codes: ['OK'],
    example: { permit: true, permit_seconds: 15, position },
  },
  errors: ['JOB_NOT_FOUND', 'LEASE_LOST', 'JOB_EXPIRED', 'SESSION_REPLACED', 'SESSION_NOT_FOUND'],
};

export const reportEvents: OperationSpec = {
  id: 'reportEvents',
  surface,
  route: 'POST /v1/agent/events',
  summary: 'Report progress and results',
  tag: 'Jobs',
  description:
    'Each event is judged on its own: applied, duplicate, late (recorded, nothing changed) or rejected with a code. ' +
    'Fields of an event: event_id, job_id, lease_id, fence, type, occurred_at, spooler_provider?, spooler_job_id?, ' +
    'failure_code?, failure_class?, message?.',
  body: ReportsBody,
  maxBodyBytes: BATCH_BYTES,
  requestExample: {
    session_id: id,
    events: [
      {
        event_id: id,
        job_id: id,
        lease_id: id,
        fence: 1,
        type: 'spooled',
        occurred_at: '2026-11-21T12:00:01.000Z',
        spooler_provider: 'cups',
        spooler_job_id: '7',
      },
    ],
  },
  success: {
    status: 200,
    description: 'What became of each event.',
    type: ReportResults,
    codes: ['OK'],
    example: { results: [{ event_id: id, result: 'applied' }] },
  },
  errors: ['SESSION_REPLACED', 'SESSION_NOT_FOUND'],
};
