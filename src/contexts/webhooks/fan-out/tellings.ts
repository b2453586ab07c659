import { Inject, Injectable } from '@nestjs/common';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { Clock } from '../../../ports/clock.port.js';
import { AggregateStore, type Planned } from '../../../event-sourcing/write/aggregate-store.js';
import { isLostRace, retry } from '../../../event-sourcing/retry.js';
import { Attempts } from '../dispatch/attempts.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { Sender, type Prepared } from '../dispatch/sender.js';
import { SENDING, type Sending } from '../dispatch/sending.js';
import { CreateDelivery } from '../domain/delivery.commands.js';
import type { PublicEventType } from '../domain/endpoint.events.js';
import type { Delivery } from '../domain/delivery.state.js';
import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import { DELIVERY, type DeliveryAggregate } from '../webhook.aggregates.js';

/** An event and a webhook that is to be told of it. */
export interface Telling {
  readonly event: RecordedEvent;
  readonly type: PublicEventType;
  readonly accountId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
}

interface Plan {
  readonly telling: Telling;
  readonly planned: Planned<Delivery>;
  /** Its first attempt is part of the plan, in room that was reserved. */
  readonly first?: Prepared;
}

/** The most deliveries of one append: others get their turn in between. */
const TOGETHER = 256;
const ATTEMPTS = 5;

/** Stores deliveries, and the start of their first attempt where it can leave at once: one commit less to wait for. */
@Injectable()
export class Tellings {
  constructor(
    @Inject(DELIVERY) private readonly deliveries: DeliveryAggregate,
    private readonly aggregates: AggregateStore,
    private readonly queries: DeliveryQueries,
    private readonly attempts: Attempts,
    private readonly sender: Sender,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
    @Inject(SENDING) private readonly sending: Sending,
  ) {}

  /** Telling twice writes nothing. @param again some of it may have been told before */
  async store(tellings: readonly Telling[], again: boolean): Promise<void> {
    for (let from = 0; from < tellings.length; from += TOGETHER) {
      const part = tellings.slice(from, from + TOGETHER);
      const left = again ? await this.withoutKnown(part) : part;
      await this.storeTogether(left);
    }
  }

  private async withoutKnown(tellings: readonly Telling[]): Promise<readonly Telling[]> {
    const known = await this.queries.known(tellings.map((telling) => telling.deliveryId));
    return tellings.filter((telling) => !known.has(telling.deliveryId));
  }

  private storeTogether(tellings: readonly Telling[]): Promise<void> {
    // After a lost race the plan reads the streams.
    const store = (attempt: number) => this.storePlanned(tellings, attempt === 1);
    return retry(store, { when: isLostRace, attempts: ATTEMPTS });
  }

  private async storePlanned(tellings: readonly Telling[], unseen: boolean): Promise<void> {
    const plans = await this.plan(tellings, unseen);
    try {
      await this.aggregates.appendInOrder(plans.map(({ planned }) => planned));
    } catch (error) {
      for (const { first, telling } of plans)
        if (first) this.dispatcher.release(telling.webhookId, telling.deliveryId);
      throw error;
    }
    for (const plan of plans) this.begin(plan);
  }

  private async plan(tellings: readonly Telling[], unseen: boolean): Promise<readonly Plan[]> {
    const plans: Plan[] = [];
    for (const telling of tellings) {
      const { event, type: eventType, accountId, webhookId, deliveryId } = telling;
      const source = { stream: event.stream, revision: event.revision };
      const told = { accountId, webhookId, eventId: event.id, eventType, source };
      const by = {
        actor: { kind: 'process', id: 'webhook-fan-out' },
        correlationId: event.metadata.correlationId,
        causationId: event.id,
      } as const;
      const command = new CreateDelivery(deliveryId, told, this.clock.now(), by);
      const created = await this.aggregates.plan(this.deliveries, deliveryId, command, { unseen });
      if (!created.ok || created.planned.append.events.length === 0) continue;
      plans.push(await this.withFirstAttempt({ telling, planned: created.planned }));
    }
    return plans;
  }

  private async withFirstAttempt(plan: Plan): Promise<Plan> {
    const { telling, planned } = plan;
    const { webhookId, deliveryId } = telling;
    if (!this.dispatcher.reserve(webhookId, deliveryId)) return plan;
    try {
      const webhook = await this.sender.webhookFor(planned.state);
      const first =
        webhook?.status === 'active' ? await this.sender.prepare(planned.state, webhook) : undefined;
      const both = first && (await this.attempts.planFirst(deliveryId, planned, first));
      if (both) return { ...plan, planned: both, first };
    } catch (error) {
      this.sending.onError(error, deliveryId);
    }
    this.dispatcher.release(webhookId, deliveryId);
    return plan;
  }

  private begin({ telling: { webhookId, deliveryId }, planned, first }: Plan): void {
    if (!first) return;
    this.dispatcher.occupy(webhookId, deliveryId, (answered) =>
      this.attempts.finish(deliveryId, planned.state, first, answered),
    );
  }
}
