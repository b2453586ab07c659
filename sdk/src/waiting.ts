import { WaitTimeoutError } from './errors.js';
import { AT_ONCE_MS, idlePauseMs, WAIT_SECONDS, WAITING_ATTEMPT_MS } from './pauses.js';
import type { CallOptions, Reply, Row, Transport } from './transport.js';

/** How a job ended; `needs_decision`: a person must look at the printer first. */
export type Outcome = 'completed' | 'failed' | 'cancelled' | 'expired' | 'needs_decision';

export interface Ended<Job> {
  /** `completed` means that the spooler has finished; nothing says that paper came out. */
  readonly outcome: Outcome;
  readonly job: Job;
}

export interface WaitOptions<Job> extends CallOptions {
  /** At most, and by default, the deadline of the client. */
  readonly maxWaitMs?: number;
  /** Called with the job as first seen and after each change. */
  readonly onChange?: (job: Job) => void;
}

/** Longer timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * One request a change: the service answers when the job changes. Looks at least once, and goes on through an outage.
 * @throws WaitTimeoutError
 */
export async function waitFor<Job>(
  transport: Transport,
  row: Row,
  params: Readonly<Record<string, string>>,
  outcomeOf: (job: Job) => Outcome | undefined,
  { maxWaitMs = Infinity, onChange, ...options }: WaitOptions<Job>,
): Promise<Ended<Job>> {
  const limitMs = Math.min(maxWaitMs, transport.deadlineMs);
  const end = performance.now() + limitMs;
  const over = AbortSignal.timeout(Math.min(limitMs, LONGEST_TIMER_MS));
  const signal = options.signal ? AbortSignal.any([options.signal, over]) : over;
  const call = { ...options, params, timeoutMs: WAITING_ATTEMPT_MS };
  let reply = await transport.call<Job>(row, { ...call, patienceMs: limitMs });
  const looks = { ...call, signal, patienceMs: Infinity, deadlineMs: Infinity };
  let requests = 1;
  onChange?.(reply.data);
  try {
    for (let idle = 0; ; requests++) {
      const outcome = outcomeOf(reply.data);
      if (outcome) return { outcome, job: reply.data };
      const sentAt = performance.now();
      const next = await transport.call<Job>(row, { ...looks, headers: conditions(reply, end - sentAt) });
      if (next.status !== 304 && JSON.stringify(next.data) !== JSON.stringify(reply.data)) {
        [reply, idle] = [next, 0];
        onChange?.(reply.data);
      } else if (performance.now() - sentAt < AT_ONCE_MS) await transport.pause(idlePauseMs(idle++), signal);
    }
  } catch (error) {
    if (!over.aborted || options.signal?.aborted) throw error;
    throw new WaitTimeoutError('the job has not ended', reply.data, { attempts: requests });
  }
}

/** Headers that ask for a change of what was answered. */
function conditions({ headers }: Reply<unknown>, leftMs: number): Record<string, string> {
  const etag = headers.get('etag');
  if (!etag) return {};
  const wait = Math.min(WAIT_SECONDS, Math.floor(leftMs / 1000));
  return { 'if-none-match': etag, ...(wait > 0 && { prefer: `wait=${wait}` }) };
}
