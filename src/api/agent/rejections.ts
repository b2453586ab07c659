import type { ReportInventory, StartAgentSession } from '../../contexts/devices/index.js';
import type { AcceptJob, ReleaseLease, ReportProgress, StartHandoff } from '../../contexts/jobs/index.js';
import type { RejectionOf } from '../../kernel/command.js';
import { ApiError } from '../../http/errors/api-error.js';
import type { RejectionTable } from '../../http/errors/rejections.js';

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
export const computerRejections: RejectionTable<RejectionOf<StartAgentSession | ReportInventory>> = {
  ComputerNotFound: 'CREDENTIAL_INVALID',
  ComputerRevoked: 'CREDENTIAL_INVALID',
  InstallationMismatch: () => new ApiError('INVALID_REQUEST', 'installation_id must be the enrolled one.'),
  PrinterKeyRepeated: () =>
    new ApiError('INVALID_REQUEST', 'printers must have different printer_key values.'),
  PrinterIdsMissing: 'UNAVAILABLE',
};
