import { accept, reject, type Decider, type Decision } from '../../../kernel/decider.js';
import { plus } from '../../../kernel/time.js';
import type {
  DeliveryCommand,
  DeliveryRejection,
  RecordFailure,
  RecoverDelivery,
  StartAttempt,
} from './delivery.commands.js';
import type { DeliveryEvent, DeliveryStatus } from './delivery.events.js';
import { delayAfter, maxAttempts, type DeliveryPolicy } from './delivery.policy.js';
import { evolve, noDelivery, type Delivery } from './delivery.state.js';

export type { DeliveryRejection };

type DeliveryDecider = Decider<Delivery, DeliveryCommand, DeliveryEvent, DeliveryRejection>;
type Decided = Decision<DeliveryEvent, DeliveryRejection>;

/** Late and repeated commands change nothing. */
export function makeDeliveryDecider(policy: DeliveryPolicy): DeliveryDecider {
  return {
    initialState: noDelivery,
    evolve,

    decide(delivery, command) {
      if (command.kind === 'CreateDelivery') {
        if (delivery.status !== 'absent') return accept();
        const { deliveryId } = command;
        const data = { deliveryId, ...command.delivery, maxAttempts: maxAttempts(policy) };
        return accept({ type: 'DeliveryCreated', data });
      }
      if (command.kind === 'RecoverDelivery') return recover(policy, delivery, command);
      const { status } = delivery;
      if (status === 'removed' && command.kind === 'RemoveDelivery') return accept();
      if (status === 'absent' || status === 'removed') return reject({ code: 'DeliveryNotFound' });
      return decideExisting(policy, delivery, status, command);
    },
  };
}

function decideExisting(
  policy: DeliveryPolicy,
  delivery: Delivery,
  status: DeliveryStatus,
  command: Exclude<DeliveryCommand, { kind: 'CreateDelivery' | 'RecoverDelivery' }>,
): Decided {
  const { attempts: attempt } = delivery;
  switch (command.kind) {
    case 'MakeDeliveryDue':
      return isRetryDue(delivery, command) ? accept({ type: 'DeliveryBecameDue', data: {} }) : accept();
    case 'StartAttempt': {
      const { trigger } = command;
      if (!mayStart(delivery, command)) return reject({ code: 'DeliveryStateConflict', status });
      return accept({ type: 'DeliveryAttemptStarted', data: { attempt: attempt + 1, trigger } });
    }
    case 'RecordSuccess':
      if (!isUnderWay(delivery, command.attempt)) return accept();
      return accept({ type: 'DeliverySucceeded', data: { attempt, ...command.result } });
    case 'RecordFailure':
      return isUnderWay(delivery, command.attempt) ? fail(policy, delivery, command) : accept();
    case 'InterruptAttempt': {
      if (status !== 'delivering') return accept();
      const data = { attempt, failureCode: 'INTERRUPTED', durationMs: 0, again: 'now' } as const;
      return accept({ type: 'DeliveryAttemptFailed', data });
    }
    case 'CancelDelivery':
      if (status === 'delivered' || status === 'dead_letter' || status === 'cancelled') return accept();
      return accept({ type: 'DeliveryCancelled', data: { reason: 'webhook_deleted' } });
    case 'RemoveDelivery':
      if (status !== 'delivered' && status !== 'cancelled') return accept();
      return accept({ type: 'DeliveryRemoved', data: {} });
  }
}

function recover(
  policy: DeliveryPolicy,
  { status, ...delivery }: Delivery,
  command: RecoverDelivery,
): Decided {
  const { deliveryId, recoveryId, includeDelivered } = command;
  if (status === 'absent' || status === 'removed') {
    const data = { deliveryId, ...command.delivery, maxAttempts: maxAttempts(policy), recoveryId };
    return accept({ type: 'DeliveryCreated', data });
  }
  const isUnderWay = status === 'pending' || status === 'delivering' || delivery.recoveryId === recoveryId;
  if (isUnderWay || (status === 'delivered' && !includeDelivered)) return accept();
  return accept({ type: 'DeliveryRequeued', data: { recoveryId } });
}

function isRetryDue(
  { status, due, attempts, nextAttemptAt = '' }: Delivery,
  command: { readonly attempt: number; readonly at: string },
): boolean {
  return status === 'retry_scheduled' && !due && attempts === command.attempt && nextAttemptAt <= command.at;
}

function mayStart({ status, due, nextAttemptAt }: Delivery, { trigger, at }: StartAttempt): boolean {
  if (trigger === 'manual') return status === 'retry_scheduled' || status === 'dead_letter';
  if (status === 'pending') return true;
  return status === 'retry_scheduled' && (due || (nextAttemptAt !== undefined && nextAttemptAt <= at));
}

function isUnderWay({ status, attempts }: Delivery, attempt: number): boolean {
  return status === 'delivering' && attempts === attempt;
}

/** The delay starts at the outcome, not at the start of the attempt. */
function fail(policy: DeliveryPolicy, delivery: Delivery, { attempt, failure, at }: RecordFailure): Decided {
  const { retryAfterMs, ...result } = failure;
  const delay = delayAfter(policy, delivery.failures + 1, retryAfterMs);
  const next =
    delay === undefined
      ? ({ again: 'never' } as const)
      : ({ again: 'later', nextAttemptAt: plus(at, delay) } as const);
  return accept({ type: 'DeliveryAttemptFailed', data: { attempt, ...result, ...next } });
}
