import type { Webhook } from '../domain/endpoint.state.js';
import type { PublicEvent } from '../ports.js';
import type { AttemptOutcome } from '../webhook.aggregates.js';
import type { Ending } from './endpoint-queue.js';

export interface Attempted {
  readonly ending: Ending;
  /** Absent if nothing was decided, or if a stop came before the outcome was stored. */
  readonly outcome?: AttemptOutcome;
  /** No attempt was made: the webhook is paused or deleted. */
  readonly isPaused?: true;
  /** No attempt was made: the delivery waits for this earlier one. */
  readonly blockedBy?: string;
}

export interface PreparedAttempt {
  readonly webhook: Webhook;
  readonly secrets: readonly [string, ...string[]];
  readonly event: PublicEvent;
}

export type OnAnswered = (ending: Ending) => void;
