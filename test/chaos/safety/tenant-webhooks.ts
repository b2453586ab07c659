import type { TestService } from '../../kit/service.js';
import { deliveryIn, WebhookClerk } from '../../surface/webhook-asking.js';
import type { Ids } from './tenant.js';

/** A port without a listener. */
const urlOf = (name: string) => `http://127.0.0.1:9/${encodeURIComponent(name)}`;

/** Subscribed only to `webhook.test`, so that no test stores unexpected deliveries. */
const TOLD = { event_types: ['webhook.test'] };

/**
 * A webhook with a failed delivery that waits, a deleted webhook with an undelivered event, and the unused URL
 * of a third, for tests that must not collide with the webhook's own URL.
 */
export async function giveWebhooks(service: TestService, key: string, name: string) {
  const clerk = new WebhookClerk(service, key);
  const open = async (url: string): Promise<Ids> => {
    const { webhookId } = await clerk.open(url, TOLD);
    const tested = await clerk.test(webhookId);
    if (tested.status !== 200) throw new Error(`no delivery: ${tested.text}`);
    return { webhook_id: webhookId, delivery_id: deliveryIn(tested).delivery_id };
  };
  const dead = await open(urlOf(`gone ${name}`));
  await clerk.delete(dead.webhook_id!);
  await service.advance(0);
  const url = urlOf(`another of ${name}`);
  await clerk.open(url, TOLD);
  return { ids: { ...(await open(urlOf(name))), url: urlOf(name) }, dead, anotherUrl: url };
}
