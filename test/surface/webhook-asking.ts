import type { Answered } from '../kit/http/client.js';
import { until } from '../kit/polling.js';
import type { TestService } from '../kit/service.js';
import type { Reachable } from '../kit/world.js';

/** Test receivers are local and without TLS. */
export const INSECURE = { WEBHOOK_ALLOW_INSECURE_TARGETS: 'true' };

export interface WebhookShown {
  readonly webhook_id: string;
  readonly url: string;
  readonly description?: string;
  readonly event_types: readonly string[];
  readonly status: string;
  readonly secret_version: number;
  readonly paused_reason?: string;
  readonly paused_at?: string;
  readonly updated_at: string;
  readonly last_success_at?: string;
  readonly last_failure_at?: string;
  readonly health?: string;
  readonly ordered?: boolean;
  readonly failing_since?: string;
  readonly recovery?: { readonly status: string; readonly recovered: number };
}

export interface DeliveryShown {
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly status: string;
  readonly attempt_count: number;
  readonly next_attempt_at?: string;
  readonly response_status?: number;
  readonly failure_code?: string;
  readonly attempts: readonly Record<string, unknown>[];
}

export interface ListShown {
  readonly webhooks: readonly WebhookShown[];
  readonly deliveries: readonly DeliveryShown[];
  readonly event_types: readonly { readonly event_type: string }[];
}

/** The six webhook operations with one key. */
export class WebhookClerk {
  constructor(
    private readonly service: Pick<Reachable, 'call'>,
    private readonly key: string,
  ) {}

  readonly create = (json: object) => this.ask('create-webhook', json);
  readonly update = (webhook_id: string, json: object) => this.ask('update-webhook', { webhook_id, ...json });
  readonly delete = (webhook_id: string) => this.ask('delete-webhook', { webhook_id });
  readonly test = (webhook_id: string) => this.ask('test-webhook', { webhook_id });
  readonly retry = (delivery_id: string) => this.ask('retry-webhook', { delivery_id });

  ask(name: string, json: object): Promise<Answered> {
    return this.service.call('POST', `/svc-${name}`, { as: this.key, json });
  }

  /** Creates a webhook. */
  async open(url: string, more: object = {}) {
    const created = await this.create({ url, ...more });
    if (created.status !== 201) throw new Error(`no webhook: ${created.text}`);
    const { webhook, secret, standard_webhooks_secret } = created.body.data!;
    return {
      webhookId: (webhook as WebhookShown).webhook_id,
      secret: String(secret),
      standardSecret: String(standard_webhooks_secret),
    };
  }

  async list(filter: object = {}): Promise<ListShown> {
    const listed = await this.ask('list-webhooks', filter);
    if (listed.status !== 200) throw new Error(`no list: ${listed.text}`);
    return listed.body.data as unknown as ListShown;
  }
}

export const webhookIn = ({ body }: Answered) => body.data!.webhook as WebhookShown;

export const deliveryIn = ({ body }: Answered) => body.data!.delivery as DeliveryShown;

/** Polls for the result of background work. */
export function eventually<T>(look: () => Promise<T> | T, isSo: (seen: T) => boolean): Promise<T> {
  let seen: T;
  const what = () => `another answer than ${JSON.stringify(seen)?.slice(0, 2_000)}`;
  return until(what, 60_000, async () => (isSo((seen = await look())) ? seen : undefined));
}

/** The stored events of an account's endpoints. */
export async function storedOf({ stores }: TestService, accountId: string): Promise<string> {
  return JSON.stringify(await stores.events.load(`webhooks-${accountId}`));
}
