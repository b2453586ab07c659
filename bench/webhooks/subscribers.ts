import type { ServiceProcess } from '../programs/service.js';
import { call, newKey, openCustomer, type Customer } from '../world.js';
import type { Sink } from './sink-process.js';

/** Maximum number of webhooks of an account. */
export const WEBHOOKS_PER_ACCOUNT = 20;

export const INSECURE = { WEBHOOK_ALLOW_INSECURE_TARGETS: 'true', LOG_LEVEL: 'error' };

/** A customer, and its webhooks in the order of their creation. */
export interface Subscriber {
  readonly customer: Customer;
  readonly webhookIds: readonly string[];
}

export async function subscribe(
  service: ServiceProcess,
  sink: Sink,
  webhooks: number,
  eventTypes: readonly string[] = ['job.created'],
): Promise<Subscriber> {
  const customer = await openCustomer(service, 1);
  const { accountId } = customer;
  const webhookIds: string[] = [];
  for (let n = 0; n < webhooks; n++) {
    const url = sink.url('ok', `${accountId}-${n}`);
    webhookIds.push(await createWebhook(service, accountId, url, eventTypes));
  }
  return { customer, webhookIds };
}

export async function createWebhook(
  service: ServiceProcess,
  accountId: string,
  url: string,
  event_types: readonly string[] = ['job.created'],
): Promise<string> {
  type Created = { webhook: { webhook_id: string } };
  const key = await newKey(service, accountId, ['webhooks:read', 'webhooks:write']);
  const body = { url, event_types };
  const created = await call<Created>(service.url, key, 'POST', '/svc-create-webhook', body);
  return created.webhook.webhook_id;
}
