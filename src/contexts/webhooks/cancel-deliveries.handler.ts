import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CancelDeliveries, SettleWebhook } from './domain/endpoint.commands.js';
import { CancelDelivery } from './domain/delivery.commands.js';
import { PendingDeliveries } from './ports.js';
import { DELIVERY, endpoints, type DeliveryAggregate } from './webhook.aggregates.js';
import { EventStore, AggregateStore, endAll } from '../../event-sourcing/index.js';

/** Safe to repeat after a crash. */
@CommandHandler(CancelDeliveries)
export class CancelDeliveriesHandler implements ICommandHandler<CancelDeliveries> {
  constructor(
    @Inject(DELIVERY) private readonly delivery: DeliveryAggregate,
    private readonly aggregates: AggregateStore,
    private readonly pending: PendingDeliveries,
    private readonly events: EventStore,
  ) {}

  async execute({ accountId, webhookId, at, by }: CancelDeliveries) {
    await endAll(this.events, {
      list: (page) => this.pending.unfinishedOf(accountId, webhookId, page),
      end: async (deliveryId) => {
        await this.aggregates.execute(this.delivery, deliveryId, new CancelDelivery({ deliveryId, at, by }));
        return true;
      },
    });
    return this.aggregates.execute(endpoints, accountId, new SettleWebhook({ accountId, webhookId, at, by }));
  }
}
