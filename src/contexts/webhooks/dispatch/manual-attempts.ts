import { Inject, Injectable } from '@nestjs/common';
import { idOf } from '../../../kernel/ids.js';
import type { Origin, RecordedEvent } from '../../../kernel/recorded-event.js';
import { elapsed, type Instant, type Milliseconds, Clock } from '../../../kernel/time.js';
import { Waiters, type Waiter } from '../../../async/waiters.js';
import { CreateDelivery, type StartAttempt } from '../domain/delivery.commands.js';
import { webhookOf } from '../domain/endpoint.state.js';
import { SENDING, type Sending, type WebhookRef } from '../ports.js';
import {
  DELIVERY,
  endpoints,
  type AttemptOutcome,
  type DeliveryAggregate,
  deliveryIdOf,
} from '../webhook.aggregates.js';
import { type Attempted, AttemptRunner } from './attempt-runner.js';
import { Dispatcher } from './dispatcher.js';
import { UnavailableError } from '../../../kernel/errors.js';
import { EventStore, AggregateStore } from '../../../event-sourcing/index.js';

/** After the request's own limit; then the caller is answered, even without an outcome. */
const RECORDED_WITHIN_MS: Record<StartAttempt['trigger'], Milliseconds> = { schedule: 1_000, manual: 15_000 };
const OUTCOMES = new Set(['DeliverySucceeded', 'DeliveryAttemptFailed', 'DeliveryCancelled']);

interface AwaitedAttempt {
  readonly deliveryId: string;
  readonly trigger: StartAttempt['trigger'];
  readonly by: Origin;
  readonly since: Instant;
}

/** They precede queued deliveries. Without a free slot in time, the answer shows the unchanged delivery. */
@Injectable()
export class ManualAttempts {
  private readonly outcomes: Waiters;

  constructor(
    @Inject(DELIVERY) private readonly deliveries: DeliveryAggregate,
    private readonly aggregates: AggregateStore,
    private readonly runner: AttemptRunner,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
    @Inject(SENDING) private readonly sending: Sending,
    events: EventStore,
  ) {
    this.outcomes = new Waiters(clock);
    events.listen({
      types: OUTCOMES,
      appended: (events) => events.forEach(({ stream }) => this.outcomes.wake(idOf(stream))),
    });
  }

  /**
   * Creates delivery and first attempt once, even if the dispatcher is faster. @throws as
   * `AggregateStore.execute`
   */
  async test(webhookId: string, event: RecordedEvent, by: Origin): Promise<AttemptOutcome> {
    const { stream, revision, id: eventId } = event;
    const deliveryId = deliveryIdOf(webhookId, eventId);
    const since = this.clock.now();
    const webhook = { accountId: idOf(stream), webhookId };
    const delivery = {
      ...webhook,
      eventId,
      eventType: 'webhook.test',
      source: { stream, revision },
    } as const;
    const create = new CreateDelivery({ deliveryId, delivery, at: since, by });
    await this.aggregates.execute(this.deliveries, deliveryId, create);
    return this.attempt(webhook, { deliveryId, trigger: 'schedule', by, since });
  }

  /** @throws as `AggregateStore.execute`; UnavailableError if the outcome is not stored in time */
  async retry(deliveryId: string, by: Origin): Promise<AttemptOutcome> {
    const { state } = await this.aggregates.load(this.deliveries, deliveryId);
    const { status, accountId, webhookId } = state;
    if (status === 'absent' || status === 'removed')
      return { ok: false, rejection: { code: 'DeliveryNotFound' } };
    const { state: all } = await this.aggregates.load(endpoints, accountId);
    const webhook = webhookOf(all, webhookId);
    if (!webhook) return { ok: false, rejection: { code: 'WebhookNotFound' } };
    if (webhook.status === 'paused') return { ok: false, rejection: { code: 'WebhookPaused' } };
    if (status !== 'retry_scheduled' && status !== 'dead_letter')
      return { ok: false, rejection: { code: 'DeliveryStateConflict', status } };
    return this.attempt(webhook, { deliveryId, trigger: 'manual', by, since: this.clock.now() });
  }

  private async attempt(webhook: WebhookRef, awaited: AwaitedAttempt): Promise<AttemptOutcome> {
    const { deliveryId, trigger, by } = awaited;
    const stored = this.outcomes.open(deliveryId);
    try {
      const hasSlot = await this.takeSlot(webhook);
      // The time limit of a retry starts with its slot.
      const begun = trigger === 'manual' ? { ...awaited, since: this.clock.now() } : awaited;
      if (!hasSlot) return await this.storedOutcome(begun, stored);
      const run = this.dispatcher.runIn(webhook, (onAnswered) =>
        this.runner.run(deliveryId, trigger, { by, onAnswered }),
      );
      const attempted = await this.inTime(run, begun);
      if (attempted?.isPaused) return { ok: false, rejection: { code: 'WebhookPaused' } };
      const own = attempted?.outcome;
      if (own && (own.ok || trigger === 'manual')) return own;
      return await this.storedOutcome(begun, stored);
    } finally {
      stored.close();
    }
  }

  /** The attempt of any instance; for an unfinished test, its current state. @throws UnavailableError */
  private async storedOutcome(awaited: AwaitedAttempt, stored: Waiter): Promise<AttemptOutcome> {
    for (;;) {
      const delivery = await this.aggregates.load(this.deliveries, awaited.deliveryId);
      const now: AttemptOutcome = { ok: true, ...delivery, events: [] };
      if (delivery.state.status !== 'delivering') return now;
      const left = this.left(awaited);
      if (left > 0 && (await stored.wait(left))) continue;
      if (awaited.trigger === 'schedule') return now;
      throw new UnavailableError('the outcome of the attempt is not stored yet', 'unknown');
    }
  }

  /** Undefined on timeout; the run continues. */
  private inTime(run: Promise<Attempted>, awaited: AwaitedAttempt): Promise<Attempted | undefined> {
    return new Promise((resolve, reject) => {
      const cancel = this.clock.after(this.left(awaited), () => resolve(undefined));
      run
        .then(resolve, reject)
        .finally(cancel)
        .catch(() => undefined);
    });
  }

  private takeSlot(webhook: WebhookRef): Promise<boolean> {
    return new Promise((resolve) => {
      let giveUp: () => void = () => undefined;
      const cancel = this.clock.after(this.sending.timeoutMs, () => {
        giveUp();
        resolve(false);
      });
      giveUp = this.dispatcher.request(webhook, () => {
        cancel();
        resolve(true);
      });
    });
  }

  private left({ since, trigger }: AwaitedAttempt): Milliseconds {
    const longest = this.sending.timeoutMs + RECORDED_WITHIN_MS[trigger];
    return Math.max(0, longest - elapsed(since, this.clock.now()));
  }
}
