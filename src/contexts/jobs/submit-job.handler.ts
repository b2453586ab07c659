import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountDocument } from '../../../projections/accounts/accounts.js';
import { AccountQueries } from '../../../projections/accounts/accounts.queries.js';
import { JobQueries } from '../../../projections/job-view/job-view.queries.js';
import type { PrinterDocument } from '../../../projections/printers/printers.js';
import { PrinterQueries } from '../../../projections/printers/printers.queries.js';
import { later, plus } from '../../kernel/time.js';
import { ContentStore } from '../../ports/content-store.port.js';
import { ConcurrencyError, EventStore } from '../../ports/event-store.port.js';
import { Locks } from '../../ports/locks.port.js';
import { Randomness } from '../../ports/randomness.port.js';
import { AggregateStore, type Planned } from '../../event-sourcing/write/aggregate-store.js';
import { KeyedMutex } from '../../event-sourcing/keyed-mutex.js';
import { isLostRace, retry } from '../../event-sourcing/retry.js';
import { Claim, claimId, claims, type ClaimTaken } from '../claims/index.js';
import { CreateJob } from './domain/job.commands.js';
import { fingerprintOfDraft } from './fingerprint.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { SubmitJob, type JobDraft, type SubmitRejection, type Submitted } from './submit-job.command.js';

const DAY_MS = 86_400_000;
const LONGEST_LIFE_MS = 30 * DAY_MS;
const ATTEMPTS = 5;

/** A claim that can be had, or what the holder of the key got. */
type Claiming =
  { readonly free: Planned<unknown> } | { readonly heldBy: string } | { readonly answer: Submitted };

/**
 * Claim first, content second, job third (architecture: claims). A crash in between leaves a claim whose job is
 * not there yet: the repeat finds the stored job id and finishes it.
 */
@CommandHandler(SubmitJob)
export class SubmitJobHandler implements ICommandHandler<SubmitJob> {
  private readonly lanes = new KeyedMutex();

  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly contents: ContentStore,
    private readonly randomness: Randomness,
    private readonly accounts: AccountQueries,
    private readonly printers: PrinterQueries,
    private readonly jobs: JobQueries,
    private readonly locks: Locks,
    private readonly events: EventStore,
  ) {}

  execute(command: SubmitJob): Promise<Submitted> {
    if (command.idempotencyKey === undefined) return this.checked(command, this.randomness.uuid(), []);
    const { accountId, source } = command.draft;
    const claim = claimId('job-create', source, accountId, command.idempotencyKey);
    return this.lanes.run(claim, () => this.submitOnce(command, claim));
  }

  /**
   * Most keys are new: the first try does not look, and fails at a claim that is there. What it refuses may be a repeat
   * of what was accepted once. Another instance may win the claim between our look and our append: then look again.
   */
  private async submitOnce(command: SubmitJob, claim: string): Promise<Submitted> {
    const submit = (unseen: boolean) => this.submit(command, claim, unseen);
    return retry(
      async (attempt) => {
        const submitted = await submit(attempt === 1);
        return submitted.ok || attempt > 1 ? submitted : submit(false);
      },
      { when: isLostRace, attempts: ATTEMPTS },
    );
  }

  private async submit(command: SubmitJob, claim: string, unseen: boolean): Promise<Submitted> {
    const jobId = this.randomness.uuid();
    const claiming = await this.claim(command, { claim, jobId, unseen });
    if ('answer' in claiming) return claiming.answer;
    return 'free' in claiming
      ? this.checked(command, jobId, [claiming.free])
      : this.checked(command, claiming.heldBy, []);
  }

  private async claim(
    command: SubmitJob,
    { claim, jobId, unseen }: { claim: string; jobId: string; unseen: boolean },
  ): Promise<Claiming> {
    const { draft, at, by } = command;
    const fingerprint = fingerprintOfDraft(draft);
    const expiry = draft.expiresAt ?? plus(at, this.job.policy.lifetimeMs);
    const wish = new Claim('job-create', jobId, fingerprint, later(expiry, plus(at, DAY_MS)), at, by);
    const result = await this.aggregates.plan(claims, claim, wish, { unseen });
    if (result.ok) return (await this.reclaimed(result.planned, command)) ?? { free: result.planned };
    return this.held(result.rejection, fingerprint);
  }

  /** A claim that ran out is still kept while its job lives: a review may have prolonged it. */
  private async reclaimed(
    planned: Planned<unknown>,
    { draft, at }: SubmitJob,
  ): Promise<Claiming | undefined> {
    if (planned.append.expected === 'no_stream') return undefined;
    const { state } = await this.aggregates.load(claims, planned.append.stream.slice('claim-'.length));
    if (state.status !== 'claimed') return undefined;
    const job = await this.jobs.getJob(draft.accountId, state.subject);
    if (!job || job.expires_at <= at) return undefined;
    return this.held({ code: 'ClaimTaken', ...state }, fingerprintOfDraft(draft));
  }

  private async held(taken: ClaimTaken, fingerprint: string): Promise<Claiming> {
    if (taken.fingerprint !== fingerprint) return { answer: refused({ code: 'IdempotencyConflict' }) };
    const { state } = await this.aggregates.load(this.job, taken.subject);
    if (state.status === 'absent') return { heldBy: taken.subject };
    return { answer: { ok: true, jobId: taken.subject, replayed: true } };
  }

  private async checked(
    command: SubmitJob,
    jobId: string,
    before: readonly Planned<unknown>[],
  ): Promise<Submitted> {
    const { draft } = command;
    if (!expiryFits(command)) return refused({ code: 'ExpiryOutOfRange' });
    const account = await this.accounts.getAccount(draft.accountId);
    if (!account || account.status === 'closed') return refused({ code: 'AccountClosed' });
    const limit = account.plan.jobs_per_month;
    if (limit === null) return this.create(command, jobId, before, account);
    return this.locks.run(`plan of ${draft.accountId}`, async () => {
      await this.events.allShown();
      const used = await this.jobs.countCreatedInMonth(draft.accountId, command.at.slice(0, 7));
      if (used >= limit) return refused({ code: 'PlanLimitReached', jobsPerMonth: limit });
      return this.create(command, jobId, before, account);
    });
  }

  private async create(
    { draft, at, by }: SubmitJob,
    jobId: string,
    before: readonly Planned<unknown>[],
    account: AccountDocument,
  ): Promise<Submitted> {
    const maxBytes = account.plan.max_content_bytes;
    if (draft.content.byteLength > maxBytes) return refused({ code: 'ContentTooLarge', maxBytes });
    const printer = await this.printers.getPrinter(draft.accountId, draft.printerId);
    const obstacle = obstacleAt(printer, account, draft);
    if (obstacle || !printer) return refused(obstacle ?? { code: 'PrinterNotFound' });
    const described = describe(draft, printer, account);
    const job = await this.aggregates.plan(this.job, jobId, new CreateJob(jobId, described, at, by), {
      unseen: before.length > 0,
    });
    if (!job.ok) throw new Error(`a job ${jobId} exists already`);
    try {
      await this.contents.putThen(jobId, draft.content, () =>
        this.aggregates.appendInOrder([...before, job.planned]),
      );
    } catch (error) {
      // Somebody else holds the claim, so nothing will ever name this content. (Who lost the job alone holds the
      // claim: another instance finished it, with this content.)
      const lost = error instanceof ConcurrencyError ? error.stream : undefined;
      if (before.some(({ append }) => append.stream === lost)) await this.contents.delete(jobId);
      throw error;
    }
    return { ok: true, jobId, replayed: false };
  }
}

function expiryFits({ draft: { expiresAt }, at }: SubmitJob): boolean {
  return expiresAt === undefined || (expiresAt > at && expiresAt <= plus(at, LONGEST_LIFE_MS));
}

/** 404 before 403 before 409 (order of judgement, docs/reference/errors.md). */
function obstacleAt(
  printer: PrinterDocument | undefined,
  account: AccountDocument,
  draft: JobDraft,
): SubmitRejection | undefined {
  if (!printer) return { code: 'PrinterNotFound' };
  if (account.virtual_printers_only && !printer.is_virtual) return { code: 'VirtualPrintersOnly' };
  if (printer.status !== 'online') return { code: 'PrinterNotReady' };
  const types = printer.capabilities?.content_types;
  if (types && !types.includes(draft.contentType)) return { code: 'ContentTypeNotSupported' };
  return undefined;
}

function describe(draft: JobDraft, printer: PrinterDocument, account: AccountDocument): CreateJob['job'] {
  return {
    accountId: draft.accountId,
    printerId: printer.printer_id,
    printerCode: printer.printer_code,
    printerName: printer.name,
    computerId: printer.computer_id,
    computerName: printer.computer_name,
    externalId: draft.externalId,
    title: draft.title,
    contentType: draft.contentType,
    contentHash: draft.contentHash,
    contentSizeBytes: draft.content.byteLength,
    copies: draft.copies,
    maxAutoRetries: account.plan.max_auto_retries,
    source: draft.source,
    expiresAt: draft.expiresAt,
  };
}

function refused(rejection: SubmitRejection): Submitted {
  return { ok: false, rejection };
}
