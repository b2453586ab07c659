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
  let hasReported = false;
  while (!signal.aborted) {
    const begun = performance.now();
    let reason: unknown;
    let hasProgressed = false;
    try {
      if (position === 'end') position = await source.newest();
      const subscription = await source.subscribe(position);
      for await (const batch of connected(subscription, max, signal)) {
        position = batch.position ?? position;
        hasProgressed = true;
        if (batch.events.length > 0) failures = 0;
        hasReported = false;
        yield { ...batch, position, interrupted: false };
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
    if (!hasReported) yield { events: [], position: known(position), caughtUp: false, interrupted: true };
    hasReported = true;
    await source.wait(retryInMs, signal);
  }
}

async function* connected(subscription: Subscription, max: number, signal: AbortSignal) {
  const close = () => subscription.close();
  signal.addEventListener('abort', close);
  try {
    for (;;) {
      const batch = signal.aborted ? undefined : await subscription.next(max);
      if (!batch || signal.aborted) return;
      yield batch;
    }
  } finally {
    signal.removeEventListener('abort', close);
    subscription.close();
  }
}

function known(position: Position | 'end' | undefined): Position | undefined {
  return position === 'end' ? undefined : position;
}
