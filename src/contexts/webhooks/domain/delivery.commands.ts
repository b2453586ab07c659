import { command, type Outcome } from '../../../kernel/command.js';
import type { Milliseconds } from '../../../kernel/time.js';
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
export class CreateDelivery extends command('CreateDelivery')<
  {
    deliveryId: string;
    delivery: Omit<DeliveryEventData['DeliveryCreated'], 'deliveryId' | 'maxAttempts' | 'recoveryId'>;
  },
  DeliveryOutcome
> {}

/** Creates a delivery that is missing or was removed, or sends it again unless it is under way. */
export class RecoverDelivery extends command('RecoverDelivery')<
  {
    deliveryId: string;
    delivery: Omit<DeliveryEventData['DeliveryCreated'], 'deliveryId' | 'maxAttempts' | 'recoveryId'>;
    recoveryId: string;
    includeDelivered: boolean;
  },
  DeliveryOutcome
> {}

/** `attempt` is the failed one. */
export class MakeDeliveryDue extends command('MakeDeliveryDue')<
  { deliveryId: string; attempt: number },
  DeliveryOutcome
> {}

/** Precedes every request. `manual`: requested by a client, due or not. */
export class StartAttempt extends command('StartAttempt')<
  { deliveryId: string; trigger: 'schedule' | 'manual' },
  DeliveryOutcome
> {}

export class RecordSuccess extends command('RecordSuccess')<
  { deliveryId: string; attempt: number; result: AttemptResult },
  DeliveryOutcome
> {}

export interface AttemptFailure extends AttemptResult {
  readonly failureCode: DeliveryFailureCode;
  readonly retryAfterMs?: Milliseconds;
}

export class RecordFailure extends command('RecordFailure')<
  { deliveryId: string; attempt: number; failure: AttemptFailure },
  DeliveryOutcome
> {}

export class InterruptAttempt extends command('InterruptAttempt')<{ deliveryId: string }, DeliveryOutcome> {}

export class CancelDelivery extends command('CancelDelivery')<{ deliveryId: string }, DeliveryOutcome> {}

/** Precondition: delivered or cancelled long ago; the sender checks the time. */
export class RemoveDelivery extends command('RemoveDelivery')<{ deliveryId: string }, DeliveryOutcome> {}

export type DeliveryCommand =
  | CreateDelivery
  | RecoverDelivery
  | MakeDeliveryDue
  | StartAttempt
  | RecordSuccess
  | RecordFailure
  | InterruptAttempt
  | CancelDelivery
  | RemoveDelivery;
