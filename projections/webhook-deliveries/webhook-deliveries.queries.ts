import { Injectable } from '@nestjs/common';
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
} from '../../src/contexts/webhooks/domain/delivery.events.js';
import {
  PendingDeliveries,
  type AttemptInFlight,
  type Page,
  type PageRequest,
} from '../../src/contexts/webhooks/ports.js';
import type { CreationPosition } from '../../src/kernel/recorded-event.js';
import { hourOf, type Instant } from '../../src/kernel/time.js';
import {
  DELIVERIES_BY_HOUR,
  DELIVERIES_BY_HOUR_OF_ACCOUNT,
  UNFINISHED_STATUSES,
  webhookDeliveriesView,
  type DeliveryDocument,
  type DeliveryQueue,
} from './webhook-deliveries.js';
import { ViewStore, type Found, type ViewQuery } from '../../src/event-sourcing/index.js';
import { viewModule } from '../view-module.js';

const FAILING_STATUSES = ['delivering', 'retry_scheduled', 'dead_letter'] as const;
const REMOVABLE: ReadonlySet<DeliveryStatus> = new Set(['delivered', 'cancelled']);

interface DeliveryFilter {
  readonly webhookId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
}

export interface DeliveryHourTotal {
  readonly hour: string;
  readonly status: DeliveryStatus;
  readonly n: number;
}

/** A delivery of another account counts as unknown; the port of the webhooks context reads all accounts. */
@Injectable()
export class DeliveryQueries implements PendingDeliveries {
  constructor(private readonly views: ViewStore) {}

  async getDelivery(accountId: string, deliveryId: string): Promise<DeliveryDocument | undefined> {
    const delivery = await this.views.get(webhookDeliveriesView, deliveryId);
    return delivery?.account_id === accountId ? delivery : undefined;
  }

  /** In the order of `deliveryIds`, without unknown ones and those of other accounts. */
  async getDeliveries(
    accountId: string,
    deliveryIds: readonly string[],
  ): Promise<readonly DeliveryDocument[]> {
    const found = await this.views.getMany(webhookDeliveriesView, deliveryIds);
    return found.filter((delivery) => delivery.account_id === accountId);
  }

  /** Empty for an unknown webhook. */
  async listDeliveries(
    accountId: string,
    filter: DeliveryFilter,
    limit: number,
    order: 'newest' | 'oldest' = 'newest',
  ): Promise<readonly DeliveryDocument[]> {
    return this.views.list(webhookDeliveriesView, { where: whereOf(accountId, filter), order, limit });
  }

  /** Newest first, after a creation position; `positions` become the next cursor. */
  findDeliveries(
    accountId: string,
    filter: DeliveryFilter,
    page: { readonly limit: number; readonly after?: CreationPosition },
  ): Promise<Found<DeliveryDocument>> {
    const where = whereOf(accountId, filter);
    return this.views.find(webhookDeliveriesView, { where, order: 'newest', ...page });
  }

  async readyFor(webhookId: string, page: PageRequest): Promise<Page<string>> {
    const { items, next } = await this.pageOf({ webhook_id: webhookId, queue: 'ready' }, page);
    return { items: items.map((it) => it.delivery_id), ...(next !== undefined && { next }) };
  }

  /** Reads in order of creation: ended deliveries are removed, so few precede the first recent one. */
  async endedBefore(at: Instant, page: PageRequest): Promise<Page<string>> {
    const { items, next } = await this.pageOf({}, page);
    const ended = items.filter((it) => REMOVABLE.has(it.status) && it.updated_at < at);
    const isLast = next === undefined || items.at(-1)!.created_at >= at;
    return { items: ended.map((it) => it.delivery_id), ...(!isLast && { next }) };
  }

  async known(deliveryIds: readonly string[]): Promise<ReadonlyMap<string, DeliveryStatus>> {
    const found = await this.views.getMany(webhookDeliveriesView, deliveryIds);
    return new Map(found.map((delivery) => [delivery.delivery_id, delivery.status]));
  }

  async inFlight(limit: number): Promise<readonly AttemptInFlight[]> {
    const query = { where: { queue: 'in_flight' }, order: 'oldest', limit } as const;
    const found = await this.views.list(webhookDeliveriesView, query);
    return found.map(({ delivery_id: deliveryId, last_attempt_at: startedAt }) => ({
      deliveryId,
      ...(startedAt !== undefined && { startedAt }),
    }));
  }

  async unfinishedOf(
    accountId: string,
    webhookId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly string[]> {
    const where = { account_id: accountId, webhook_id: webhookId, status: UNFINISHED_STATUSES };
    const listed = await this.views.list(webhookDeliveriesView, { where, order: 'oldest', ...page });
    return listed.map((delivery) => delivery.delivery_id);
  }

  countUnfinished(accountId: string, webhookId: string): Promise<number> {
    const where = { account_id: accountId, webhook_id: webhookId, status: UNFINISHED_STATUSES };
    return this.views.count(webhookDeliveriesView, where);
  }

  async countFailures(accountId: string, webhookId: string, from: Instant, limit: number): Promise<number> {
    const where = { account_id: accountId, webhook_id: webhookId, status: FAILING_STATUSES };
    const listed = await this.views.list(webhookDeliveriesView, { where, order: 'newest', limit });
    const attempts = listed.flatMap((delivery) => delivery.attempts);
    return attempts.filter(({ attempted_at, failure_code }) => failure_code && attempted_at >= from).length;
  }

  countIn(queue: DeliveryQueue): Promise<number> {
    return this.views.count(webhookDeliveriesView, { queue });
  }

  /** Of deliveries created in the hour, by the status that they have now. @param accountId absent: all accounts */
  async hours(from: Instant, accountId?: string): Promise<readonly DeliveryHourTotal[]> {
    const first = accountId === undefined ? [] : [accountId];
    const by = accountId === undefined ? DELIVERIES_BY_HOUR : DELIVERIES_BY_HOUR_OF_ACCOUNT;
    const totals = await this.views.totals(webhookDeliveriesView, { by, first, from: hourOf(from) });
    return totals.map(({ values, n }) => {
      const [hour, status] = values.slice(first.length) as [string, DeliveryStatus];
      return { hour, status, n };
    });
  }

  private async pageOf(
    where: ViewQuery['where'],
    { limit, after }: PageRequest,
  ): Promise<Page<DeliveryDocument>> {
    const page = { where, order: 'oldest', limit, ...(after !== undefined && { after }) } as const;
    const { documents, positions } = await this.views.find(webhookDeliveriesView, page);
    const next = positions.length < limit ? undefined : positions.at(-1);
    return { items: documents, ...(next !== undefined && { next }) };
  }
}

const whereOf = (accountId: string, { webhookId, status }: DeliveryFilter) => ({
  account_id: accountId,
  ...(webhookId !== undefined && { webhook_id: webhookId }),
  status: status ?? DELIVERY_STATUSES,
});

export const WebhookDeliveriesViewModule = viewModule(DeliveryQueries, {
  provide: PendingDeliveries,
  useExisting: DeliveryQueries,
});
