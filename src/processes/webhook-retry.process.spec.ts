import * as the from '../../test/kit/examples/webhooks.js';
import { armedAfter } from '../../test/kit/process.js';
import { recorded } from '../../test/kit/recorded.js';
import type { DeliveryEvent } from '../contexts/webhooks/domain/delivery.events.js';
import { webhookRetry } from './webhook-retry.process.js';

const waiting = [the.deliveryCreated, the.started(), the.failed(1, the.later(30_000))];
const armed = (...events: DeliveryEvent[]) =>
  armedAfter([webhookRetry], recorded(the.DELIVERY_STREAM, ...events)).get(
    `webhook-retry:${the.DELIVERY_ID}`,
  );

describe('waiting for a retry', () => {
  it('is due at the time in the failure event', () => {
    expect(armed(...waiting)).toMatchObject({
      due: the.later(30_000),
      payload: { deliveryId: the.DELIVERY_ID, attempt: 1 },
    });
  });

  it('ends when the delivery becomes due, is retried manually or is cancelled', () => {
    for (const next of [the.becameDue, the.started(2, 'manual'), the.deliveryCancelled]) {
      expect(armed(...waiting, next)).toBeUndefined();
    }
  });

  it('is not armed for a dead delivery or one that is sent again at once', () => {
    expect(armed(the.deliveryCreated, the.started(), the.failed(1))).toBeUndefined();
    expect(armed(the.deliveryCreated, the.started(), the.interrupted())).toBeUndefined();
  });
});
