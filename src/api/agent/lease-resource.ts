import type { GrantedLease, JobStatus } from '../../contexts/jobs/index.js';

/** A lease as the agent gets it (agent-protocol.md). */
export function leaseResource({ leaseId, fence, leaseUntil, job, printer }: GrantedLease) {
  return {
    lease_id: leaseId,
    job_id: job.job_id,
    fence,
    printer_id: job.printer_id,
    printer_key: printer.printer_key,
    content_type: job.content_type,
    content_hash: job.content_hash,
    content_size_bytes: job.content_size_bytes,
    copies: job.copies,
    ...(job.title !== undefined && { title: job.title }),
    document_name: `svc:${job.job_id}:${fence}`,
    expires_at: job.expires_at,
    lease_expires_at: leaseUntil,
  };
}

/** Why a lease stands no more, by what became of the job whose newest lease it is. */
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
