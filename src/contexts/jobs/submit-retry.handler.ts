import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { v5 as uuidFromName } from 'uuid';
import { streamOf } from '../../kernel/ids.js';
import { DAY_MS, later, plus } from '../../kernel/time.js';
import { KeyedMutex } from '../../async/keyed-mutex.js';
import { isLostRace, retry } from '../../async/retry.js';
import { Claim, claimId, claims } from '../claims/index.js';
import { RetryJob } from './domain/job.commands.js';
import { fingerprintOfRetry } from './job-claims.js';
import { JOB, type JobAggregate } from './job.aggregate.js';
import { SubmitRetry, type RetrySubmitted } from './coordinated.commands.js';
import { AggregateStore } from '../../event-sourcing/index.js';

const ATTEMPTS = 5;
const RETRY_EVENTS = '6f1c3c1e-5f0e-5d0e-9c55-6d2f3a7f4b10';

@CommandHandler(SubmitRetry)
export class SubmitRetryHandler implements ICommandHandler<SubmitRetry> {
  private readonly mutex = new KeyedMutex();

  constructor(
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly aggregates: AggregateStore,
  ) {}

  execute(command: SubmitRetry): Promise<RetrySubmitted> {
    const claim = claimId('job-retry', command.accountId, command.idempotencyKey);
    return this.mutex.run(claim, () => this.retried(command, claim));
  }

  private retried(command: SubmitRetry, claim: string): Promise<RetrySubmitted> {
    return retry(() => this.submit(command, claim), { when: isLostRace, attempts: ATTEMPTS });
  }

  private async submit(command: SubmitRetry, claim: string): Promise<RetrySubmitted> {
    const { accountId, jobId, reason, at, by } = command;
    const { state: job } = await this.aggregates.load(this.job, jobId);
    if (job.accountId !== accountId) return { ok: false, rejection: { code: 'JobNotFound' } };
    const fingerprint = fingerprintOfRetry(jobId, reason);
    const until = later(job.expiresAt, plus(at, DAY_MS));
    const claiming = await this.aggregates.plan(
      claims,
      claim,
      new Claim({ claimKind: 'job-retry', subject: jobId, fingerprint, expiresAt: until, at, by }),
    );
    const eventId = (ordinal: number) => uuidFromName(`${claim}/${ordinal}`, RETRY_EVENTS);
    if (!claiming.ok) {
      if (claiming.rejection.fingerprint !== fingerprint) {
        return { ok: false, rejection: { code: 'IdempotencyConflict' } };
      }
      // A crash may have left the claim without the retry.
      const done = await this.aggregates.holds(streamOf(this.job.category, jobId), eventId(0));
      if (done) return { ok: true, replayed: true };
    }
    const retry = await this.aggregates.plan(this.job, jobId, new RetryJob({ jobId, reason, at, by }), {
      eventIds: eventId,
    });
    if (!retry.ok) return retry;
    await this.aggregates.appendInOrder(claiming.ok ? [claiming.planned, retry.planned] : [retry.planned]);
    return { ok: true, replayed: false };
  }
}
