import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DeliveryQueries } from '../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { AggregateStore } from '../../runtime/aggregate-store.js';
import { CancelDeliveries } from './cancel-deliveries.command.js';
import { CancelDelivery } from './domain/delivery.commands.js';
import { SettleWebhook } from './domain/endpoint.commands.js';
import { DELIVERY, endpoints, type DeliveryAggregate } from './webhook.aggregates.js';

const PAGE = 100;

/** Cancels page by page until nothing is left, then says so; a crash in between starts it again. */
@CommandHandler(CancelDeliveries)
export class CancelDeliveriesHandler implements ICommandHandler<CancelDeliveries> {
  constructor(
    @Inject(DELIVERY) private readonly delivery: DeliveryAggregate,
    private readonly aggregates: AggregateStore,
    private readonly deliveries: DeliveryQueries,
  ) {}

  async execute({ accountId, webhookId, at, by }: CancelDeliveries) {
    for (;;) {
      const page = await this.deliveries.unfinishedOf(accountId, webhookId, PAGE);
      const outcomes = await Promise.all(
        page.map(({ delivery_id: id }) =>
          this.aggregates.execute(this.delivery, id, new CancelDelivery(id, at, by)),
        ),
      );
      if (!outcomes.some((outcome) => outcome.ok && outcome.events.length > 0)) break;
    }
    return this.aggregates.execute(endpoints, accountId, new SettleWebhook(accountId, webhookId, at, by));
  }
}
