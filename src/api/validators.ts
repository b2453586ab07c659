import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { RecentRestore } from '../contexts/recovery/index.js';
import { epochMs, type Instant } from '../kernel/time.js';
import type { JobDocument } from '../../projections/job-view/job-view.js';
import { isRetryable } from './resources/print-job.resource.js';

const DIGEST_CHARACTERS = 22;

/** Of an answer that shows this text, and nothing else. */
export function strongValidator(text: string | Uint8Array): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_CHARACTERS)}"`;
}

/**
 * Makes the weak validators (RFC 9110, 8.8.1) of answers, from what is known before an answer is built. Those from
 * before a restore fit nothing, because revisions are given again after it.
 */
@Injectable()
export class Validators {
  constructor(private readonly restore: RecentRestore) {}

  /** Of a document with a revision, and of what changes without an event. */
  ofRevision(revision: number, ...more: readonly string[]): string {
    return `W/"${[revision, ...more, ...this.era].join('-')}"`;
  }

  /** Of a job as `jobResource` shows it, which stops being retryable when it expires, without an event. */
  ofJob(job: JobDocument, now: Instant): string {
    return this.ofRevision(job.sequence, ...(isRetryable(job, now) ? ['retryable'] : []));
  }

  /** Of a page, from its documents in order. */
  ofPage(parts: readonly string[]): string {
    return `W/${strongValidator([...parts, ...this.era].join('\n'))}`;
  }

  private get era(): readonly string[] {
    const { restoredAt } = this.restore;
    return restoredAt === undefined ? [] : [`r${epochMs(restoredAt).toString(36)}`];
  }
}
