import { Command, type Outcome } from '../../../kernel/command.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant, Milliseconds } from '../../../kernel/time.js';
import type {
  AttemptResult,
  DeliveryEvent,
  DeliveryEventData,
  DeliveryFailureCode,
  DeliveryStatus,
} from './delivery.events.js';

export type DeliveryRejection =
  | { readonly code: 'DeliveryNotFound' }
  | { readonly code: 'DeliveryStateConflict'; readonly status: DeliveryStatus };

type DeliveryOutcome = Outcome<unknown, DeliveryEvent, DeliveryRejection>;

/** The id is derived from webhook and event, so a repeat writes nothing. */
export class CreateDelivery extends Command<DeliveryOutcome> {
  readonly kind = 'CreateDelivery';
  constructor(
    readonly deliveryId: string,
    readonly delivery: Omit<DeliveryEventData['DeliveryCreated'], 'deliveryId' | 'maxAttempts'>,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Sent when the timer of a retry is due. `attempt` is the failed one. */
export class MakeDeliveryDue extends Command<DeliveryOutcome> {
  readonly kind = 'MakeDeliveryDue';
  constructor(
    readonly deliveryId: string,
    readonly attempt: number,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Precedes every request. `manual`: requested by a client, due or not. */
export class StartAttempt extends Command<DeliveryOutcome> {
  readonly kind = 'StartAttempt';
  constructor(
    readonly deliveryId: string,
    readonly trigger: 'schedule' | 'manual',
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class RecordSuccess extends Command<DeliveryOutcome> {
  readonly kind = 'RecordSuccess';
  constructor(
    readonly deliveryId: string,
    readonly attempt: number,
    readonly result: AttemptResult,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export interface AttemptFailure extends AttemptResult {
  readonly failureCode: DeliveryFailureCode;
  /** Delay requested by the receiver's Retry-After. */
  readonly retryAfterMs?: Milliseconds;
}

export class RecordFailure extends Command<DeliveryOutcome> {
  readonly kind = 'RecordFailure';
  constructor(
    readonly deliveryId: string,
    readonly attempt: number,
    readonly failure: AttemptFailure,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Records a crash of ours: the result of the request is unknown. */
export class InterruptAttempt extends Command<DeliveryOutcome> {
  readonly kind = 'InterruptAttempt';
  constructor(
    readonly deliveryId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class CancelDelivery extends Command<DeliveryOutcome> {
  readonly kind = 'CancelDelivery';
  constructor(
    readonly deliveryId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Removes a delivery that was delivered or cancelled long ago; the sender judges the time. */
export class RemoveDelivery extends Command<DeliveryOutcome> {
  readonly kind = 'RemoveDelivery';
  constructor(
    readonly deliveryId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export type DeliveryCommand =
  | CreateDelivery
  | MakeDeliveryDue
  | StartAttempt
  | RecordSuccess
  | RecordFailure
  | InterruptAttempt
  | CancelDelivery
  | RemoveDelivery;
