import { ApiError, UnansweredJobsError } from './errors.js';
import { restoredOf, type Restored } from './submissions.js';
import type { Reply } from './transport.js';

/** Of one request. */
const MAX_JOBS = 100;
/** Of one request, below the service's 16 MiB. */
const MAX_BYTES = 16_000_000;

/** A job without its key: one is made. */
export type Keyless<Job extends { readonly idempotency_key: string }> = Omit<Job, 'idempotency_key'> & {
  readonly idempotency_key?: string;
};

type Send<Job, Result> = (jobs: Job[]) => Promise<Reply<{ readonly results: readonly Result[] }>>;

interface Refused {
  readonly status: number;
  readonly code: string;
  readonly message?: string;
}

/**
 * Sends the jobs in requests of up to 100 and yields one result for each, in their order. A request is repeated with the
 * same keys, so that no job is created twice.
 * @throws UnansweredJobsError with the jobs of a request that failed
 */
export async function* inBatches<Job extends { readonly idempotency_key: string }, Result extends Refused>(
  jobs: Iterable<Keyless<Job>> | AsyncIterable<Keyless<Job>>,
  send: Send<Job, Result>,
): AsyncGenerator<(Result | Refused) & Restored, void, undefined> {
  let batch: Job[] = [];
  let bytes = 0;
  for await (const given of jobs) {
    const job = { ...given, idempotency_key: given.idempotency_key ?? crypto.randomUUID() } as Job;
    const size = Buffer.byteLength(JSON.stringify(job)) + 1;
    if (batch.length === MAX_JOBS || (batch.length > 0 && bytes + size > MAX_BYTES)) {
      yield* await resultsOf(batch, send);
      batch = [];
      bytes = 0;
    }
    batch.push(job);
    bytes += size;
  }
  if (batch.length > 0) yield* await resultsOf(batch, send);
}

/** A job that is too large for a request of its own is refused alone. */
async function resultsOf<Job, Result extends Refused>(
  jobs: Job[],
  send: Send<Job, Result>,
): Promise<readonly ((Result | Refused) & Restored)[]> {
  try {
    const reply = await send(jobs);
    return reply.data.results.map((result) => ({ ...result, ...restoredOf(reply) }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 413 || jobs.length > 1)
      throw new UnansweredJobsError(jobs, error);
    const { status, code, message } = error;
    return [{ status, code, message }];
  }
}
