import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { DAY_MS, plus } from '../../kernel/time.js';
import { Randomness } from '../../kernel/ids.js';
import { KeyedMutex } from '../../async/keyed-mutex.js';
import { isLostRace, pauseBetweenRaces, retry } from '../../async/retry.js';
import { settled } from '../../async/settled.js';
import { accounts } from '../accounts/index.js';
import { CreateJob, NoteReprint } from './domain/job.commands.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { claimOf, JobClaims, type ClaimOptions, type Submission } from './job-claims.js';
import { Limits } from './limits.js';
import { PrinterDirectory } from './ports.js';
import { obstacleAt, printerRef, printTarget, type OpenAccount, type PrintTarget } from './print-target.js';
import {
  SubmitJob,
  type JobDraft,
  type Reprint,
  type ReprintRejection,
  type Submitted,
  SubmitReprint,
} from './coordinated.commands.js';
import { ConcurrencyError } from '../../kernel/errors.js';
import { ContentStore, AggregateStore, type Planned } from '../../event-sourcing/index.js';

const MAX_LIFE_MS = 30 * DAY_MS;
const ATTEMPTS = 5;
/** From this attempt on, the holder of the claim is assumed to have crashed. */
const COMPLETING_ATTEMPT = 4;
/** A document of this size is stored while its key is claimed, which saves the time of a write. */
const BESIDE_THE_CLAIM_BYTES = 256 * 1_024;

type Answer = Submitted<ReprintRejection>;

interface Attempt extends ClaimOptions {
  /** Creates the job of a claim whose holder seems to have crashed. */
  readonly mayComplete: boolean;
}

/** The claim is held, and its job is not stored yet. */
class UnfinishedError extends Error {}

interface Checked {
  readonly account: OpenAccount;
  /** Undefined for an unknown printer. */
  readonly target: PrintTarget | undefined;
}

/** What stores a new job: the claim of its key, if it has a new one, and its events. */
export interface PreparedJob {
  readonly jobId: string;
  readonly printerId: string;
  readonly content: Uint8Array;
  readonly claim: readonly Planned<unknown>[];
  readonly jobs: readonly Planned<unknown>[];
}

/** What a new job is checked against. */
export interface Circumstances {
  readonly account: OpenAccount;
  targetOf(draft: JobDraft): Promise<PrintTarget | undefined>;
}

/** Claim, content, job: a repeat after a crash finds the claim (docs/architecture.md, "Two homes"). */
@CommandHandler(SubmitJob)
export class SubmitJobHandler implements ICommandHandler<SubmitJob> {
  private readonly submissions = new KeyedMutex();

  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly claims: JobClaims,
    private readonly aggregates: AggregateStore,
    private readonly contents: ContentStore,
    private readonly randomness: Randomness,
    private readonly printers: PrinterDirectory,
    private readonly limits: Limits,
  ) {}

  /** Only reprints meet the further rejections of reprints. */
  execute(command: SubmitJob): Promise<Submitted> {
    return this.submitted(command) as Promise<Submitted>;
  }

  submitted(command: Submission): Promise<Answer> {
    const jobId = this.randomness.uuid();
    if (command.idempotencyKey === undefined) return this.checked(command, jobId, []);
    const claim = claimOf(command, command.idempotencyKey);
    return this.submissions.run(claim, () => this.submitOnce(command, claim, jobId));
  }

  /** The job under a key that is assumed to be new; undefined if it must be submitted alone to be answered. */
  async prepared(command: SubmitJob, checked: Circumstances): Promise<PreparedJob | undefined> {
    const jobId = this.randomness.uuid();
    const claim = claimOf(command, command.idempotencyKey!);
    const claiming = await this.claims.claim(command, { claim, jobId, assumeNew: true });
    if (!('free' in claiming) || !expiryFits(command)) return undefined;
    const job = await this.prepare(command, jobId, [claiming.free], checked);
    return 'ok' in job ? undefined : job;
  }

  /** Undefined for an unknown printer. */
  readonly targetOf = (draft: JobDraft, aggregates: Pick<AggregateStore, 'load'> = this.aggregates) =>
    printTarget(this.printers, aggregates, draft);

  /**
   * Most keys are new, so the first attempt assumes a free claim; a rejected one may be a repeat, so decide
   * again.
   */
  private async submitOnce(command: Submission, claim: string, jobId: string): Promise<Answer> {
    const submit = (attempt: number, assumeNew: boolean) =>
      this.submit(command, { claim, jobId, assumeNew, mayComplete: attempt >= COMPLETING_ATTEMPT });
    return retry(
      async (attempt) => {
        const submitted = await submit(attempt, attempt === 1);
        return submitted.ok || attempt > 1 ? submitted : submit(attempt, false);
      },
      {
        when: (error) => isLostRace(error) || error instanceof UnfinishedError,
        attempts: ATTEMPTS,
        wait: pauseBetweenRaces,
      },
    );
  }

  private async submit(command: Submission, attempt: Attempt): Promise<Answer> {
    const claiming = await this.claims.claim(command, attempt);
    if ('answer' in claiming) return claiming.answer;
    if ('free' in claiming) return this.checked(command, attempt.jobId, [claiming.free]);
    if (!attempt.mayComplete) throw new UnfinishedError(`job ${claiming.heldBy} is not stored yet`);
    return this.checked(command, claiming.heldBy, []);
  }

  private async checked(
    command: Submission,
    jobId: string,
    before: readonly Planned<unknown>[],
  ): Promise<Answer> {
    if (!expiryFits(command)) return refused({ code: 'ExpiryOutOfRange' });
    const { draft, at } = command;
    const create = async ({ account, target }: Checked) => {
      const job = await this.prepare(command, jobId, before, { account, targetOf: async () => target });
      return 'ok' in job ? job : this.stored(job);
    };
    const checked = await this.check(draft);
    if (!checked) return refused({ code: 'AccountClosed' });
    if (checked.account.plan.jobsPerMonth === null) return create(checked);
    const month = at.slice(0, 'YYYY-MM'.length);
    return this.limits.jobsOfMonth(draft.accountId, month, async (used) => {
      // Account and printer may have changed while other jobs of the account were counted.
      const again = await this.check(draft);
      if (!again) return refused({ code: 'AccountClosed' });
      const { jobsPerMonth } = again.account.plan;
      if (jobsPerMonth !== null && used >= jobsPerMonth)
        return tooLarge(again.account, draft) ?? refused({ code: 'PlanLimitReached', jobsPerMonth });
      return create(again);
    });
  }

  /** Undefined for an account that is closed. */
  private async check(draft: JobDraft): Promise<Checked | undefined> {
    const [{ state: account }, target] = await Promise.all([
      this.aggregates.load(accounts, draft.accountId),
      this.targetOf(draft),
    ]);
    if (account.status === 'absent' || account.status === 'closed') return undefined;
    return { account, target };
  }

  private async prepare(
    { draft, at, by, reprint }: Submission,
    jobId: string,
    claim: readonly Planned<unknown>[],
    { account, targetOf }: Circumstances,
  ): Promise<Answer | PreparedJob> {
    const refusal = tooLarge(account, draft);
    if (refusal) return refusal;
    const target = await targetOf(draft);
    if (!target) return refused({ code: 'PrinterNotFound' });
    const obstacle = obstacleAt(target, account, draft);
    if (obstacle) return refused(obstacle);
    const described = { ...describe(draft, target, account), ...(reprint && { reprintOf: reprint.jobId }) };
    const create = new CreateJob({ jobId, job: described, at, by });
    const job = await this.aggregates.plan(this.job, jobId, create, { assumeNew: claim.length > 0 });
    if (!job.ok) throw new Error(`a job ${jobId} exists already`);
    if (job.planned.append.events.length === 0) return { ok: true, jobId, replayed: true };
    const content = 'read' in draft.content ? await draft.content.read() : draft.content;
    if (!content) return refused({ code: 'ContentNotKept' });
    const noted = reprint && (await this.noted(reprint, { reprintId: jobId, at, by }));
    if (noted?.ok === false) return refused({ code: 'TooManyReprints' });
    return {
      jobId,
      printerId: draft.printerId,
      content,
      claim,
      jobs: [...(noted ? [noted.planned] : []), job.planned],
    };
  }

  /** Stored before the new job, so that no reprint is missing in the history of its original. */
  private noted({ jobId }: Reprint, { reprintId, at, by }: Pick<NoteReprint, 'reprintId' | 'at' | 'by'>) {
    return this.aggregates.plan(this.job, jobId, new NoteReprint({ jobId, reprintId, at, by }));
  }

  private async stored(job: PreparedJob): Promise<Answer> {
    return createdBy(job, await this.store(job));
  }

  /** One commit where the stores have one. Elsewhere a request that may lose its claim uploads nothing large. */
  private async store({ jobId, content, claim, jobs }: PreparedJob): Promise<readonly RecordedEvent[]> {
    const append = (plans: readonly Planned<unknown>[]) => this.aggregates.appendInOrder(plans);
    try {
      if (this.contents.sharesCommit)
        return await this.contents.putThen(jobId, content, () => append([...claim, ...jobs]));
      const claimed: Promise<unknown> = claim.length > 0 ? append(claim) : Promise.resolve();
      if (content.byteLength > BESIDE_THE_CLAIM_BYTES) await claimed;
      await settled([claimed, this.contents.put(jobId, content)]);
      return await append(jobs);
    } catch (error) {
      const lost = error instanceof ConcurrencyError ? error.stream : undefined;
      const isLost = claim.some(({ append: { stream } }) => stream === lost);
      if (isLost) await this.contents.delete(jobId).catch(() => undefined);
      throw error;
    }
  }
}

/** The answer that a job was stored with these events, of which some may be of other streams. */
export function createdBy({ jobId, jobs }: PreparedJob, stored: readonly RecordedEvent[]): Submitted {
  const { stream } = jobs.at(-1)!.append;
  return { ok: true, jobId, replayed: false, events: stored.filter((event) => event.stream === stream) };
}

function expiryFits({ draft: { expiresAt }, at }: Submission): boolean {
  return expiresAt === undefined || (expiresAt > at && expiresAt <= plus(at, MAX_LIFE_MS));
}

function tooLarge({ plan: { maxContentBytes: maxBytes } }: OpenAccount, { content }: JobDraft) {
  return content.byteLength > maxBytes ? refused({ code: 'ContentTooLarge', maxBytes }) : undefined;
}

function describe(draft: JobDraft, target: PrintTarget, account: OpenAccount): CreateJob['job'] {
  return {
    accountId: draft.accountId,
    ...printerRef(target),
    externalId: draft.externalId,
    title: draft.title,
    contentType: draft.contentType,
    contentHash: draft.contentHash,
    contentSizeBytes: draft.content.byteLength,
    copies: draft.copies,
    ...(draft.options && { options: draft.options }),
    maxAutoRetries: account.plan.maxAutoRetries,
    source: draft.source,
    expiresAt: draft.expiresAt,
  };
}

function refused(rejection: ReprintRejection): Answer {
  return { ok: false, rejection };
}

@CommandHandler(SubmitReprint)
export class SubmitReprintHandler implements ICommandHandler<SubmitReprint> {
  constructor(private readonly jobs: SubmitJobHandler) {}

  execute(command: SubmitReprint): Promise<Submitted<ReprintRejection>> {
    return this.jobs.submitted(command);
  }
}
