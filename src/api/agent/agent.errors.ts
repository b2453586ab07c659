import { ApiError, type ErrorCatalogue, type RejectionTable } from '../../http/errors/api-error.js';
import { conflict, notFound, plainErrors } from '../../http/errors/shared.errors.js';
import type { RenewCredential, ReportInventory, StartAgentSession } from '../../contexts/devices/index.js';
import type { AcceptJob, ReleaseLease, ReportProgress, StartHandoff } from '../../contexts/jobs/index.js';
import type { RejectionOf } from '../../kernel/command.js';

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
  CREDENTIAL_NOT_DUE: conflict(
    'The credential ends in more than 30 days.',
    'Go on with it; renew it from 30 days before its end.',
  ),
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

/** The error for each rejection of an agent's commands to jobs. */
export const jobRejections: RejectionTable<
  RejectionOf<ReleaseLease | AcceptJob | StartHandoff | ReportProgress>
> = {
  JobNotFound: 'JOB_NOT_FOUND',
  LeaseLost: 'LEASE_LOST',
  LeaseNotReleasable: () =>
    new ApiError('LEASE_LOST', 'The job has been accepted: report not_submitted to give it back.'),
  JobExpired: 'JOB_EXPIRED',
  ContentMismatch: 'CONTENT_MISMATCH',
  JobNotAccepted: () => new ApiError('LEASE_LOST', 'The job has not been accepted under this lease.'),
  LateResultNotKept: 'LEASE_LOST',
};

/** The error for each rejection of an agent's commands to its computer. */
export const computerRejections: RejectionTable<
  RejectionOf<StartAgentSession | ReportInventory | RenewCredential>
> = {
  ComputerNotFound: 'CREDENTIAL_INVALID',
  ComputerRevoked: 'CREDENTIAL_INVALID',
  InstallationMismatch: () => new ApiError('INVALID_REQUEST', 'installation_id must be the enrolled one.'),
  SessionReplaced: 'SESSION_REPLACED',
  CredentialNotDue: 'CREDENTIAL_NOT_DUE',
  PrinterKeyRepeated: () =>
    new ApiError('INVALID_REQUEST', 'printers must have different printer_key values.'),
  PrinterIdsMissing: 'UNAVAILABLE',
};
