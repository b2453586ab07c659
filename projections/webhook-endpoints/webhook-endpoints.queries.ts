import { Injectable } from '@nestjs/common';
import {
  ActiveWebhooks,
  type Page,
  type PageRequest,
  type WebhookRef,
} from '../../src/contexts/webhooks/ports.js';
import { streamOf } from '../../src/kernel/ids.js';
import { webhookEndpointsView, type WebhookDocument } from './webhook-endpoints.js';
import { ViewStore, type Where } from '../../src/event-sourcing/index.js';
import { viewModule } from '../view-module.js';

const MAX_WEBHOOKS = 20;

/** A webhook of another account counts as unknown; the port of the webhooks context reads all accounts. */
@Injectable()
export class WebhookQueries implements ActiveWebhooks {
  constructor(private readonly views: ViewStore) {}

  async getWebhook(accountId: string, webhookId: string): Promise<WebhookDocument | undefined> {
    const webhook = await this.views.get(webhookEndpointsView, webhookId, streamOf('webhooks', accountId));
    return webhook?.account_id === accountId ? webhook : undefined;
  }

  async listWebhooks(accountId: string): Promise<readonly WebhookDocument[]> {
    const query = { where: { account_id: accountId }, order: 'newest', limit: MAX_WEBHOOKS } as const;
    return this.views.list(webhookEndpointsView, query);
  }

  active(page: PageRequest): Promise<Page<WebhookRef>> {
    return this.pageOf({ status: 'active' }, page);
  }

  recovering(page: PageRequest): Promise<Page<WebhookRef>> {
    return this.pageOf({ recovery_status: 'running' }, page);
  }

  private async pageOf(where: Where, { limit, after }: PageRequest): Promise<Page<WebhookRef>> {
    const page = { where, order: 'oldest', limit, ...(after !== undefined && { after }) } as const;
    const { documents, positions } = await this.views.find(webhookEndpointsView, page);
    const next = positions.length < limit ? undefined : positions.at(-1);
    const items = documents.map((it) => ({ accountId: it.account_id, webhookId: it.webhook_id }));
    return { items, ...(next !== undefined && { next }) };
  }
}

export const WebhookEndpointsViewModule = viewModule(WebhookQueries, {
  provide: ActiveWebhooks,
  useExisting: WebhookQueries,
});
