import type { ErrorCatalogue } from '../../http/errors/api-error.js';
import { conflict, notFound, plainErrors } from '../../http/errors/shared.errors.js';

/** Every code the Agent surface can answer. */
export const agentErrors = {
  ...plainErrors,
  JOB_NOT_FOUND: notFound('job'),
  LEASE_NOT_FOUND: notFound('lease'),
  CONTENT_NOT_FOUND: notFound('content'),
  CONTENT_DAMAGED: {
    status: 404,
    retryable: false,
    cause: "The document is damaged in the service's store; the service has ended this attempt.",
    remedy: 'Drop the job, report nothing.',
  },
  SESSION_NOT_FOUND: {
    status: 404,
    retryable: false,
    cause:
      'The service does not know this session, though it is newer than all it knows: its store went back in time.',
    remedy: 'Begin a new session with the whole journal.',
  },
  LEASE_LOST: conflict('The lease lapsed, was released or belongs to an older attempt.', 'Start nothing.'),
  JOB_EXPIRED: conflict('The job expired.', 'Start nothing; drop the job.'),
  SESSION_REPLACED: conflict('A newer session of this computer exists.', 'Stop, or start a new session.'),
  CONTENT_MISMATCH: {
    status: 422,
    retryable: false,
    cause: 'content_hash is not that of the job.',
    remedy: 'Fetch the content again.',
  },
} as const satisfies ErrorCatalogue;

declare module '../../http/errors/api-error.js' {
  interface SurfaceCodes {
    agent: keyof typeof agentErrors;
  }
}
