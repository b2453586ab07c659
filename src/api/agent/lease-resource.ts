import type { GrantedLease, JobStatus } from '../../contexts/jobs/index.js';

/** A lease as sent to the agent (agent-protocol.md). */
export function leaseResource({ leaseId, fence, leaseUntil, job, printerKey }: GrantedLease) {
  return {
    lease_id: leaseId,
    job_id: job.jobId,
    fence,
    printer_id: job.printerId,
    printer_key: printerKey,
    content_type: job.contentType,
    content_hash: job.contentHash,
    content_size_bytes: job.contentSizeBytes,
    copies: job.copies,
    ...(job.title !== undefined && { title: job.title }),
    document_name: `svc:${job.jobId}:${fence}`,
    expires_at: job.expiresAt,
    lease_expires_at: leaseUntil,
  };
}

/** Reason why a lease is lost, from the status of the job whose newest lease it is. */
export function lossReason(status: JobStatus | undefined): 'cancelled' | 'expired' | 'lapsed' | 'superseded' {
  switch (status) {
    case 'cancelled':
      return 'cancelled';
    case 'expired':
      return 'expired';
    case 'queued':
    case 'failed':
      return 'lapsed';
    default:
      return 'superseded';
  }
}
