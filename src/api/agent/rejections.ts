import type { ComputerRejection } from '../../contexts/devices/index.js';
import type { JobRejection } from '../../contexts/jobs/index.js';
import { ApiError } from '../../http/errors/api-error.js';
import type { RejectionTable } from '../../http/errors/rejections.js';

/** How the Agent surface says what the jobs context refuses. */
export const jobRejections: RejectionTable<JobRejection> = {
  JobNotFound: 'JOB_NOT_FOUND',
  JobNotQueued: 'LEASE_LOST',
  JobNotGrantableYet: 'LEASE_LOST',
  LeaseLost: 'LEASE_LOST',
  LeaseNotReleasable: () =>
    new ApiError('LEASE_LOST', 'The job has been accepted: report not_submitted to give it back.'),
  JobExpired: 'JOB_EXPIRED',
  ContentMismatch: 'CONTENT_MISMATCH',
  JobNotAccepted: () => new ApiError('LEASE_LOST', 'The job has not been accepted under this lease.'),
  LateResultNotKept: 'LEASE_LOST',
  JobNotCancellable: 'LEASE_LOST',
  JobNotRetryable: 'LEASE_LOST',
  RetryDuplicationRisk: 'LEASE_LOST',
};

/** How the Agent surface says what the devices context refuses. */
export const computerRejections: RejectionTable<ComputerRejection> = {
  ComputerNotFound: 'CREDENTIAL_INVALID',
  ComputerRevoked: 'CREDENTIAL_INVALID',
  InstallationMismatch: () => new ApiError('INVALID_REQUEST', 'installation_id must be the enrolled one.'),
  PrinterNotFound: 'INVALID_REQUEST',
  PrinterKeyRepeated: () =>
    new ApiError('INVALID_REQUEST', 'printers must have different printer_key values.'),
  PrinterIdsMissing: 'UNAVAILABLE',
};
