import { Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Waiters } from '../async/waiters.js';
import { EventStore } from '../event-sourcing/index.js';
import { answer, type Answer, type BareAnswer, notModified } from '../http/answer.js';
import { ApiError } from '../http/errors/api-error.js';
import { onHangUp } from '../http/request.js';
import { categoryOf, idOf } from '../kernel/ids.js';
import { Clock, epochMs, plus } from '../kernel/time.js';
import { isKnown, waitSeconds } from './polling.js';

/** A job as one surface shows it. */
interface PolledJob<T> {
  readonly jobId: string;
  /** Reads the job. */
  look(): Promise<T>;
  /** Its validator; changes with everything that `show` makes. */
  etagOf(seen: T): string;
  show(seen: T): object | Promise<object>;
  /** Asked after a wait: false if the credential of the request was revoked meanwhile. */
  isStillValid(): Promise<boolean>;
}

/** Answers a job to a client that has seen it before, at once or when it changes. */
@Injectable()
export class JobPolling implements OnModuleDestroy {
  private readonly waiters: Waiters;
  private readonly unsubscribe: () => void;

  constructor(
    events: EventStore,
    private readonly clock: Clock,
  ) {
    this.waiters = new Waiters(clock);
    this.unsubscribe = events.onAppended((appended) => {
      if (this.waiters.size === 0) return;
      for (const { stream } of appended) if (categoryOf(stream) === 'job') this.waiters.wake(idOf(stream));
    });
  }

  /** Number of current waiters. */
  get waiting(): number {
    return this.waiters.size;
  }

  /** Answers all waiters, because the service stops. */
  onModuleDestroy(): void {
    this.unsubscribe();
    this.waiters.closeAll();
  }

  /**
   * Answers the job, or 304 if the client has it (If-None-Match). With `Prefer: wait=N` besides, waits up to N seconds
   * for a change. @throws `credentialInvalid` if the credential was revoked during the wait
   */
  async answer<T>(request: FastifyRequest, job: PolledJob<T>): Promise<Answer | BareAnswer> {
    const { headers } = request;
    const known = headers['if-none-match'];
    const wait = known === undefined ? undefined : waitSeconds(headers['prefer'] as string | undefined);
    let first: T | undefined;
    // `*` fits every validator, so any change counts as well.
    const isNews = (seen: T) =>
      !isKnown(known, job.etagOf(seen)) || job.etagOf(seen) !== job.etagOf((first ??= seen));
    const seen = wait === undefined ? await job.look() : await this.until(job, wait, request, isNews);
    if (wait && !(await job.isStillValid())) throw new ApiError('credentialInvalid');
    const shown = { etag: job.etagOf(seen), ...(wait && { 'preference-applied': `wait=${wait}` }) };
    return isNews(seen) ? answer(await job.show(seen), { headers: shown }) : notModified(shown);
  }

  /**
   * Looks until there is news, the time is over, the client hangs up or the service stops; resolves to what it saw
   * last.
   */
  private async until<T>(
    { jobId, look }: PolledJob<T>,
    seconds: number,
    request: FastifyRequest,
    isNews: (seen: T) => boolean,
  ): Promise<T> {
    const waiter = this.waiters.open(jobId);
    const stopListening = onHangUp(request, () => waiter.close());
    try {
      const deadline = plus(this.clock.now(), seconds * 1000);
      for (let awake = true; ;) {
        const seen = await look();
        const left = epochMs(deadline) - epochMs(this.clock.now());
        if (isNews(seen) || !awake || left <= 0) return seen;
        awake = await waiter.wait(left);
      }
    } finally {
      stopListening();
      waiter.close();
    }
  }
}

@Module({ providers: [JobPolling], exports: [JobPolling] })
export class JobPollingModule {}
