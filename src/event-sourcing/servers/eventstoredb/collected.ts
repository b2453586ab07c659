import type { StreamingRead } from '@eventstore/db-client';
import type { Milliseconds } from '../../../kernel/time.js';
import { withTimeout } from '../../../async/deadline.js';
import { UnavailableError } from '../../../kernel/errors.js';

/**
 * Reads a finite stream to its end and always cancels the call. Leaving the stream does not cancel it, and every
 * open call occupies one of the connection's hundred streams (F7).
 */
export async function collected<E>(read: StreamingRead<E>, ms: Milliseconds, what: string): Promise<E[]> {
  const items: E[] = [];
  const all = new Promise<E[]>((resolve, reject) => {
    // Never removed: an error event without a listener ends the process (F9).
    read.on('error', reject);
    read.on('data', (item) => items.push(item));
    // A client that is replaced destroys its streams: they close without an end or an error, and may lack events.
    const cutOff = () => reject(new UnavailableError(`${what}: the read was cut off`, 'not_written'));
    read.on('close', cutOff);
    read.on('end', () => {
      read.off('close', cutOff); // Every read closes; its error would be made in vain.
      resolve(items);
    });
  });
  try {
    return await withTimeout(ms, what, () => all);
  } finally {
    void read.cancel().catch(() => undefined);
  }
}
