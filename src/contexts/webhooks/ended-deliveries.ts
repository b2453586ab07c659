import { Inject, Injectable } from '@nestjs/common';
import { streamOf } from '../../kernel/ids.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { Clock, DAY_MS, plus } from '../../kernel/time.js';
import { RepeatedRun } from '../../async/repeated-run.js';
import { RemoveDelivery, CancelDelivery } from './domain/delivery.commands.js';
import { DELIVERY_RETENTION_MS } from './domain/delivery.policy.js';
import { CHECKPOINT } from './fan-out/fan-out.js';
import { PendingDeliveries, SENDING, type Cursor, type Sending } from './ports.js';
import { DELIVERY, type DeliveryAggregate, endpoints } from './webhook.aggregates.js';
import { AggregateStore, CheckpointStore, endAll, EventStore } from '../../event-sourcing/index.js';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CancelDeliveries, SettleWebhook } from './domain/endpoint.commands.js';

const PAGE = 200;
/** Bounds the appends that compete with those of requests. */
const AT_ONCE = 8;

/** Read models first, then the event store (docs/decisions/052-retention-of-deliveries.md). */
@Injectable()
export class DeliveryRetention {
  private readonly daily: RepeatedRun;

  constructor(
    private readonly events: EventStore,
    private readonly deliveries: PendingDeliveries,
    @Inject(DELIVERY) private readonly delivery: DeliveryAggregate,
    private readonly aggregates: AggregateStore,
    private readonly clock: Clock,
    @Inject(SENDING) sending: Sending,
  ) {
    this.daily = new RepeatedRun(
      (signal) => this.removeOld(signal),
      DAY_MS,
      clock,
      (error) => sending.onError(error, 'removing old webhook deliveries'),
    );
  }

  start(): void {
    this.daily.start();
  }

  stop(): Promise<void> {
    return this.daily.stop();
  }

  private async removeOld(signal: AbortSignal): Promise<void> {
    const before = plus(this.clock.now(), -DELIVERY_RETENTION_MS);
    let after: Cursor | undefined;
    do {
      const page = await this.deliveries.endedBefore(before, { limit: PAGE, ...(after && { after }) });
      for (let from = 0; from < page.items.length && !signal.aborted; from += AT_ONCE)
        await Promise.all(page.items.slice(from, from + AT_ONCE).map((id) => this.remove(id)));
      after = page.next;
    } while (after !== undefined && !signal.aborted);
  }

  private async remove(deliveryId: string): Promise<void> {
    const by = { actor: { kind: 'process', id: 'delivery-retention' }, correlationId: deliveryId } as const;
    const command = new RemoveDelivery({ deliveryId, at: this.clock.now(), by });
    const outcome = await this.aggregates.execute(this.delivery, deliveryId, command);
    if (!outcome.ok || outcome.state.status !== 'removed') return;
    const stream = streamOf(this.delivery.category, deliveryId);
    await this.events.truncate(stream, outcome.revision);
    this.aggregates.invalidate(stream, outcome.revision + 1);
  }
}

/** Safe to repeat after a crash. Its timer comes again until the webhook is settled. */
@CommandHandler(CancelDeliveries)
export class CancelDeliveriesHandler implements ICommandHandler<CancelDeliveries> {
  constructor(
    @Inject(DELIVERY) private readonly delivery: DeliveryAggregate,
    private readonly aggregates: AggregateStore,
    private readonly pending: PendingDeliveries,
    private readonly events: EventStore,
    private readonly checkpoints: CheckpointStore,
  ) {}

  async execute({ accountId, webhookId, at, by }: CancelDeliveries) {
    const hasAll = await this.isFannedOut(accountId, webhookId);
    await endAll(this.events, {
      list: (page) => this.pending.unfinishedOf(accountId, webhookId, page),
      end: async (deliveryId) => {
        await this.aggregates.execute(this.delivery, deliveryId, new CancelDelivery({ deliveryId, at, by }));
        return true;
      },
    });
    if (!hasAll)
      return { ok: true as const, ...(await this.aggregates.load(endpoints, accountId)), events: [] };
    return this.aggregates.execute(endpoints, accountId, new SettleWebhook({ accountId, webhookId, at, by }));
  }

  /** Whether no delivery of an event before the deletion is still to be created. */
  private async isFannedOut(accountId: string, webhookId: string): Promise<boolean> {
    const events = await this.events.load(streamOf(endpoints.category, accountId));
    const isDeletion = ({ type, data }: RecordedEvent) =>
      type === 'WebhookDeleted' && (data as { readonly webhookId: string }).webhookId === webhookId;
    const deletion = events.findLast(isDeletion);
    const reached = await this.checkpoints.get(CHECKPOINT);
    return !deletion || (reached !== undefined && reached >= deletion.position);
  }
}
