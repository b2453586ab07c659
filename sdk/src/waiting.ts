import { WaitTimeoutError } from './errors.js';
import { sleep } from './pauses.js';
import type { CallOptions, Reply, Row, Transport } from './transport.js';

/** How a job ended; `needs_decision`: a person must look at the printer first. */
export type Outcome = 'completed' | 'failed' | 'cancelled' | 'expired' | 'needs_decision';

export interface Ended<Job> {
  /** `completed` means that the spooler has finished; nothing says that paper came out. */
  readonly outcome: Outcome;
  readonly job: Job;
}

export interface WaitOptions<Job> extends CallOptions {
  /** Default: without limit. */
  readonly maxWaitMs?: number;
  /** Called with the job as first seen and after each change. */
  readonly onChange?: (job: Job) => void;
}

const WAIT_SECONDS = 25;
const ATTEMPT_MS = 40_000;
/** Pauses while answers come back at once and unchanged: something removed the wait from the request. */
const PAUSES_MS = [1_000, 2_000, 4_000, 5_000] as const;
const AT_ONCE_MS = 500;

/** One request a change: the service answers when the job changes. @throws WaitTimeoutError */
export async function waitFor<Job>(
  transport: Transport,
  row: Row,
  params: Readonly<Record<string, string>>,
  outcomeOf: (job: Job) => Outcome | undefined,
  { maxWaitMs = Infinity, onChange, ...options }: WaitOptions<Job>,
): Promise<Ended<Job>> {
  const began = performance.now();
  const left = () => maxWaitMs - (performance.now() - began);
  let seen: { readonly job: Job; readonly etag: string; readonly text: string } | undefined;
  for (let requests = 1, idle = 0; ; requests++) {
    const sentAt = performance.now();
    const wait = Math.min(WAIT_SECONDS, Math.floor(left() / 1000));
    const reply: Reply<Job> = await transport.call<Job>(row, {
      ...options,
      params,
      headers: seen?.etag ? { 'if-none-match': seen.etag, ...(wait > 0 && { prefer: `wait=${wait}` }) } : {},
      timeoutMs: ATTEMPT_MS,
    });
    const text = JSON.stringify(reply.data);
    if (reply.status !== 304 && text !== seen?.text) {
      seen = { job: reply.data, etag: reply.headers.get('etag') ?? '', text };
      idle = 0;
      onChange?.(seen.job);
      const outcome = outcomeOf(seen.job);
      if (outcome) return { outcome, job: seen.job };
    } else if (performance.now() - sentAt < AT_ONCE_MS) {
      await sleep(Math.min(left(), PAUSES_MS[Math.min(idle++, PAUSES_MS.length - 1)]!), options.signal);
    }
    if (left() <= 0) throw new WaitTimeoutError('the job has not ended', seen!.job, { attempts: requests });
  }
}
