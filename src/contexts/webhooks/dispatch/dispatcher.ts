import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { growingTo } from '../../../kernel/cache-size.js';
import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import { elapsed, type Instant, type Milliseconds, Clock } from '../../../kernel/time.js';
import { RetryLoop } from '../../../async/retry.js';
import {
  ActiveWebhooks,
  PendingDeliveries,
  SENDING,
  type Cursor,
  type Sending,
  type WebhookRef,
} from '../ports.js';
import { DELIVERY, type DeliveryAggregate } from '../webhook.aggregates.js';
import { type Attempted, type OnAnswered, AttemptRunner } from './attempt-runner.js';
import { DeliveryScheduler, type HeldSlot, type Slot } from './delivery-scheduler.js';
import type { Ending, ReadyPage } from './endpoint-queue.js';
import { readySignal, SIGNALLING } from './ready-signals.js';
import { EventStore, AggregateStore } from '../../../event-sourcing/index.js';

type Work = (onAnswered: OnAnswered) => Promise<Attempted>;

const WEBHOOKS_PAGE = 200;
/** Surveys find deliveries without a signal. */
const SURVEY_MS: Milliseconds = 60_000;
/** Maximum lag of server views: the end of a list is read again after this time. */
const LAG_MS: Milliseconds = 1_500;
const REST_MS: Milliseconds = 1_600;
/** Newest finished deliveries: a delivery that is then found to wait for one need not wait. */
const FINISHED_KEPT = 4_000;
/** Lagging views still list attempts that have ended. */
const MIN_SURVEY_MS: Milliseconds = 1_000;

/**
 * Signals and the view may be late: an outdated one costs a rejected attempt, a missing one waits for the
 * survey.
 */
@Injectable()
export class Dispatcher {
  private readonly scheduler = new DeliveryScheduler();
  private readonly inProgress = new Set<Promise<unknown>>();
  /** Webhooks whose list ended in a lagging view and must be read again. */
  private readonly unconfirmed = new Set<string>();
  private readonly finished = new LRUCache<string, true>(growingTo(FINISHED_KEPT));
  /** Counts signals that concern all deliveries of a webhook. */
  private changes = 0;
  private loop: RetryLoop | undefined;
  /** Interrupted attempts are recorded and all active webhooks are queued. */
  private isOpen = false;
  private unsubscribe: (() => void) | undefined;
  private surveying: Promise<void> = Promise.resolve();

  constructor(
    private readonly events: EventStore,
    private readonly webhooks: ActiveWebhooks,
    private readonly pending: PendingDeliveries,
    @Inject(DELIVERY) private readonly deliveries: DeliveryAggregate,
    private readonly aggregates: AggregateStore,
    private readonly runner: AttemptRunner,
    private readonly clock: Clock,
    @Inject(SENDING) private readonly sending: Sending,
  ) {}

  start(): void {
    const loop = new RetryLoop(this.clock);
    this.loop = loop;
    this.runner.start();
    this.unsubscribe = this.events.listen({
      types: SIGNALLING,
      appended: (events) => this.readSignals(events),
    });
    this.surveying = this.surveyUntilStopped(loop);
  }

  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.loop?.stop();
    this.loop = undefined;
    this.isOpen = false;
    this.runner.stop();
    this.unconfirmed.clear();
    await this.surveying;
    await Promise.all(this.inProgress);
    this.scheduler.clearAll();
  }

  /** Only if it would be its webhook's next delivery. */
  reserve(webhook: WebhookRef, deliveryId: string): HeldSlot | undefined {
    return this.isOpen ? this.scheduler.reserve(webhook, deliveryId) : undefined;
  }

  cancel(slot: HeldSlot): void {
    this.scheduler.free(slot, 'unsent');
    this.scheduler.release(slot, slot.deliveryId);
    this.scheduler.readAgain(slot);
    this.pump();
  }

  request(webhook: WebhookRef, admit: () => void): () => void {
    return this.scheduler.request(webhook, admit);
  }

  runScheduled(slot: HeldSlot, work: Work): void {
    const run = this.runIn(slot, (onAnswered) =>
      work(onAnswered).catch((error: unknown) => {
        this.sending.onError(error, 'sending a webhook delivery', slot.deliveryId);
        this.rest(slot);
        return { ending: 'unsent' };
      }),
    );
    this.inProgress.add(run);
    void run.then(({ blockedBy }) => {
      this.inProgress.delete(run);
      if (blockedBy !== undefined) this.block(slot, blockedBy);
    });
  }

  /** Frees the slot before the outcome is stored: the start of the next attempt then shares the commit. */
  async runIn(slot: Slot, work: Work): Promise<Attempted> {
    let attempted: Attempted = { ending: 'unsent' };
    let isFree = false;
    const free = (ending: Ending) => {
      if (isFree) return;
      isFree = true;
      this.scheduler.free(slot, ending);
      this.pump();
    };
    try {
      attempted = await work(free);
      return attempted;
    } finally {
      free(attempted.ending);
      if (slot.deliveryId !== undefined) this.scheduler.release(slot, slot.deliveryId);
    }
  }

  private readSignals(appended: readonly RecordedEvent[]): void {
    for (const event of appended) {
      // No attempt may be decided on a cached state older than this commit.
      this.aggregates.invalidate(event.stream, event.revision);
      const signal = readySignal(event);
      if (!signal) continue;
      if ('finishedId' in signal) this.unblock(signal.finishedId);
      else if ('webhook' in signal) this.signal(signal.webhook, signal.deliveryId);
      else this.locate(signal.deliveryId);
    }
  }

  private block(slot: HeldSlot, by: string): void {
    if (!this.loop) return;
    // Each note is used once, because the delivery may have become unfinished again.
    if (this.finished.delete(by)) this.scheduler.add(slot, slot.deliveryId);
    else this.scheduler.block(slot, by);
    this.pump();
  }

  private unblock(finishedId: string): void {
    this.finished.set(finishedId, true);
    this.scheduler.unblock(finishedId);
    if (this.isOpen) this.pump();
  }

  private locate(deliveryId: string): void {
    this.aggregates.load(this.deliveries, deliveryId).then(
      ({ state }) => this.signal(state, deliveryId),
      (error) => this.sending.onError(error, 'loading a webhook delivery that became ready', deliveryId),
    );
  }

  /** @param deliveryId absent: any delivery of the webhook may be ready */
  private signal(webhook: WebhookRef, deliveryId?: string): void {
    if (!this.loop) return;
    if (deliveryId === undefined) this.changes++;
    // Before the first survey no id is queued, because interrupted deliveries go first.
    if (this.isOpen && deliveryId !== undefined) this.scheduler.add(webhook, deliveryId);
    else this.scheduler.readAgain(webhook);
    if (this.isOpen) this.pump();
  }

  private async surveyUntilStopped(loop: RetryLoop): Promise<void> {
    while (!loop.isStopped) {
      const longest = this.isOpen || this.sending.alone ? SURVEY_MS : LAG_MS;
      const next = await loop.retryUntilStopped(
        () => this.survey(loop),
        (error) => this.sending.onError(error, 'looking for webhooks with pending deliveries'),
      );
      const due = next === undefined ? longest : elapsed(this.clock.now(), next);
      await loop.wait(Math.min(longest, Math.max(due, MIN_SURVEY_MS)));
    }
  }

  /** Records interrupted attempts, queues active webhooks, resolves to the time of the next survey. */
  private async survey(loop: RetryLoop): Promise<Instant | undefined> {
    const due = await this.runner.recover();
    this.scheduler.releaseBlocked();
    let after: Cursor | undefined;
    do {
      const page = { limit: WEBHOOKS_PAGE, ...(after !== undefined && { after }) };
      const { items, next } = await this.webhooks.active(page);
      for (const webhook of items) this.scheduler.readAgain(webhook);
      this.pump();
      after = next;
    } while (after !== undefined && !loop.isStopped);
    if (loop.isStopped) return undefined;
    this.isOpen = true;
    this.pump();
    return due;
  }

  private pump(): void {
    if (!this.loop) return;
    for (let slot = this.scheduler.next(); slot; slot = this.scheduler.next()) {
      const taken = slot;
      this.runScheduled(taken, (onAnswered) => this.attempt(taken, onAnswered));
    }
    for (let page = this.scheduler.nextPage(); page; page = this.scheduler.nextPage()) void this.read(page);
  }

  private async attempt(slot: HeldSlot, onAnswered: OnAnswered): Promise<Attempted> {
    const before = this.changes;
    const attempted = await this.runner.run(slot.deliveryId, 'schedule', { onAnswered });
    if (!attempted.isPaused) return attempted;
    this.scheduler.clear(slot);
    // A signal during the attempt may mean that the webhook is active again.
    if (this.changes !== before) this.scheduler.readAgain(slot);
    return attempted;
  }

  private async read(page: ReadyPage): Promise<void> {
    try {
      const { items, next } = await this.pending.readyFor(page.webhookId, page);
      // Yields to the event loop, because a store that answers at once would block it.
      await setImmediate();
      this.scheduler.addPage(page, items, next);
      if (next === undefined && !this.sending.alone) this.confirmEnd(page, items.length > 0);
    } catch (error) {
      this.sending.onError(error, 'listing the pending deliveries of a webhook');
      this.scheduler.addPage(page, [], undefined);
      this.rest(page);
    }
    this.pump();
  }

  /** Reads the list of a lagging view again until a read finds nothing. */
  private confirmEnd(webhook: WebhookRef, found: boolean): void {
    if (!this.loop) return;
    const isFurtherRead = this.unconfirmed.delete(webhook.webhookId);
    if (isFurtherRead && !found) return;
    this.unconfirmed.add(webhook.webhookId);
    void this.readLater(webhook, LAG_MS);
  }

  private rest(webhook: WebhookRef): void {
    this.scheduler.clear(webhook);
    void this.readLater(webhook, REST_MS);
  }

  private async readLater(webhook: WebhookRef, ms: Milliseconds): Promise<void> {
    await this.loop?.wait(ms);
    this.signal(webhook);
  }
}
