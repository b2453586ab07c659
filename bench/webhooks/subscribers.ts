import type { ServiceProcess } from '../programs/service.js';
import { call, openCustomer, type Customer } from '../world.js';
import type { Sink } from './sink-process.js';

/** The most webhooks of an account (decisions 6). */
export const WEBHOOKS_PER_ACCOUNT = 20;

export const INSECURE = { WEBHOOK_ALLOW_INSECURE_TARGETS: 'true', LOG_LEVEL: 'error' };

/** A customer, and its webhooks for `job.created`; the hole is one more. */
export interface Subscriber {
  readonly customer: Customer;
  readonly webhookIds: readonly string[];
}

export async function subscribe(
  service: ServiceProcess,
  sink: Sink,
  { webhooks, hole = false }: { readonly webhooks: number; readonly hole?: boolean },
): Promise<Subscriber> {
  const customer = await openCustomer(service, 1);
  const { accountId } = customer;
  const key = await webhookKey(service, accountId);
  const urls = Array.from({ length: webhooks }, (_, n) => sink.url('ok', `${accountId}-${n}`));
  if (hole) urls.push(sink.url('hole', accountId));
  const webhookIds: string[] = [];
  for (const url of urls) {
    const body = { url, event_types: ['job.created'] };
    type Created = { webhook: { webhook_id: string } };
    const created = await call<Created>(service.url, key, 'POST', '/svc-create-webhook', body);
    webhookIds.push(created.webhook.webhook_id);
  }
  return { customer, webhookIds };
}

async function webhookKey({ url, operatorToken }: ServiceProcess, accountId: string): Promise<string> {
  const body = { scopes: ['webhooks:read', 'webhooks:write'] };
  const made = await call<{ api_key: string }>(
    url,
    operatorToken,
    'POST',
    `/operator/accounts/${accountId}/keys`,
    body,
  );
  return made.api_key;
}
