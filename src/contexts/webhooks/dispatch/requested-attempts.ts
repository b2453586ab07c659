import { Inject, Injectable } from '@nestjs/common';
import { idOf } from '../../../kernel/ids.js';
import type { Origin, RecordedEvent } from '../../../kernel/recorded-event.js';
import { elapsed, type Instant, type Milliseconds } from '../../../kernel/time.js';
import { Clock } from '../../../ports/clock.port.js';
import { EventStore, UnavailableError } from '../../../ports/event-store.port.js';
import { AggregateStore } from '../../../event-sourcing/write/aggregate-store.js';
import { Waiters, type Waiter } from '../../../event-sourcing/waiters.js';
import { DeliveryAttempts, type AttemptOutcome } from '../delivery-attempts.js';
import { deliveryIdOf } from '../delivery-id.js';
import { CreateDelivery, type StartAttempt } from '../domain/delivery.commands.js';
import type { Delivery } from '../domain/delivery.state.js';
import { webhookOf } from '../domain/endpoint.state.js';
import { DELIVERY, endpoints, type DeliveryAggregate } from '../webhook.aggregates.js';
import { Attempts, type Attempted } from './attempts.js';
import { Dispatcher } from './dispatcher.js';
import { SENDING, type Sending } from './sending.js';

/** For storing what came of a request that took all its time: a retry is answered after that, a test in time. */
const RECORDED_WITHIN_MS: Record<StartAttempt['trigger'], Milliseconds> = { schedule: 1_000, manual: 15_000 };
const OUTCOMES = new Set(['DeliverySucceeded', 'DeliveryAttemptFailed', 'DeliveryCancelled']);

/** One attempt, and who waits for it how long. */
interface Wish {
  readonly deliveryId: string;
  readonly trigger: StartAttempt['trigger'];
  readonly by: Origin;
  readonly since: Instant;
}

@Injectable()
export class RequestedAttempts extends DeliveryAttempts {
  private readonly outcomes: Waiters;

  constructor(
    @Inject(DELIVERY) private readonly deliveries: DeliveryAggregate,
    private readonly aggregates: AggregateStore,
    private readonly attempts: Attempts,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
    @Inject(SENDING) private readonly sending: Sending,
    events: EventStore,
  ) {
    super();
    this.outcomes = new Waiters(clock);
    events.onAppended((appended) => {
      if (this.outcomes.size === 0) return;
      for (const { type, stream } of appended) if (OUTCOMES.has(type)) this.outcomes.wake(idOf(stream));
    });
  }

  async tell(webhookId: string, event: RecordedEvent, by: Origin): Promise<AttemptOutcome> {
    const deliveryId = deliveryIdOf(webhookId, event.id);
    const since = this.clock.now();
    const { stream, revision, id: eventId } = event;
    const told = { accountId: idOf(stream), webhookId, eventId, eventType: 'webhook.test' } as const;
    const command = new CreateDelivery(deliveryId, { ...told, source: { stream, revision } }, since, by);
    await this.aggregates.execute(this.deliveries, deliveryId, command);
    return this.attempt(webhookId, { deliveryId, trigger: 'schedule', by, since });
  }

  async retry(deliveryId: string, by: Origin): Promise<AttemptOutcome> {
    const { state } = await this.aggregates.load(this.deliveries, deliveryId);
    const { status, accountId, webhookId } = state;
    if (status === 'absent') return { ok: false, rejection: { code: 'DeliveryNotFound' } };
    const { state: all } = await this.aggregates.load(endpoints, accountId);
    const webhook = webhookOf(all, webhookId);
    if (!webhook) return { ok: false, rejection: { code: 'WebhookNotFound' } };
    if (webhook.status === 'paused') return { ok: false, rejection: { code: 'WebhookPaused' } };
    if (status !== 'retry_scheduled' && status !== 'dead_letter') {
      return { ok: false, rejection: { code: 'DeliveryStateConflict', status } };
    }
    return this.attempt(webhookId, { deliveryId, trigger: 'manual', by, since: this.clock.now() });
  }

  /** Answers with the outcome, or a test with what is known when the time is over. */
  private async attempt(webhookId: string, wish: Wish): Promise<AttemptOutcome> {
    const outcome = this.outcomes.open(wish.deliveryId);
    const { trigger } = wish;
    try {
      const hasRoom = await this.room(webhookId);
      const begun = trigger === 'manual' ? { ...wish, since: this.clock.now() } : wish;
      const attempted = hasRoom ? await this.inTime(this.make(webhookId, begun), begun) : undefined;
      if (attempted && 'paused' in attempted) return { ok: false, rejection: { code: 'WebhookPaused' } };
      const own = attempted?.outcome;
      if (own && (own.ok || trigger === 'manual')) return own;
      return await this.ofOthers(begun, outcome);
    } finally {
      outcome.close();
    }
  }

  /**
   * Whoever else has begun this attempt: theirs is as good as ours.
   * @throws UnavailableError that of a retry is not over
   */
  private async ofOthers(wish: Wish, outcome: Waiter): Promise<AttemptOutcome> {
    for (;;) {
      const now = await this.asItIs(wish);
      if (now.state.status !== 'delivering') return now;
      const left = this.left(wish);
      if (left > 0 && (await outcome.wait(left))) continue;
      if (wish.trigger === 'schedule') return now;
      throw new UnavailableError('the outcome of the attempt is not stored yet', 'unknown');
    }
  }

  private async make(webhookId: string, { deliveryId, trigger, by }: Wish): Promise<Attempted> {
    let attempted: Attempted = { ending: 'unsent' };
    try {
      attempted = await this.attempts.make(deliveryId, trigger, { by });
    } finally {
      this.dispatcher.leave(webhookId, attempted);
    }
    return attempted;
  }

  /** Resolves undefined when the time is over first. */
  private inTime(made: Promise<Attempted>, wish: Wish): Promise<Attempted | undefined> {
    return new Promise((resolve, reject) => {
      const cancel = this.clock.after(this.left(wish), () => resolve(undefined));
      made
        .then(resolve, reject)
        .finally(cancel)
        .catch(() => undefined);
    });
  }

  /** Resolves false when there was none in time; then none is kept. */
  private room(webhookId: string): Promise<boolean> {
    return new Promise((resolve) => {
      let giveUp: () => void = () => undefined;
      const cancel = this.clock.after(this.sending.timeoutMs, () => {
        giveUp();
        resolve(false);
      });
      giveUp = this.dispatcher.ask(webhookId, () => {
        cancel();
        resolve(true);
      });
    });
  }

  private left({ since, trigger }: Wish): Milliseconds {
    const patience = this.sending.timeoutMs + RECORDED_WITHIN_MS[trigger];
    return Math.max(0, patience - elapsed(since, this.clock.now()));
  }

  private async asItIs({ deliveryId }: Wish): Promise<AttemptOutcome & { readonly state: Delivery }> {
    return { ok: true, ...(await this.aggregates.load(this.deliveries, deliveryId)), events: [] };
  }
}
