import * as the from '../../test/kit/examples/webhooks.js';
import { armedAfter } from '../../test/kit/process.js';
import { recorded } from '../../test/kit/recorded.js';
import type { DeliveryEvent } from '../contexts/webhooks/domain/delivery.events.js';
import type { EndpointEvent } from '../contexts/webhooks/domain/endpoint.events.js';
import { webhookDeletion, webhookRetry } from './webhook-deliveries.process.js';

const waiting = [the.deliveryCreated, the.started(), the.failed(1, the.later(30_000))];
const retry = (...events: DeliveryEvent[]) =>
  armedAfter([webhookRetry], recorded(the.DELIVERY_STREAM, ...events)).get(
    `webhook-retry:${the.DELIVERY_ID}`,
  );

describe('waiting for a retry', () => {
  it('is due at the time in the failure event', () => {
    expect(retry(...waiting)).toMatchObject({
      due: the.later(30_000),
      payload: { attempt: 1 },
    });
  });

  it('ends when the delivery becomes due, is tried again, cancelled or removed', () => {
    for (const next of [
      the.becameDue,
      the.started(2, 'manual'),
      the.requeued,
      the.deliveryCancelled,
      the.deliveryRemoved,
    ]) {
      expect(retry(...waiting, next)).toBeUndefined();
    }
  });

  it('is not armed for a dead delivery or one that is sent again at once', () => {
    expect(retry(the.deliveryCreated, the.started(), the.failed(1))).toBeUndefined();
    expect(retry(the.deliveryCreated, the.started(), the.interrupted())).toBeUndefined();
  });
});

const deletion = (...events: EndpointEvent[]) =>
  armedAfter([webhookDeletion], recorded(the.WEBHOOKS_STREAM, ...events)).get(
    `webhook-deletion:${the.WEBHOOK_ID}`,
  );

describe('cancelling the pending deliveries of a deleted webhook', () => {
  it('is due at once and stays armed until done', () => {
    expect(deletion(the.created())).toBeUndefined();
    expect(deletion(the.created(), the.deleted)).toMatchObject({
      due: the.later(1000),
      payload: { accountId: the.ACCOUNT_ID },
    });
    expect(deletion(the.created(), the.deleted, the.settled)).toBeUndefined();
  });
});
