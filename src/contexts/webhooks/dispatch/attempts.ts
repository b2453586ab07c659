import { Inject, Injectable } from '@nestjs/common';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../ports/clock.port.js';
import { AggregateStore, type Planned } from '../../../event-sourcing/write/aggregate-store.js';
import type { AttemptOutcome } from '../delivery-attempts.js';
import { CancelDelivery, StartAttempt } from '../domain/delivery.commands.js';
import type { Delivery } from '../domain/delivery.state.js';
import { DELIVERY, type DeliveryAggregate } from '../webhook.aggregates.js';
import type { Ending } from './lane.js';
import { originOf, Sender, type Answered, type Prepared } from './sender.js';

/** What became of an attempt that was to be made. */
export type Attempted =
  | { readonly ending: Ending; readonly outcome?: AttemptOutcome }
  /** It cannot be made: the webhook takes nothing now. */
  | { readonly ending: 'unsent'; readonly paused: true };

/** Attempts from the decision to its outcome. Whoever tries what another has begun is refused by the decider. */
@Injectable()
export class Attempts {
  constructor(
    @Inject(DELIVERY) private readonly deliveries: DeliveryAggregate,
    private readonly aggregates: AggregateStore,
    private readonly sender: Sender,
    private readonly clock: Clock,
  ) {}

  async make(
    deliveryId: string,
    trigger: StartAttempt['trigger'],
    { by, answered }: { readonly by?: Origin; readonly answered?: Answered } = {},
  ): Promise<Attempted> {
    const { state } = await this.aggregates.load(this.deliveries, deliveryId);
    const webhook = state.status === 'absent' ? undefined : await this.sender.webhookFor(state);
    if (!webhook) return this.cancel(deliveryId, state, by);
    if (webhook.status === 'paused') return { ending: 'unsent', paused: true };
    const prepared = await this.sender.prepare(state, webhook);
    const start = new StartAttempt(deliveryId, trigger, this.clock.now(), by ?? originOf(prepared.event));
    const started = await this.aggregates.execute(this.deliveries, deliveryId, start);
    if (!started.ok) return { ending: 'unsent', outcome: started };
    return this.finish(deliveryId, started.state, prepared, answered);
  }

  /** Plans the first attempt together with the delivery; undefined when it may not start. */
  async planFirst(
    deliveryId: string,
    created: Planned<Delivery>,
    prepared: Prepared,
  ): Promise<Planned<Delivery> | undefined> {
    const start = new StartAttempt(deliveryId, 'schedule', this.clock.now(), originOf(prepared.event));
    const plan = await this.aggregates.plan(this.deliveries, deliveryId, start, { after: created });
    if (!plan.ok) return undefined;
    const { append, state } = plan.planned;
    return { append: { ...created.append, events: [...created.append.events, ...append.events] }, state };
  }

  /** The rest of an attempt that is stored as started. */
  async finish(
    deliveryId: string,
    started: Delivery,
    prepared: Prepared,
    answered?: Answered,
  ): Promise<Attempted> {
    const ended = await this.sender.carryOut(deliveryId, started, prepared, answered);
    return ended ?? { ending: 'unsent' };
  }

  /** Its webhook is deleted, or it never was. */
  private async cancel(deliveryId: string, { status }: Delivery, by?: Origin): Promise<Attempted> {
    const origin = by ?? { actor: { kind: 'process', id: 'webhook-dispatch' }, correlationId: deliveryId };
    if (status === 'absent') return { ending: 'unsent' };
    const cancel = new CancelDelivery(deliveryId, this.clock.now(), origin);
    return { ending: 'unsent', outcome: await this.aggregates.execute(this.deliveries, deliveryId, cancel) };
  }
}
