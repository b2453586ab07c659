import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant, Milliseconds } from '../../../kernel/time.js';
import type { AttemptResult, DeliveryEventData, DeliveryFailureCode } from './delivery.events.js';

/** Its id is made of webhook and event, so that telling twice writes nothing. */
export class CreateDelivery {
  readonly kind = 'CreateDelivery';
  constructor(
    readonly deliveryId: string,
    readonly delivery: Omit<DeliveryEventData['DeliveryCreated'], 'deliveryId' | 'maxAttempts'>,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** Sent when the timer of a retry is due. `attempt` is the one that failed. */
export class MakeDeliveryDue {
  readonly kind = 'MakeDeliveryDue';
  constructor(
    readonly deliveryId: string,
    readonly attempt: number,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** Before every request. `manual`: a person asked, due or not. */
export class StartAttempt {
  readonly kind = 'StartAttempt';
  constructor(
    readonly deliveryId: string,
    readonly trigger: 'schedule' | 'manual',
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export class RecordSuccess {
  readonly kind = 'RecordSuccess';
  constructor(
    readonly deliveryId: string,
    readonly attempt: number,
    readonly result: AttemptResult,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export interface AttemptFailure extends AttemptResult {
  readonly failureCode: DeliveryFailureCode;
  /** What the receiver asked for by Retry-After. */
  readonly retryAfterMs?: Milliseconds;
}

export class RecordFailure {
  readonly kind = 'RecordFailure';
  constructor(
    readonly deliveryId: string,
    readonly attempt: number,
    readonly failure: AttemptFailure,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** After a crash of ours: nobody knows what became of the request. */
export class InterruptAttempt {
  readonly kind = 'InterruptAttempt';
  constructor(
    readonly deliveryId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export class CancelDelivery {
  readonly kind = 'CancelDelivery';
  constructor(
    readonly deliveryId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export type DeliveryCommand =
  | CreateDelivery
  | MakeDeliveryDue
  | StartAttempt
  | RecordSuccess
  | RecordFailure
  | InterruptAttempt
  | CancelDelivery;
