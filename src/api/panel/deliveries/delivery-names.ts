import { Injectable } from '@nestjs/common';
import type { DeliveryDocument } from '../../../../projections/webhook-deliveries/webhook-deliveries.js';
import { WebhookQueries } from '../../../../projections/webhook-endpoints/webhook-endpoints.queries.js';
import { present } from '../../../http/validation/present.js';
import { DeliverySearch, jobIdOf } from '../../delivery-search.js';
import { PanelDelivery } from './delivery.resource.js';

/** Shows deliveries with the names of their webhooks and jobs. */
@Injectable()
export class DeliveryNames {
  constructor(
    private readonly search: DeliverySearch,
    private readonly webhooks: WebhookQueries,
  ) {}

  async show(accountId: string, deliveries: readonly DeliveryDocument[]): Promise<readonly PanelDelivery[]> {
    const [webhooks, jobs] = await Promise.all([
      this.webhooks.listWebhooks(accountId),
      this.search.jobsOf(accountId, deliveries),
    ]);
    const names = new Map(
      webhooks.map(({ webhook_id, description, url }) => [webhook_id, description ?? url]),
    );
    return deliveries.map((delivery) => {
      const jobId = jobIdOf(delivery);
      return present(PanelDelivery, delivery, {
        webhook_name: names.get(delivery.webhook_id) ?? null,
        job_id: jobId ?? null,
        job_title: jobs.get(jobId)?.title ?? null,
      });
    });
  }
}
