import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import type { PrintJob } from '../../sdk/src/generated/integration.js';
import { call, CallError } from '../api/client.js';
import { connection, isOfProxy } from '../api/connection.js';

const LONGEST_WAIT_SECONDS = 60;
const TRIES = 3;
const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/**
 * Does the same with several jobs, one after the other, and waits where a limit asks for it and while the service is
 * away. A job keeps its key, so that it is not tried twice. @param did as in "3 jobs cancelled"
 * @param onDone gets the jobs for which it was not done
 */
export function useEach(
  name: 'cancelPrintJob' | 'retryPrintJob',
  jobs: readonly PrintJob[],
  did: string,
  onDone: (left: readonly PrintJob[]) => void,
) {
  const client = useQueryClient();
  const [done, setDone] = useState<number>();
  const keys = useRef(new Map<string, string>());
  const [stopping] = useState(() => new AbortController());
  const isStopped = () => stopping.signal.aborted;
  const stopped = () =>
    new Promise<void>((resolve) =>
      stopping.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
  /** Waits as the failure asks for. Resolves to the number of the next attempt; undefined if there is none. */
  const nextAttempt = async ({ status, retryAfterSeconds }: CallError, attempt: number) => {
    if (status === 429) {
      await Promise.race([pause(Math.min(retryAfterSeconds ?? 1, LONGEST_WAIT_SECONDS)), stopped()]);
      return isStopped() ? undefined : attempt;
    }
    if (status !== 0 && !isOfProxy(status)) return undefined;
    const wasLost = await Promise.race([connection.back(), stopped()]);
    return isStopped() || (!wasLost && attempt >= TRIES) ? undefined : attempt + 1;
  };
  const one = async (job: PrintJob, body: { reason?: string }, attempt = 1): Promise<boolean> => {
    const { job_id } = job;
    if (!keys.current.has(job_id)) keys.current.set(job_id, crypto.randomUUID());
    const key = name === 'retryPrintJob' && { idempotencyKey: keys.current.get(job_id)! };
    try {
      await call(name, { params: { job_id }, body, ...key });
      return true;
    } catch (error) {
      if (!(error instanceof CallError)) return false;
      // A cancel has no key: the attempt before, whose answer was lost, may have been carried out.
      if (error.status === 409 && attempt > 1 && name === 'cancelPrintJob') return isCancelled(job_id);
      const next = await nextAttempt(error, attempt);
      return next !== undefined && one(job, body, next);
    }
  };
  const each = async (body: { reason?: string }) => {
    const left: PrintJob[] = [];
    for (const [n, job] of jobs.entries()) {
      setDone(n);
      if (isStopped() || !(await one(job, body))) left.push(job);
    }
    const succeeded = jobs.length - left.length;
    const { say } = await import('../look/toasts.js');
    say(
      `${succeeded} ${succeeded === 1 ? 'job' : 'jobs'} ${did}${left.length > 0 ? `, ${left.length} ${isStopped() ? 'left' : 'could not be'}` : ''}`,
    );
    await Promise.all(
      ['jobs', 'overview', 'audit'].map((area) => client.invalidateQueries({ queryKey: [area] })),
    );
    onDone(left);
  };
  const submit =
    (body: (event: FormEvent<HTMLFormElement>) => { reason?: string }) =>
    (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      void each(body(event));
    };
  return { submit, stop: () => stopping.abort(), isBusy: done !== undefined, done: done ?? 0 };
}

const isCancelled = (job_id: string) =>
  call('getPrintJob', { params: { job_id } }).then(
    ({ status }) => status === 'cancelled',
    () => false,
  );
