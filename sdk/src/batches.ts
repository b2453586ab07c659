/** Of one request. */
const MAX_JOBS = 100;
/** Of one request, below the service's 16 MiB. */
const MAX_BYTES = 16_000_000;

/** A job without its key: one is made. */
export type Keyless<Job extends { readonly idempotency_key: string }> = Omit<Job, 'idempotency_key'> & {
  readonly idempotency_key?: string;
};

/**
 * Sends the jobs in requests of up to 100 and yields one result for each, in their order. A request is repeated with the
 * same keys until it is answered, so that no job is created twice.
 */
export async function* inBatches<Job extends { readonly idempotency_key: string }, Result>(
  jobs: Iterable<Keyless<Job>> | AsyncIterable<Keyless<Job>>,
  send: (jobs: Job[]) => Promise<{ readonly results: readonly Result[] }>,
): AsyncGenerator<Result, void, undefined> {
  let batch: Job[] = [];
  let bytes = 0;
  for await (const given of jobs) {
    const job = { ...given, idempotency_key: given.idempotency_key ?? crypto.randomUUID() } as Job;
    const size = Buffer.byteLength(JSON.stringify(job)) + 1;
    if (batch.length === MAX_JOBS || (batch.length > 0 && bytes + size > MAX_BYTES)) {
      yield* (await send(batch)).results;
      batch = [];
      bytes = 0;
    }
    batch.push(job);
    bytes += size;
  }
  if (batch.length > 0) yield* (await send(batch)).results;
}
