import type { DeliveryDocument } from '../../../../projections/webhook-deliveries/webhook-deliveries.js';
import { Webhook } from '../../resources/webhook.resource.js';
import { failingWebhooks } from './overview.resource.js';

const retried = (webhook_id: string, created_at: string, attempt_count = 2) =>
  ({ webhook_id, created_at, attempt_count }) as DeliveryDocument;
const webhook = (webhook_id: string, more: Partial<Webhook> = {}): Webhook => ({
  ...Webhook.example,
  webhook_id,
  ...more,
});

describe('webhooks that fail', () => {
  const [monday, tuesday] = ['2026-11-23T12:00:00.000Z', '2026-11-24T12:00:00.000Z'];

  it('fail since the time that their page names, however new the deliveries are', () => {
    const webhooks = [webhook('a', { failing_since: monday }), webhook('b')];
    expect(failingWebhooks([retried('a', tuesday)], webhooks)).toMatchObject({ count: 1, since: monday });
  });

  it('fail since the first of their deliveries, if others were taken since', () => {
    const deliveries = [
      retried('a', monday, 1),
      retried('a', tuesday),
      retried('a', '2026-11-25T12:00:00.000Z'),
    ];
    expect(failingWebhooks(deliveries, [webhook('a')])).toMatchObject({ count: 1, since: tuesday });
  });

  it('are not those that are paused, which are tried no more', () => {
    expect(failingWebhooks([retried('a', monday)], [webhook('a', { status: 'paused' })])).toBeUndefined();
  });
});
