import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { later, plus } from '../../kernel/time.js';
import { ContentStore } from '../../ports/content-store.port.js';
import { ConcurrencyError } from '../../ports/event-store.port.js';
import { Randomness } from '../../ports/randomness.port.js';
import { AggregateStore, type Planned } from '../../event-sourcing/write/aggregate-store.js';
import { KeyedMutex } from '../../event-sourcing/keyed-mutex.js';
import { isLostRace, retry } from '../../event-sourcing/retry.js';
import { accounts, type Account } from '../accounts/index.js';
import { Claim, claimId, claims, type ClaimTaken } from '../claims/index.js';
import { computers, type Computer, type Printer } from '../devices/index.js';
import { CreateJob } from './domain/job.commands.js';
import { fingerprintOfDraft } from './fingerprint.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { Limits } from './limits.js';
import { PrinterDirectory } from './ports.js';
import { SubmitJob, type JobDraft, type SubmitRejection, type Submitted } from './coordinated.commands.js';

const DAY_MS = 86_400_000;
const MAX_LIFE_MS = 30 * DAY_MS;
const ATTEMPTS = 5;

type OpenAccount = Exclude<Account, { status: 'absent' }>;

interface Target {
  readonly computer: Computer;
  readonly printer: Printer;
}

/** A claim to append, the job of an existing claim, or the answer to a repeat. */
type Claiming =
  { readonly free: Planned<unknown> } | { readonly heldBy: string } | { readonly answer: Submitted };

/**
 * Claim first, content second, job third (docs/architecture.md, "The write side"). A crash in between leaves a claim
 * without its job: the repeat finds the job's id in the claim and creates it.
 */
@CommandHandler(SubmitJob)
export class SubmitJobHandler implements ICommandHandler<SubmitJob> {
  private readonly lanes = new KeyedMutex();

  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
    private readonly contents: ContentStore,
    private readonly randomness: Randomness,
    private readonly printers: PrinterDirectory,
    private readonly limits: Limits,
  ) {}

  execute(command: SubmitJob): Promise<Submitted> {
    if (command.idempotencyKey === undefined) return this.checked(command, this.randomness.uuid(), []);
    const { accountId, source } = command.draft;
    const claim = claimId('job-create', source, accountId, command.idempotencyKey);
    return this.lanes.run(claim, () => this.submitOnce(command, claim));
  }

  /**
   * Most keys are new, so the first attempt does not read the claim, and its append fails if one exists. A
   * rejected first attempt may be the repeat of an accepted request: read the claim and decide again. Likewise
   * after losing the claim to another instance.
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
    const claiming = new Claim('job-create', jobId, fingerprint, later(expiry, plus(at, DAY_MS)), at, by);
    const result = await this.aggregates.plan(claims, claim, claiming, { unseen });
    if (result.ok) return (await this.reclaimed(result.planned, command)) ?? { free: result.planned };
    return this.held(result.rejection, fingerprint);
  }

  /** An expired claim still counts while its job is alive: a review may have extended the job. */
  private async reclaimed(
    planned: Planned<unknown>,
    { draft, at }: SubmitJob,
  ): Promise<Claiming | undefined> {
    if (planned.append.expected === 'no_stream') return undefined;
    const { state } = await this.aggregates.load(claims, planned.append.stream.slice('claim-'.length));
    if (state.status !== 'claimed') return undefined;
    const { state: job } = await this.aggregates.load(this.job, state.subject);
    if (job.status === 'absent' || job.expiresAt <= at) return undefined;
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
    const { state: account } = await this.aggregates.load(accounts, draft.accountId);
    if (account.status === 'absent' || account.status === 'closed') return refused({ code: 'AccountClosed' });
    const create = () => this.create(command, jobId, before, account);
    const limit = account.plan.jobsPerMonth;
    if (limit === null) return create();
    const month = command.at.slice(0, 'YYYY-MM'.length);
    return this.limits.jobsOfMonth(draft.accountId, month, async (used) =>
      used < limit ? create() : refused({ code: 'PlanLimitReached', jobsPerMonth: limit }),
    );
  }

  private async create(
    { draft, at, by }: SubmitJob,
    jobId: string,
    before: readonly Planned<unknown>[],
    account: OpenAccount,
  ): Promise<Submitted> {
    const { maxContentBytes: maxBytes } = account.plan;
    if (draft.content.byteLength > maxBytes) return refused({ code: 'ContentTooLarge', maxBytes });
    const target = await this.target(draft);
    if (!target) return refused({ code: 'PrinterNotFound' });
    const obstacle = obstacleAt(target.printer, account, draft);
    if (obstacle) return refused(obstacle);
    const described = describe(draft, target, account);
    const job = await this.aggregates.plan(this.job, jobId, new CreateJob(jobId, described, at, by), {
      unseen: before.length > 0,
    });
    if (!job.ok) throw new Error(`a job ${jobId} exists already`);
    try {
      await this.contents.putThen(jobId, draft.content, () =>
        this.aggregates.appendInOrder([...before, job.planned]),
      );
    } catch (error) {
      // A lost claim means that no job will ever use this content. A lost job means that the claim is ours and
      // another instance has completed the job with this content.
      const lost = error instanceof ConcurrencyError ? error.stream : undefined;
      if (before.some(({ append }) => append.stream === lost)) await this.contents.delete(jobId);
      throw error;
    }
    return { ok: true, jobId, replayed: false };
  }

  /** A printer of another account counts as unknown. */
  private async target({ accountId, printerId }: JobDraft): Promise<Target | undefined> {
    const computerId = await this.printers.computerOf(printerId);
    if (computerId === undefined) return undefined;
    const { state: computer } = await this.aggregates.load(computers, computerId);
    const printer = computer.printers.find((one) => one.printerId === printerId);
    return printer && computer.accountId === accountId ? { computer, printer } : undefined;
  }
}

function expiryFits({ draft: { expiresAt }, at }: SubmitJob): boolean {
  return expiresAt === undefined || (expiresAt > at && expiresAt <= plus(at, MAX_LIFE_MS));
}

/** 403 before 409 (order of checks, docs/reference/errors.md). */
function obstacleAt(printer: Printer, account: OpenAccount, draft: JobDraft): SubmitRejection | undefined {
  if (account.virtualPrintersOnly && !printer.isVirtual) return { code: 'VirtualPrintersOnly' };
  if (printer.status !== 'online') return { code: 'PrinterNotReady' };
  const types = printer.capabilities?.contentTypes;
  if (types && !types.includes(draft.contentType)) return { code: 'ContentTypeNotSupported' };
  return undefined;
}

function describe(draft: JobDraft, { computer, printer }: Target, account: OpenAccount): CreateJob['job'] {
  return {
    accountId: draft.accountId,
    printerId: printer.printerId,
    printerCode: printer.printerCode,
    printerName: printer.alias ?? printer.systemName,
    computerId: computer.computerId,
    computerName: computer.name,
    externalId: draft.externalId,
    title: draft.title,
    contentType: draft.contentType,
    contentHash: draft.contentHash,
    contentSizeBytes: draft.content.byteLength,
    copies: draft.copies,
    maxAutoRetries: account.plan.maxAutoRetries,
    source: draft.source,
    expiresAt: draft.expiresAt,
  };
}

function refused(rejection: SubmitRejection): Submitted {
  return { ok: false, rejection };
}
