import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';
import { plus, type Instant, type Milliseconds, Clock } from '../../../kernel/time.js';
import { isLostRace, retry, RetryLoop } from '../../../async/retry.js';
import { type PreparedAttempt, AttemptRunner } from '../dispatch/attempt-runner.js';
import type { HeldSlot } from '../dispatch/delivery-scheduler.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { CreateDelivery } from '../domain/delivery.commands.js';
import { DELIVERY_RETENTION_MS } from '../domain/delivery.policy.js';
import type { Delivery } from '../domain/delivery.state.js';
import { PendingDeliveries, SENDING, WebhookPayloads, type Sending } from '../ports.js';
import { DELIVERY, type DeliveryAggregate, deliveryIdOf } from '../webhook.aggregates.js';
import { publicTypeOf, PUBLISHED_EVENTS } from '../public-events.js';
import { EndpointHealth } from '../endpoint-health.js';
import { deliveryOf, EndpointsAt, originOf, recipientsOf, type PendingDelivery } from './endpoints-at.js';
import {
  CheckpointStore,
  EventStore,
  LogReader,
  AggregateStore,
  type Planned,
} from '../../../event-sourcing/index.js';

export const CHECKPOINT = 'webhook-fan-out';

/** Bounds the events read again after a crash; reading them again writes nothing. */
const CHECKPOINT_EVERY_MS: Milliseconds = 1_000;
/** Deliveries in one append, so that other writers get a turn. */
const APPENDED_TOGETHER = 256;
const ATTEMPTS = 5;
const PUBLISHED = new Set(PUBLISHED_EVENTS);
/** A deleted webhook is settled once this has read of it. */
const WAKING = new Set([...PUBLISHED, 'WebhookDeleted']);

interface Run {
  readonly log: LogReader;
  endpoints: EndpointsAt;
  /** Head at the start: an earlier run may have created deliveries up to here. */
  knownUntil: Position;
  /** Earlier events have no deliveries, unless the read models list them; empty after a checkpoint. */
  removedBefore: Instant;
  position: Position | undefined;
}

interface Plan {
  readonly planned: Planned<Delivery>;
  readonly first?: { readonly slot: HeldSlot; readonly prepared: PreparedAttempt };
}

/** The first attempt starts in the commit of its delivery if it has a slot. */
@Injectable()
export class FanOut {
  private loop: RetryLoop | undefined;
  private log: LogReader | undefined;
  private running: Promise<void> = Promise.resolve();
  private cancelCheckpoint: (() => void) | undefined;
  private isRolledBack = false;

  constructor(
    private readonly events: EventStore,
    private readonly checkpoints: CheckpointStore,
    private readonly payloads: WebhookPayloads,
    private readonly pending: PendingDeliveries,
    @Inject(DELIVERY) private readonly deliveries: DeliveryAggregate,
    private readonly aggregates: AggregateStore,
    private readonly runner: AttemptRunner,
    private readonly dispatcher: Dispatcher,
    private readonly health: EndpointHealth,
    private readonly clock: Clock,
    @Inject(SENDING) private readonly sending: Sending,
  ) {
    // Ids of deliveries derive from events, so none is created twice.
    events.listen({ rolledBack: () => (this.isRolledBack = true) });
  }

  start(): void {
    this.loop = new RetryLoop(this.clock);
    this.log = new LogReader(this.events, this.clock, ({ type }) => WAKING.has(type));
    this.running = this.run(this.loop, this.log);
  }

  async stop(): Promise<void> {
    this.loop?.stop();
    this.log?.close();
    await this.running;
  }

  private async run(loop: RetryLoop, log: LogReader): Promise<void> {
    const onError = (error: unknown) =>
      this.sending.onError(error, 'reading the log and creating webhook deliveries');
    const open = () => loop.retryUntilStopped(() => this.open(log), onError);
    const run = await open();
    if (!run) return;
    while (!loop.isStopped) {
      if (this.isRolledBack) Object.assign(run, await open());
      const more = await loop.retryUntilStopped(() => this.fanOutNext(run), onError);
      // The embedded store reads without a turn of the event loop, which requests and signals need between
      // pages.
      await (more === false ? log.wait() : setImmediate());
    }
    this.cancelCheckpoint?.();
    this.cancelCheckpoint = undefined;
    await this.checkpoint(run);
  }

  private async open(log: LogReader): Promise<Run> {
    this.isRolledBack = false;
    const knownUntil = (await this.events.head()) ?? '';
    const stored = await this.checkpoints.get(CHECKPOINT);
    const position = stored !== undefined && stored > knownUntil ? undefined : stored;
    const removedBefore = position === undefined ? plus(this.clock.now(), -DELIVERY_RETENTION_MS) : '';
    return { log, endpoints: new EndpointsAt(this.events), knownUntil, removedBefore, position };
  }

  private async fanOutNext(run: Run): Promise<boolean> {
    const events = await run.log.after(run.position);
    const last = events.at(-1);
    if (!last) return false;
    try {
      const pending = await this.deliveriesOf(events, run.endpoints);
      const mayBeKnown = events[0]!.position <= run.knownUntil;
      for (let from = 0; from < pending.length; from += APPENDED_TOGETHER)
        await this.create(pending.slice(from, from + APPENDED_TOGETHER), mayBeKnown && run);
    } catch (error) {
      // The next try reads the batch again from its start, so the cached endpoints must not be ahead of it.
      run.endpoints = new EndpointsAt(this.events);
      throw error;
    }
    run.position = last.position;
    this.cancelCheckpoint ??= this.clock.after(CHECKPOINT_EVERY_MS, () => {
      this.cancelCheckpoint = undefined;
      void this.checkpoint(run);
    });
    return true;
  }

  private async checkpoint({ position }: Run): Promise<void> {
    if (position === undefined) return;
    await this.checkpoints
      .put(CHECKPOINT, position)
      .catch((error: unknown) =>
        this.sending.onError(error, 'storing the position of the webhooks in the log'),
      );
  }

  private async deliveriesOf(
    events: readonly RecordedEvent[],
    endpoints: EndpointsAt,
  ): Promise<readonly PendingDelivery[]> {
    const pending: PendingDelivery[] = [];
    for (const event of events) {
      if (event.stream.startsWith('webhooks-')) endpoints.see(event);
      if (!PUBLISHED.has(event.type)) continue;
      const type = publicTypeOf(event);
      const accountId = type && (await this.payloads.accountOf(event));
      if (!type || accountId === undefined) continue;
      const then = await endpoints.at(accountId, event.position);
      for (const { webhookId, ordered: isOrdered } of recipientsOf(event, type, then)) {
        this.payloads.keep(event);
        const deliveryId = deliveryIdOf(webhookId, event.id);
        pending.push({ event, type, accountId, webhookId, deliveryId, isOrdered });
      }
    }
    return pending;
  }

  /** @param mayBeKnown set if some may exist or were removed: those are left out */
  private async create(pending: readonly PendingDelivery[], mayBeKnown: Run | false): Promise<void> {
    const unknown = mayBeKnown ? await this.unknownOf(pending, mayBeKnown) : pending;
    // The first plan assumes that all are new; after a lost race it reads the streams.
    // An ordered delivery exists before those of later events, for which it is looked up.
    const anyOrder = !unknown.some(({ isOrdered }) => isOrdered);
    const append = async (attempt: number) =>
      this.append(await this.planAll(unknown, attempt === 1), anyOrder);
    await retry(append, { when: isLostRace, attempts: ATTEMPTS });
    await this.health.created(unknown);
  }

  private async unknownOf(pending: readonly PendingDelivery[], { removedBefore }: Run) {
    const known = await this.pending.known(pending.map(({ deliveryId }) => deliveryId));
    return pending.filter(
      ({ deliveryId, event }) => !known.has(deliveryId) && event.metadata.at >= removedBefore,
    );
  }

  private async append(plans: readonly Plan[], anyOrder: boolean): Promise<void> {
    try {
      const planned = plans.map((plan) => plan.planned);
      await this.aggregates.appendInOrder(planned, { anyOrder });
    } catch (error) {
      this.freeSlots(plans);
      throw error;
    }
    for (const { first, planned } of plans) {
      if (!first) continue;
      const { slot, prepared } = first;
      this.dispatcher.runScheduled(slot, (onAnswered) =>
        this.runner.finish(slot.deliveryId, planned.state, prepared, onAnswered),
      );
    }
  }

  private freeSlots(plans: readonly Plan[]): void {
    for (const { first } of plans) if (first) this.dispatcher.cancel(first.slot);
  }

  private async planAll(pending: readonly PendingDelivery[], assumeNew: boolean): Promise<readonly Plan[]> {
    const plans: Plan[] = [];
    try {
      for (const one of pending) plans.push(...(await this.plan(one, assumeNew)));
    } catch (error) {
      this.freeSlots(plans);
      throw error;
    }
    return plans;
  }

  private async plan(one: PendingDelivery, assumeNew: boolean): Promise<readonly Plan[]> {
    const { event, deliveryId } = one;
    const issued = { at: this.clock.now(), by: originOf(event) };
    const create = new CreateDelivery({ deliveryId, delivery: deliveryOf(one), ...issued });
    const created = await this.aggregates.plan(this.deliveries, deliveryId, create, { assumeNew });
    if (!created.ok || created.planned.append.events.length === 0) return [];
    return [await this.withFirstAttempt(created.planned, one)];
  }

  private async withFirstAttempt(
    created: Planned<Delivery>,
    { accountId, webhookId, deliveryId, isOrdered }: PendingDelivery,
  ): Promise<Plan> {
    const slot = isOrdered ? undefined : this.dispatcher.reserve({ accountId, webhookId }, deliveryId);
    if (!slot) return { planned: created };
    try {
      const first = await this.runner.planFirst(deliveryId, created);
      if (first) return { planned: first.planned, first: { slot, prepared: first.prepared } };
    } catch (error) {
      this.sending.onError(error, 'preparing the first attempt of a webhook delivery', deliveryId);
    }
    this.dispatcher.cancel(slot);
    return { planned: created };
  }
}
