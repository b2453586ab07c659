import type { Position } from '../../../kernel/recorded-event.js';
import type { Milliseconds } from '../../../kernel/time.js';
import type { FeedBatch, SubscribeOptions } from '../../ports/remote-event-store.port.js';
import { exponentialBackoff, LONGEST_BACKOFF_MS } from '../../../async/retry.js';
import { isDropped } from './failures.js';
import type { Subscription } from './subscription.js';
import { CorruptEventError } from '../../../kernel/errors.js';

export interface FeedSource {
  newest(): Promise<Position | undefined>;
  subscribe(after: Position | undefined): Promise<Subscription>;
  /** A subscription was lost or could not start. */
  interrupted(reason: unknown, retryInMs: Milliseconds): void;
  /** The server dropped a subscription because of a burst; the next attempt follows at once. */
  dropped(): void;
  /** Ends early if the server is reached meanwhile. */
  wait(ms: Milliseconds, signal: AbortSignal): Promise<void>;
}

/** Resubscribes behind the last delivered event. @throws CorruptEventError */
export async function* feed(
  source: FeedSource,
  { after, max, signal }: SubscribeOptions,
): AsyncGenerator<FeedBatch, void, undefined> {
  let position = after;
  let failures = 0;
  let told = false;
  while (!signal.aborted) {
    const begun = performance.now();
    let reason: unknown;
    let hasProgressed = false;
    try {
      if (position === 'end') position = await source.newest();
      const subscription = await source.subscribe(position);
      for await (const handed of connected(subscription, max, signal)) {
        position = handed.position ?? position;
        hasProgressed = true;
        if (handed.events.length > 0) failures = 0;
        told = false;
        yield { ...handed, position, interrupted: false };
      }
      reason = subscription.reason;
    } catch (error) {
      if (error instanceof CorruptEventError) throw error;
      reason = error;
    }
    if (signal.aborted) return;
    if (hasProgressed && isDropped(reason)) {
      source.dropped();
      continue;
    }
    if (performance.now() - begun > LONGEST_BACKOFF_MS) failures = 0;
    const retryInMs = exponentialBackoff(++failures);
    source.interrupted(reason, retryInMs);
    if (!told) yield { events: [], position: known(position), caughtUp: false, interrupted: true };
    told = true;
    await source.wait(retryInMs, signal);
  }
}

async function* connected(subscription: Subscription, max: number, signal: AbortSignal) {
  const close = () => subscription.close();
  signal.addEventListener('abort', close);
  try {
    for (;;) {
      const handed = signal.aborted ? undefined : await subscription.next(max);
      if (!handed || signal.aborted) return;
      yield handed;
    }
  } finally {
    signal.removeEventListener('abort', close);
    subscription.close();
  }
}

function known(position: Position | 'end' | undefined): Position | undefined {
  return position === 'end' ? undefined : position;
}
