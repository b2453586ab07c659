import { Inject, Injectable } from '@nestjs/common';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { earlier, plus, type Instant, type Milliseconds } from '../../../kernel/time.js';
import { Clock } from '../../../ports/clock.port.js';
import { EventStore } from '../../../ports/event-store.port.js';
import { AggregateStore } from '../../../event-sourcing/write/aggregate-store.js';
import { InterruptAttempt } from '../domain/delivery.commands.js';
import { DELIVERY, type DeliveryAggregate } from '../webhook.aggregates.js';
import { Sender } from './sender.js';
import { SENDING, type Sending } from './sending.js';

/** More than all instances together have in flight. */
const PAGE = 1_000;
/** Nobody is still about to record an attempt this long after its time limit. */
const RECORDED_WITHIN_MS: Milliseconds = 15_000;
/** While the view does not show all that was begun. */
const SOON_MS: Milliseconds = 5_000;

/** Finds requests that were cut off: nobody knows what became of them, so they are sent again. */
@Injectable()
export class Interruptions {
  private readonly startedAt: Instant;

  constructor(
    @Inject(DELIVERY) private readonly deliveryAggregate: DeliveryAggregate,
    private readonly aggregates: AggregateStore,
    private readonly deliveries: DeliveryQueries,
    private readonly sender: Sender,
    private readonly clock: Clock,
    @Inject(SENDING) private readonly sending: Sending,
    private readonly events: EventStore,
  ) {
    this.startedAt = clock.now();
  }

  /** Resolves to when to look again: one that somebody else seems to carry out will have been cut off by then. */
  async record(): Promise<Instant | undefined> {
    const isAllShown = await this.events.allShown().then(
      () => true,
      () => false,
    );
    const now = this.clock.now();
    const { alone } = this.sending;
    let next = isAllShown ? undefined : plus(now, SOON_MS);
    for (const delivery of await this.deliveries.inFlight(PAGE)) {
      const { delivery_id: id, last_attempt_at: begun = now } = delivery;
      if (this.sender.isUnderWay(id)) continue;
      const over = plus(begun, this.sending.timeoutMs + RECORDED_WITHIN_MS);
      if (over > now && !(alone && begun < this.startedAt)) {
        next = earlier(next ?? over, over);
        continue;
      }
      const by = { actor: { kind: 'process', id: 'webhook-dispatch' }, correlationId: id } as const;
      const command = new InterruptAttempt(id, this.clock.now(), by);
      await this.aggregates.execute(this.deliveryAggregate, id, command);
    }
    return next;
  }
}
