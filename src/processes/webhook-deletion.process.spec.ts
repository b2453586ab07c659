import * as the from '../../test/kit/examples/webhooks.js';
import { armedAfter } from '../../test/kit/process.js';
import { recorded } from '../../test/kit/recorded.js';
import type { EndpointEvent } from '../contexts/webhooks/domain/endpoint.events.js';
import { webhookDeletion } from './webhook-deletion.process.js';

const armed = (...events: EndpointEvent[]) =>
  armedAfter([webhookDeletion], recorded(the.WEBHOOKS_STREAM, ...events)).get(
    `webhook-deletion:${the.WEBHOOK_ID}`,
  );

describe('cancelling the pending deliveries of a deleted webhook', () => {
  it('is due at once and stays armed until done', () => {
    expect(armed(the.created())).toBeUndefined();
    expect(armed(the.created(), the.deleted)).toMatchObject({
      due: the.later(1000),
      payload: { accountId: the.ACCOUNT_ID, webhookId: the.WEBHOOK_ID },
    });
    expect(armed(the.created(), the.deleted, the.settled)).toBeUndefined();
  });
});
