import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type Waiter, Waiters } from '../async/waiters.js';
import { EventStore } from '../event-sourcing/index.js';
import { answer, type Answer, type BareAnswer, notModified } from '../http/answer.js';
import { ApiError } from '../http/errors/api-error.js';
import type { Success } from '../http/operation.js';
import { onHangUp } from '../http/request.js';
import { categoryOf, idOf } from '../kernel/ids.js';
import { Clock, type Milliseconds } from '../kernel/time.js';

/** Request header of every polled operation. */
export const IF_NONE_MATCH = {
  'If-None-Match':
    'The ETag of an earlier answer. If nothing has changed, the answer is 304: no body, and not counted by the rate limit.',
} as const;

export const ETAG = {
  ETag: 'Weak validator of what this answer shows; give it back in If-None-Match',
} as const;

export const UNCHANGED: Success = {
  status: 304,
  description: 'Nothing has changed since the answer with this ETag.',
  headers: ETAG,
};

const APPLIED = { ...ETAG, 'Preference-Applied': 'wait=N, where a wait was granted' } as const;

/** Description and headers of an operation that answers one job and can wait for its change. */
export const JOB_POLLING = {
  description:
    'Poll it cheaply: with the ETag of the last answer in If-None-Match an unchanged job is a 304 that the rate limit ' +
    'does not count; with `Prefer: wait=N` besides, the answer waits up to N seconds for a change.',
  headers: {
    ...IF_NONE_MATCH,
    Prefer:
      '`wait=N` (RFC 7240), N from 1 to 25 seconds; only together with If-None-Match. More than 25 is cut to 25.',
  },
  changed: APPLIED,
  unchanged: { ...UNCHANGED, headers: APPLIED },
} as const;

/** Answers what `show` makes, or 304 if the client has it. */
export async function unlessCurrent(
  ifNoneMatch: string | undefined,
  etag: string,
  show: () => object | Promise<object>,
): Promise<Answer | BareAnswer> {
  if (isCurrent(ifNoneMatch, etag)) return notModified({ etag });
  return answer(await show(), { headers: { etag } });
}

const TAG = /(?:W\/)?"([^"]*)"/g;

/** True if If-None-Match contains the validator; weak comparison (RFC 9110, 13.1.2). */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '').slice(1, -1);
  return [...ifNoneMatch.matchAll(TAG)].some(([, known]) => known === opaque);
}

/** Maximum wait for a change in seconds, below the timeouts of common proxies. */
export const MAX_WAIT_SECONDS = 25;

const WAIT = /^wait=(\d{1,9})$/i;

/** Seconds of `Prefer: wait=N` (RFC 7240), limited to our maximum; undefined for any other preference. */
export function waitSeconds(prefer: string | undefined): number | undefined {
  const preferences = prefer?.split(',').map((each) => each.split(';')[0]!.replace(/\s/g, '')) ?? [];
  const wait = preferences.map((each) => WAIT.exec(each)?.[1]).find((digits) => digits !== undefined);
  if (wait === undefined || Number(wait) === 0) return undefined;
  return Math.min(MAX_WAIT_SECONDS, Number(wait));
}

interface Wait {
  /** Opened before the condition was checked first; closed at the end. */
  readonly waiter: Waiter;
  readonly seconds: number;
  readonly request: FastifyRequest;
  readonly clock: Clock;
}

/** One wake of the process answers many: waking it is most of what a thousand waiting readers cost. */
const TOGETHER_MS: Milliseconds = 500;
/** Not later, because a client gives the longest time that it will wait (RFC 7240, 4.3). */
export const sharedEnd = (end: Milliseconds): Milliseconds => end - (end % TOGETHER_MS);

/**
 * Looks again at each notification until it is enough, the time is over, the client hangs up or the service stops.
 * @param first what was seen, if nothing has come since
 */
export async function lookUntil<T>(
  { waiter, seconds, request, clock }: Wait,
  look: () => Promise<T>,
  isEnough: (seen: T) => boolean,
  first?: T,
): Promise<T> {
  const stopListening = onHangUp(request, () => waiter.close());
  try {
    const end = sharedEnd(clock.monotonic() + seconds * 1_000);
    for (let [awake, known] = [true, first]; ; known = undefined) {
      const seen = known ?? (await look());
      const left = end - clock.monotonic();
      if (isEnough(seen) || !awake || left <= 0) return seen;
      awake = await waiter.wait(left);
    }
  } finally {
    stopListening();
    waiter.close();
  }
}

interface PolledJob<T> {
  readonly jobId: string;
  read(): Promise<T>;
  /** Its validator; changes with everything that `show` makes. */
  etagOf(job: T): string;
  show(job: T): object | Promise<object>;
  /** Asked after a wait: false if the credential of the request was revoked meanwhile. */
  isStillValid(): Promise<boolean>;
}

/** Answers a job to a client that has an earlier answer, at once or when it changes. */
@Injectable()
export class JobPolling implements OnModuleDestroy {
  private readonly waiters: Waiters;
  private readonly unsubscribe: () => void;

  constructor(
    events: EventStore,
    private readonly clock: Clock,
  ) {
    this.waiters = new Waiters(clock);
    this.unsubscribe = events.listen({
      appended: (events) => {
        if (this.waiters.size === 0) return;
        for (const { stream } of events) if (categoryOf(stream) === 'job') this.waiters.wake(idOf(stream));
      },
    });
  }

  get waiting(): number {
    return this.waiters.size;
  }

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
    const ifNoneMatch = headers['if-none-match'];
    const wait = ifNoneMatch === undefined ? undefined : waitSeconds(headers['prefer'] as string | undefined);
    let first: T | undefined;
    // `*` fits every validator, so any change counts as well.
    const isChanged = (seen: T) =>
      !isCurrent(ifNoneMatch, job.etagOf(seen)) || job.etagOf(seen) !== job.etagOf((first ??= seen));
    const seen =
      wait === undefined
        ? await job.read()
        : await lookUntil(this.waitOf(job.jobId, wait, request), () => job.read(), isChanged);
    if (wait && !(await job.isStillValid())) throw new ApiError('credentialInvalid');
    const shown = { etag: job.etagOf(seen), ...(wait && { 'preference-applied': `wait=${wait}` }) };
    return isChanged(seen) ? answer(await job.show(seen), { headers: shown }) : notModified(shown);
  }

  private waitOf(jobId: string, seconds: number, request: FastifyRequest): Wait {
    return { waiter: this.waiters.open(jobId), seconds, request, clock: this.clock };
  }
}
