import type { Lease } from '../../../agent/service/protocol.js';

/** Lease number `n` of its own job. */
export function aLease(n: number): Lease {
  const jobId = `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  return {
    lease_id: jobId.replace('-7000-', '-7001-'),
    job_id: jobId,
    fence: 1,
    printer_id: jobId.replace('-7000-', '-7002-'),
    printer_key: 'virtual:folder',
    content_type: 'raw',
    content_hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    content_size_bytes: 0,
    copies: 1,
    document_name: `svc:${jobId}:1`,
    expires_at: '2026-11-22T10:00:00.000Z',
    lease_expires_at: '2026-11-21T10:01:00.000Z',
  };
}
