import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import type { PrintJob } from '../../sdk/src/generated/integration.js';
import { call, CallError } from '../api/client.js';

const LONGEST_WAIT_SECONDS = 60;
const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/**
 * Does the same with several jobs, one after the other, and waits where a limit asks for it. A job keeps its key, so
 * that a second click is no second attempt. @param did as in "3 jobs cancelled"
 */
export function useEach(
  name: 'cancelPrintJob' | 'retryPrintJob',
  jobs: readonly PrintJob[],
  did: string,
  onDone: () => void,
) {
  const client = useQueryClient();
  const [done, setDone] = useState<number>();
  const keys = useRef(new Map<string, string>());
  const one = async ({ job_id }: PrintJob, body: { reason?: string }): Promise<boolean> => {
    if (!keys.current.has(job_id)) keys.current.set(job_id, crypto.randomUUID());
    const idempotencyKey = keys.current.get(job_id)!;
    try {
      await call(name, {
        params: { job_id },
        body,
        ...(name === 'retryPrintJob' && { idempotencyKey }),
      });
      return true;
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 429) return false;
      await pause(Math.min(error.retryAfterSeconds ?? 1, LONGEST_WAIT_SECONDS));
      return one({ job_id } as PrintJob, body);
    }
  };
  const each = async (body: { reason?: string }) => {
    let succeeded = 0;
    for (const [n, job] of jobs.entries()) {
      setDone(n);
      if (await one(job, body)) succeeded++;
    }
    const failed = jobs.length - succeeded;
    const { say } = await import('../look/toasts.js');
    say(
      `${succeeded} ${succeeded === 1 ? 'job' : 'jobs'} ${did}${failed > 0 ? `, ${failed} could not be` : ''}`,
    );
    await Promise.all(
      ['jobs', 'overview', 'audit'].map((area) => client.invalidateQueries({ queryKey: [area] })),
    );
    onDone();
  };
  const submit =
    (body: (event: FormEvent<HTMLFormElement>) => { reason?: string }) =>
    (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      void each(body(event));
    };
  return { submit, isBusy: done !== undefined, done: done ?? 0 };
}
