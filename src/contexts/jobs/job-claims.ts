import { Inject, Injectable } from '@nestjs/common';
import { AggregateStore, type Planned } from '../../event-sourcing/index.js';
import { sha256 } from '../../kernel/ids.js';
import { DAY_MS, later, plus } from '../../kernel/time.js';
import { Claim, claimId, claims, type ClaimTaken } from '../claims/index.js';
import type { JobDraft, Reprint, ReprintRejection, SubmitJob, Submitted } from './coordinated.commands.js';
import { JOB, type JobAggregate } from './job.aggregate.js';

/** A create or a reprint of a job. */
export type Submission = Pick<SubmitJob, 'draft' | 'idempotencyKey' | 'at' | 'by'> & {
  readonly reprint?: Reprint;
};

export interface ClaimOptions {
  readonly claim: string;
  readonly jobId: string;
  /** The claim is probably new and is not read. */
  readonly assumeNew: boolean;
}

/** A claim to append, the job of an existing claim, or the answer to a repeat. */
export type Claiming =
  | { readonly free: Planned<unknown> }
  | { readonly heldBy: string }
  | { readonly answer: Submitted<ReprintRejection> };

/** Claims of idempotency keys: each key makes one job. */
@Injectable()
export class JobClaims {
  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
  ) {}

  async claim(submission: Submission, { claim, jobId, assumeNew }: ClaimOptions): Promise<Claiming> {
    const { draft, at, by } = submission;
    const fingerprint = fingerprintOf(submission);
    const expiry = draft.expiresAt ?? plus(at, this.job.policy.lifetimeMs);
    const claiming = new Claim({
      claimKind: 'job-create',
      subject: jobId,
      fingerprint,
      expiresAt: later(expiry, plus(at, DAY_MS)),
      at,
      by,
    });
    const result = await this.aggregates.plan(claims, claim, claiming, { assumeNew });
    if (result.ok) return (await this.reclaimed(result.planned, submission)) ?? { free: result.planned };
    return this.held(result.rejection, fingerprint);
  }

  /** An expired claim counts while its job is alive: a review may have extended the job. */
  private async reclaimed(planned: Planned<unknown>, submission: Submission): Promise<Claiming | undefined> {
    if (planned.append.expected === 'no_stream') return undefined;
    const { state } = await this.aggregates.load(claims, planned.append.stream.slice('claim-'.length));
    if (state.status !== 'claimed') return undefined;
    const { state: job } = await this.aggregates.load(this.job, state.subject);
    if (job.status === 'absent' || job.expiresAt <= submission.at) return undefined;
    return this.held({ code: 'ClaimTaken', ...state }, fingerprintOf(submission));
  }

  private async held(taken: ClaimTaken, fingerprint: string): Promise<Claiming> {
    if (taken.fingerprint !== fingerprint)
      return { answer: { ok: false, rejection: { code: 'IdempotencyConflict' } } };
    const { state } = await this.aggregates.load(this.job, taken.subject);
    if (state.status === 'absent') return { heldBy: taken.subject };
    return { answer: { ok: true, jobId: taken.subject, replayed: true } };
  }
}

export function claimOf({ draft, reprint }: Submission, idempotencyKey: string): string {
  const { source, accountId } = draft;
  return claimId(reprint ? 'job-reprint' : 'job-create', source, accountId, idempotencyKey);
}

function fingerprintOf({ draft, reprint }: Submission): string {
  if (!reprint) return fingerprintOfDraft(draft);
  return sha256(JSON.stringify(['reprint', reprint.jobId, reprint.printerId ?? null]));
}

/** Ignores key order, white space and explicit defaults; `expiresAt` and options count only if given. */
export function fingerprintOfDraft(draft: JobDraft): string {
  return sha256(
    JSON.stringify([
      draft.printerId,
      draft.contentType,
      draft.contentHash,
      draft.copies,
      draft.externalId ?? null,
      draft.title ?? null,
      draft.expiresAt ?? null,
      // Keys used before options existed must match.
      ...(draft.options ? [draft.options] : []),
    ]),
  );
}

export function fingerprintOfRetry(jobId: string, reason: string | undefined): string {
  return sha256(JSON.stringify([jobId, reason ?? null]));
}
