import { UnavailableError } from '../../ports/event-store.port.js';
import type { Milliseconds } from '../../kernel/time.js';

/** Waits no longer than this, whatever the client does: it has calls that end never (F2, F6). */
export async function answeredWithin<T>(ms: Milliseconds, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new UnavailableError(`${what}: no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, expiry]);
  } finally {
    clearTimeout(timer);
  }
}
