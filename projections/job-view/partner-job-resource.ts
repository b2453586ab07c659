import type { ContentType, JobStatus } from '../../src/contexts/jobs/domain/job.events.js';
import type { Instant } from '../../src/kernel/time.js';
import { partnerStatusOf, type JobDocument, type PartnerJobStatus } from './job-view.js';

/** A job as the Partner API shows it: four states, and the Integration status beside them. */
export interface PartnerJobResource {
  readonly job_id: string;
  readonly account_id: string;
  readonly printer_id: string;
  readonly status: PartnerJobStatus;
  readonly raw_status: JobStatus;
  readonly external_id: string | null;
  readonly title: string | null;
  readonly content_type: ContentType;
  readonly content_hash: string;
  readonly content_size_bytes: number;
  readonly copies: number;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly expires_at: Instant;
  readonly completed_at: Instant | null;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
}

export function partnerJobResource(document: JobDocument): PartnerJobResource {
  return {
    job_id: document.job_id,
    account_id: document.account_id,
    printer_id: document.printer_id,
    status: partnerStatusOf(document.listed_as),
    raw_status: document.status,
    external_id: document.external_id ?? null,
    title: document.title ?? null,
    content_type: document.content_type,
    content_hash: document.content_hash,
    content_size_bytes: document.content_size_bytes,
    copies: document.copies,
    created_at: document.created_at,
    updated_at: document.updated_at,
    expires_at: document.expires_at,
    completed_at: document.completed_at ?? null,
    failure_code: document.failure_code ?? null,
    failure_message: document.failure_message ?? null,
  };
}
