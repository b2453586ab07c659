import type { StreamingRead } from '@eventstore/db-client';
import type { Milliseconds } from '../../kernel/time.js';
import { withTimeout } from '../../event-sourcing/deadline.js';

/**
 * All of a read that has an end. Whatever comes of it, the call is cancelled: leaving the stream does not do it, and
 * every call that stays holds one of the hundred places on the connection (F7).
 */
export async function collected<E>(read: StreamingRead<E>, ms: Milliseconds, what: string): Promise<E[]> {
  const items: E[] = [];
  const all = new Promise<E[]>((resolve, reject) => {
    // Stays after the end: an error that nobody listens to ends the process (F9).
    read.on('error', reject);
    read.on('data', (item) => items.push(item));
    read.on('end', () => resolve(items));
    read.on('close', () => resolve(items));
  });
  try {
    return await withTimeout(ms, what, () => all);
  } finally {
    void read.cancel().catch(() => undefined);
  }
}
