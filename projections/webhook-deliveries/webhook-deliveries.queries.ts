import { Injectable } from '@nestjs/common';
import type { DeliveryStatus } from '../../src/contexts/webhooks/domain/delivery.events.js';
import { ViewStore, type Birth, type Found } from '../../src/ports/view-store.port.js';
import {
  DELIVERY_STATUSES,
  UNFINISHED_STATUSES,
  webhookDeliveriesView,
  type DeliveryDocument,
  type DeliveryQueue,
} from './webhook-deliveries.js';

export interface DeliveryFilter {
  readonly webhookId?: string;
  readonly status?: DeliveryStatus;
}

/** What may be asked about deliveries. One of another account is as unknown as one that never was. */
@Injectable()
export class DeliveryQueries {
  constructor(private readonly views: ViewStore) {}

  async getDelivery(accountId: string, deliveryId: string): Promise<DeliveryDocument | undefined> {
    const delivery = await this.findDelivery(deliveryId);
    return delivery?.account_id === accountId ? delivery : undefined;
  }

  /** Of whichever account: for the dispatcher. */
  findDelivery(deliveryId: string): Promise<DeliveryDocument | undefined> {
    return this.views.get<DeliveryDocument>(webhookDeliveriesView, deliveryId);
  }

  /** Newest first. An unknown webhook has none. */
  listDeliveries(
    accountId: string,
    { webhookId, status }: DeliveryFilter,
    limit: number,
  ): Promise<readonly DeliveryDocument[]> {
    const where = {
      account_id: accountId,
      ...(webhookId !== undefined && { webhook_id: webhookId }),
      status: status ?? DELIVERY_STATUSES,
    };
    return this.find(where, 'newest', limit);
  }

  /** What may leave to the webhook at once, oldest first. */
  readyFor(
    webhookId: string,
    page: { readonly limit: number; readonly after?: Birth },
  ): Promise<Found<DeliveryDocument>> {
    const where = { webhook_id: webhookId, queue: 'ready' };
    return this.views.find<DeliveryDocument>(webhookDeliveriesView, { where, order: 'oldest', ...page });
  }

  /** Which of these are there, whoever's they are. */
  async known(deliveryIds: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.views.getMany<DeliveryDocument>(webhookDeliveriesView, deliveryIds);
    return new Set(found.map((delivery) => delivery.delivery_id));
  }

  /** After a start: what was under way when the service stopped. */
  inFlight(limit: number): Promise<readonly DeliveryDocument[]> {
    return this.find({ queue: 'in_flight' }, 'oldest', limit);
  }

  /** What a deletion of the webhook cancels, oldest first. */
  async unfinishedOf(
    accountId: string,
    webhookId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly DeliveryDocument[]> {
    const where = { account_id: accountId, webhook_id: webhookId, status: UNFINISHED_STATUSES };
    const query = { where, order: 'oldest', ...page } as const;
    const found = await this.views.find<DeliveryDocument>(webhookDeliveriesView, query);
    return found.documents;
  }

  /** Of all accounts: for metrics. */
  countIn(queue: DeliveryQueue): Promise<number> {
    return this.views.count(webhookDeliveriesView, { queue });
  }

  private async find(
    where: Parameters<ViewStore['find']>[1]['where'],
    order: 'newest' | 'oldest',
    limit: number,
  ): Promise<readonly DeliveryDocument[]> {
    const found = await this.views.find<DeliveryDocument>(webhookDeliveriesView, { where, order, limit });
    return found.documents;
  }
}
