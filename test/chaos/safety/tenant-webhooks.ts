import type { TestService } from '../../kit/service.js';
import { deliveryIn, WebhookClerk } from '../../surface/webhook-asking.js';
import type { Ids } from './tenant.js';

/** Nobody listens there. */
const urlOf = (name: string) => `http://127.0.0.1:9/${encodeURIComponent(name)}`;

/** Told of nothing but what is asked for, so that nothing is stored behind a test's back. */
const TOLD = { event_types: ['webhook.test'] };

/**
 * A webhook with a delivery that failed and waits, a deleted one with a delivery that never came, and the URL of a
 * third: whoever takes the first one's for a webhook of its own must not meet itself when it tries the other.
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
