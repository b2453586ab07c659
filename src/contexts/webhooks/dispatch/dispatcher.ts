import { Inject, Injectable } from '@nestjs/common';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { WebhookQueries } from '../../../../projections/webhook-endpoints/webhook-endpoints.queries.js';
import { elapsed, type Instant, type Milliseconds } from '../../../kernel/time.js';
import { Clock } from '../../../ports/clock.port.js';
import { EventStore } from '../../../ports/event-store.port.js';
import type { Birth } from '../../../ports/view-store.port.js';
import { Patience, pauseAfter } from '../../../runtime/patience.js';
import { Attempts, type Attempted } from './attempts.js';
import type { Ending } from './lane.js';
import { Interruptions } from './interruptions.js';
import { Lanes, type Turn } from './lanes.js';
import { ReadyHints } from './ready-hints.js';
import { Sender, type Answered } from './sender.js';
import { SENDING, type Sending } from './sending.js';

type Look = Extract<Turn, { kind: 'look' }>;
type Attempt = Extract<Turn, { kind: 'attempt' }>;
type Work = (answered: Answered) => Promise<Attempted>;

const WEBHOOKS_PAGE = 200;
/** Looks into the view at once: the store serves others, too. */
const LOOKS_AT_ONCE = 4;
/** However a wake-up was missed, a look this often heals it. */
const SWEEP_MS: Milliseconds = 60_000;
/** Views of server stores may be so far behind: who has come to their end looks once more after this. */
const LAG_MS: Milliseconds = 1_500;
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
  private readonly looks: Look[] = [];
  private looking = 0;
  /** How often some webhook was heard to be looked at anew. */
  private changes = 0;
  /** Webhooks that are looked at once more when views have caught up. */
  private readonly unsure = new Set<string>();
  private patience: Patience | undefined;
  /** All lanes that had something at the start are known. */
  private opened = false;
  private unsubscribe: (() => void) | undefined;
  private opening: Promise<void> = Promise.resolve();

  constructor(
    private readonly events: EventStore,
    private readonly webhooks: WebhookQueries,
    private readonly deliveries: DeliveryQueries,
    private readonly attempts: Attempts,
    private readonly interruptions: Interruptions,
    private readonly hints: ReadyHints,
    private readonly sender: Sender,
    private readonly clock: Clock,
    @Inject(SENDING) private readonly sending: Sending,
  ) {}

  start(): void {
    const patience = new Patience(this.clock);
    this.patience = patience;
    this.sender.insist();
    this.unsubscribe = this.events.onAppended((appended) => {
      this.hints.read(appended, (webhookId, deliveryId) => this.ready(webhookId, deliveryId));
    });
    this.opening = this.attend(patience);
  }

  /** Begins nothing more; resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.patience?.end();
    this.patience = undefined;
    this.opened = false;
    this.sender.giveUp();
    this.looks.length = 0;
    this.unsure.clear();
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
    if (!this.patience) return;
    if (deliveryId === undefined) this.changes++;
    // At the start all that was cut off comes first, so that it goes in its order.
    if (!this.opened) return this.lanes.lookAgain(webhookId);
    if (deliveryId === undefined) this.lanes.lookAgain(webhookId);
    else this.lanes.add(webhookId, deliveryId);
    this.pump();
  }

  /** Finds what is there, and now and then looks whether something was overlooked. */
  private async attend(patience: Patience): Promise<void> {
    while (!patience.isOver) {
      const longest = this.opened || this.sending.alone ? SWEEP_MS : LAG_MS;
      const next = await patience.insist(() => this.survey(patience), this.sending.onError);
      const due = next === undefined ? longest : elapsed(this.clock.now(), next);
      await patience.wait(Math.min(longest, Math.max(due, SOONEST_MS)));
    }
  }

  /** Resolves to when to look again, if there is a reason to. */
  private async survey(patience: Patience): Promise<Instant | undefined> {
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
    } while (after !== undefined && !patience.isOver);
    if (patience.isOver) return undefined;
    this.opened = true;
    this.pump();
    return next;
  }

  /** Gives turns while there is room. */
  private pump(): void {
    if (!this.patience) return;
    for (let turn = this.lanes.next(); turn; turn = this.lanes.next()) {
      const { webhookId } = turn;
      if (turn.kind === 'look') this.looks.push(turn);
      else this.occupy(webhookId, turn.deliveryId, (answered) => this.attempt(turn as Attempt, answered));
    }
    while (this.looking < LOOKS_AT_ONCE && this.looks.length > 0) void this.lookThrough();
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

  private async lookThrough(): Promise<void> {
    this.looking++;
    for (let look = this.looks.shift(); look; look = this.looks.shift()) {
      await this.look(look);
      this.pump();
      // A store that answers at once must not keep the process from everything else.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.looking--;
  }

  private async look({ webhookId, page: { limit, after } }: Look): Promise<void> {
    try {
      const page = { limit, ...(after !== undefined && { after }) };
      const { documents, births } = await this.deliveries.readyFor(webhookId, page);
      const ids = documents.map((delivery) => delivery.delivery_id);
      const last = births.length < limit ? undefined : births.at(-1);
      this.lanes.found(webhookId, ids, last);
      if (last === undefined && !this.sending.alone) void this.lookLater(webhookId, ids.length > 0);
    } catch (error) {
      this.sending.onError(error);
      this.lanes.found(webhookId, [], undefined);
      void this.rest(webhookId);
    }
  }

  /** Views that lag may not have shown the newest: looks until one more look has found nothing. */
  private async lookLater(webhookId: string, found: boolean): Promise<void> {
    const wasUnsure = this.unsure.delete(webhookId);
    if (wasUnsure && !found) return;
    this.unsure.add(webhookId);
    await this.patience?.wait(LAG_MS);
    this.ready(webhookId, undefined);
  }

  /** After a failure of ours the webhook is left alone for a while. */
  private async rest(webhookId: string): Promise<void> {
    this.lanes.clear(webhookId);
    await this.patience?.wait(pauseAfter(RESTS));
    this.ready(webhookId, undefined);
  }
}

/** A failure of ours is looked at again after as long as the fifth in a row would be. */
const RESTS = 5;
