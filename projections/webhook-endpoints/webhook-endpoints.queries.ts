import { Injectable } from '@nestjs/common';
import { ViewStore, type Birth, type Found } from '../../src/ports/view-store.port.js';
import { webhookEndpointsView, type WebhookDocument } from './webhook-endpoints.js';

/** An account has at most so many. */
const MOST_WEBHOOKS = 20;

/** What may be asked about webhooks. One of another account is as unknown as a deleted one. */
@Injectable()
export class WebhookQueries {
  constructor(private readonly views: ViewStore) {}

  async getWebhook(accountId: string, webhookId: string): Promise<WebhookDocument | undefined> {
    const webhook = await this.views.get<WebhookDocument>(webhookEndpointsView, webhookId);
    return webhook?.account_id === accountId ? webhook : undefined;
  }

  /** Active and paused ones, newest first. */
  async listWebhooks(accountId: string): Promise<readonly WebhookDocument[]> {
    const query = { where: { account_id: accountId }, order: 'newest', limit: MOST_WEBHOOKS } as const;
    return (await this.views.find<WebhookDocument>(webhookEndpointsView, query)).documents;
  }

  /** Of all accounts, oldest first: whom a dispatcher serves when it starts. */
  active(page: { readonly limit: number; readonly after?: Birth }): Promise<Found<WebhookDocument>> {
    const where = { status: 'active' };
    return this.views.find<WebhookDocument>(webhookEndpointsView, { where, order: 'oldest', ...page });
  }
}
