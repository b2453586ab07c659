import { createHash, randomUUID } from 'node:crypto';

export interface FakeReport {
  event_id: string;
  job_id: string;
  lease_id: string;
  fence: number;
  type: string;
  spooler_provider?: string;
  spooler_job_id?: string;
  failure_code?: string;
  failure_class?: string;
  message?: string;
  ignored?: object[];
}

export interface FakeJob {
  jobId: string;
  printerKey: string;
  contentType: 'pdf' | 'raw' | 'text';
  bytes: Buffer;
  copies: number;
  /** Settings of its printer. */
  text?: object;
  fence: number;
  leaseId: string | undefined;
  phase: 'queued' | 'leased' | 'accepted' | 'handing_off' | 'handed_off' | 'over';
  /** Number of permit requests, including repeats. */
  permits: number;
  reports: FakeReport[];
}

export interface NewJob {
  printerKey: string;
  contentType?: FakeJob['contentType'];
  bytes?: Buffer;
  copies?: number;
  text?: object;
}

/** A refusal, converted to an error body by the HTTP server. */
export class FakeRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Simulates the service's view of jobs for an agent: leases, fences, permits, reports. */
export class FakeJobs {
  readonly all: FakeJob[] = [];
  private readonly heard = new Set<string>();

  add({
    printerKey,
    contentType = 'raw',
    bytes = Buffer.from('receipt\n'),
    copies = 1,
    text,
  }: NewJob): FakeJob {
    const job: FakeJob = {
      jobId: randomUUID(),
      printerKey,
      contentType,
      bytes,
      copies,
      text,
      fence: 0,
      leaseId: undefined,
      phase: 'queued',
      permits: 0,
      reports: [],
    };
    this.all.push(job);
    return job;
  }

  /** Ends the lease as after a cancellation or a lapse: the agent's next call is refused. */
  takeLeaseAway(job: FakeJob): void {
    job.leaseId = undefined;
    job.phase = 'over';
  }

  /** At most four leases of a printer before their hand-off, and none of a busy one. */
  grant(max: number, busy: readonly string[] = []): unknown[] {
    const granted: unknown[] = [];
    for (const job of this.all) {
      if (job.phase !== 'queued' || granted.length === max) continue;
      if (busy.includes(job.printerKey) || this.heldOf(job.printerKey) >= 4) continue;
      Object.assign(job, { phase: 'leased', fence: job.fence + 1, leaseId: randomUUID() });
      granted.push(this.leaseOf(job));
    }
    return granted;
  }

  accept(jobId: string, leaseId: unknown, contentHash: unknown): void {
    const job = this.leased(jobId, leaseId);
    if (contentHash !== sha256(job.bytes)) throw new FakeRefusal(422, 'CONTENT_MISMATCH');
    if (job.phase === 'leased') job.phase = 'accepted';
  }

  permit(jobId: string, leaseId: unknown): void {
    const job = this.leased(jobId, leaseId);
    if (job.phase === 'leased') throw new FakeRefusal(409, 'LEASE_LOST');
    job.permits++;
    if (job.phase === 'accepted') job.phase = 'handing_off';
  }

  release(leaseId: string): void {
    const job = this.all.find((candidate) => candidate.leaseId === leaseId);
    if (!job || job.phase !== 'leased') throw new FakeRefusal(409, 'LEASE_LOST');
    Object.assign(job, { phase: 'queued', leaseId: undefined });
  }

  hear(report: FakeReport): { event_id: string; result: string } {
    const { event_id } = report;
    if (this.heard.has(event_id)) return { event_id, result: 'duplicate' };
    const job = this.find(report.job_id);
    this.heard.add(event_id);
    job.reports.push(report);
    if (report.fence !== job.fence) return { event_id, result: 'late' };
    job.phase = report.type === 'spooled' ? 'handed_off' : 'over';
    return { event_id, result: 'applied' };
  }

  verdict({ job_id, fence }: { job_id: string; fence: number }): {
    job_id: string;
    fence: number;
    verdict: string;
  } {
    const job = this.all.find(({ jobId }) => jobId === job_id);
    if (!job) return { job_id, fence, verdict: 'forget' };
    if (job.fence !== fence || job.leaseId === undefined) return { job_id, fence, verdict: 'abandon' };
    return { job_id, fence, verdict: job.phase === 'handing_off' ? 'report' : 'continue' };
  }

  /** Starts a new session: leases not named in its journal become void. */
  keepOnly(leaseIds: string[]): void {
    for (const job of this.all) {
      if (job.phase !== 'leased' || leaseIds.includes(job.leaseId ?? '')) continue;
      Object.assign(job, { phase: 'queued', leaseId: undefined });
    }
  }

  find(jobId: string): FakeJob {
    const job = this.all.find((candidate) => candidate.jobId === jobId);
    if (!job) throw new FakeRefusal(404, 'JOB_NOT_FOUND');
    return job;
  }

  private heldOf(printerKey: string): number {
    const held = this.all.filter(({ phase }) => phase === 'leased' || phase === 'accepted');
    return held.filter((job) => job.printerKey === printerKey).length;
  }

  private leased(jobId: string, leaseId: unknown): FakeJob {
    const job = this.find(jobId);
    if (job.leaseId !== leaseId) throw new FakeRefusal(409, 'LEASE_LOST');
    return job;
  }

  private leaseOf(job: FakeJob): unknown {
    const later = new Date(Date.now() + 60_000).toISOString();
    return {
      lease_id: job.leaseId,
      job_id: job.jobId,
      fence: job.fence,
      printer_id: randomUUID(),
      printer_key: job.printerKey,
      content_type: job.contentType,
      content_hash: sha256(job.bytes),
      content_size_bytes: job.bytes.length,
      copies: job.copies,
      text: job.text,
      document_name: `svc:${job.jobId}:${job.fence}`,
      expires_at: later,
      lease_expires_at: later,
    };
  }
}
