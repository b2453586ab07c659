import { Inject, Injectable } from '@nestjs/common';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { WebhookQueries } from '../../../../projections/webhook-endpoints/webhook-endpoints.queries.js';
import { elapsed, type Instant, type Milliseconds } from '../../../kernel/time.js';
import { Clock } from '../../../ports/clock.port.js';
import { EventStore } from '../../../ports/event-store.port.js';
import type { Birth } from '../../../ports/view-store.port.js';
import { RetryLoop } from '../../../event-sourcing/retry-loop.js';
import { Attempts, type Attempted } from './attempts.js';
import type { Ending } from './lane.js';
import { Interruptions } from './interruptions.js';
import { Lanes, type Turn } from './lanes.js';
import { ReadyHints } from './ready-hints.js';
import { ReadyLooks, type LookResults } from './ready-looks.js';
import { Sender, type Answered } from './sender.js';
import { SENDING, type Sending } from './sending.js';

type Attempt = Extract<Turn, { kind: 'attempt' }>;
type Work = (answered: Answered) => Promise<Attempted>;

const WEBHOOKS_PAGE = 200;
/** However a wake-up was missed, a look this often heals it. */
const SWEEP_MS: Milliseconds = 60_000;
/** Views of server stores may be so far behind: who has come to their end looks once more after this. */
const LAG_MS: Milliseconds = 1_500;
/** How long a webhook is left alone after a failure of ours. */
const REST_MS: Milliseconds = 1_600;
/** Read models that lag show for a moment what is over. */
const SOONEST_MS: Milliseconds = 1_000;

/**
 * Sends what is ready, a lane for each webhook. Hints about what became ready come with the commits; what is not
 * remembered is read from the view page by page. A view that lags, or another instance that was faster, costs a
 * refused start and nothing else.
 */
@Injectable()
export class Dispatcher {
  private readonly lanes = new Lanes();
  private readonly underWay = new Set<Promise<void>>();
  private readonly looks: ReadyLooks;
  /** How often some webhook was heard to be looked at anew. */
  private changes = 0;
  private retries: RetryLoop | undefined;
  /** All lanes that had something at the start are known. */
  private opened = false;
  private unsubscribe: (() => void) | undefined;
  private opening: Promise<void> = Promise.resolve();

  constructor(
    private readonly events: EventStore,
    private readonly webhooks: WebhookQueries,
    deliveries: DeliveryQueries,
    private readonly attempts: Attempts,
    private readonly interruptions: Interruptions,
    private readonly hints: ReadyHints,
    private readonly sender: Sender,
    private readonly clock: Clock,
    @Inject(SENDING) private readonly sending: Sending,
  ) {
    this.looks = new ReadyLooks(deliveries, !sending.alone, this.results());
  }

  start(): void {
    const retries = new RetryLoop(this.clock);
    this.retries = retries;
    this.sender.start();
    this.unsubscribe = this.events.onAppended((appended) => {
      this.hints.read(appended, (webhookId, deliveryId) => this.ready(webhookId, deliveryId));
    });
    this.opening = this.attend(retries);
  }

  /** Begins nothing more; resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.retries?.stop();
    this.retries = undefined;
    this.opened = false;
    this.sender.stop();
    this.looks.clear();
    await this.opening;
    await Promise.all(this.underWay);
    this.lanes.clearAll();
  }

  /** Takes room for a delivery that is about to be created, if it would be the next of its webhook. */
  reserve(webhookId: string, deliveryId: string): boolean {
    if (!this.opened || !this.lanes.reserve(webhookId)) return false;
    this.lanes.hold(webhookId, deliveryId);
    return true;
  }

  /** Gives back what was reserved. */
  release(webhookId: string, deliveryId: string): void {
    this.lanes.ended(webhookId, 'unsent');
    this.lanes.release(webhookId, deliveryId);
    this.lanes.lookAgain(webhookId);
    this.pump();
  }

  /** Carries on in the room that was reserved. */
  occupy(webhookId: string, deliveryId: string, work: Work): void {
    const run = this.carryOut({ kind: 'attempt', webhookId, deliveryId }, work);
    this.underWay.add(run);
    void run.then(() => this.underWay.delete(run));
  }

  /** Calls `admit` when a person's attempt has room, before all that is queued. Returns how to give up waiting. */
  ask(webhookId: string, admit: () => void): () => void {
    return this.lanes.ask(webhookId, admit);
  }

  /** The attempt that was admitted has ended. */
  leave(webhookId: string, { ending }: Attempted): void {
    this.lanes.ended(webhookId, ending);
    this.pump();
  }

  private ready(webhookId: string, deliveryId: string | undefined): void {
    if (!this.retries) return;
    if (deliveryId === undefined) this.changes++;
    // At the start all that was cut off comes first, so that it goes in its order.
    if (!this.opened) return this.lanes.lookAgain(webhookId);
    if (deliveryId === undefined) this.lanes.lookAgain(webhookId);
    else this.lanes.add(webhookId, deliveryId);
    this.pump();
  }

  /** Finds what is there, and now and then looks whether something was overlooked. */
  private async attend(retries: RetryLoop): Promise<void> {
    while (!retries.isStopped) {
      const longest = this.opened || this.sending.alone ? SWEEP_MS : LAG_MS;
      const next = await retries.retryUntilStopped(() => this.survey(retries), this.sending.onError);
      const due = next === undefined ? longest : elapsed(this.clock.now(), next);
      await retries.wait(Math.min(longest, Math.max(due, SOONEST_MS)));
    }
  }

  /** Resolves to when to look again, if there is a reason to. */
  private async survey(retries: RetryLoop): Promise<Instant | undefined> {
    const next = await this.interruptions.record();
    let after: Birth | undefined;
    do {
      const page = await this.webhooks.active({
        limit: WEBHOOKS_PAGE,
        ...(after !== undefined && { after }),
      });
      for (const webhook of page.documents) this.lanes.lookAgain(webhook.webhook_id);
      this.pump();
      after = page.births.length < WEBHOOKS_PAGE ? undefined : page.births.at(-1);
    } while (after !== undefined && !retries.isStopped);
    if (retries.isStopped) return undefined;
    this.opened = true;
    this.pump();
    return next;
  }

  /** Gives turns while there is room. */
  private pump(): void {
    if (!this.retries) return;
    for (let turn = this.lanes.next(); turn; turn = this.lanes.next()) {
      const { webhookId } = turn;
      if (turn.kind === 'look') this.looks.add(turn);
      else this.occupy(webhookId, turn.deliveryId, (answered) => this.attempt(turn as Attempt, answered));
    }
  }

  /**
   * The room is free once the answer is there and its outcome on the way to the store: the start of the next attempt
   * then shares the commit, and its request leaves after it.
   */
  private async carryOut({ webhookId, deliveryId }: Attempt, work: Work): Promise<void> {
    let free = (ending: Ending) => {
      free = () => undefined;
      this.lanes.ended(webhookId, ending);
      this.pump();
    };
    try {
      const { ending } = await work((answered) => free(answered));
      free(ending);
    } catch (error) {
      this.sending.onError(error, deliveryId);
      void this.rest(webhookId);
      free('unsent');
    }
    this.lanes.release(webhookId, deliveryId);
  }

  private async attempt({ webhookId, deliveryId }: Attempt, answered: Answered): Promise<Attempted> {
    const before = this.changes;
    const attempted = await this.attempts.make(deliveryId, 'schedule', { answered });
    if (!('paused' in attempted)) return attempted;
    this.lanes.clear(webhookId);
    // It may have become active again just after we were told that it is paused.
    if (this.changes !== before) this.lanes.lookAgain(webhookId);
    return attempted;
  }

  /** What comes of looks into the view. */
  private results(): LookResults {
    return {
      found: (webhookId, deliveryIds, last) => {
        this.lanes.found(webhookId, deliveryIds, last);
        this.pump();
      },
      failed: (webhookId, error) => {
        this.sending.onError(error);
        this.lanes.found(webhookId, [], undefined);
        void this.rest(webhookId);
      },
      unsure: (webhookId) => void this.lookLater(webhookId, LAG_MS),
    };
  }

  /** After a failure of ours the webhook is left alone for a while. */
  private async rest(webhookId: string): Promise<void> {
    this.lanes.clear(webhookId);
    await this.lookLater(webhookId, REST_MS);
  }

  private async lookLater(webhookId: string, ms: Milliseconds): Promise<void> {
    await this.retries?.wait(ms);
    this.ready(webhookId, undefined);
  }
}
