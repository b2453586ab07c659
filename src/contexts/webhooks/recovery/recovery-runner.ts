import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { isLostRace, retry, RetryLoop } from '../../../async/retry.js';
import { Waiters, type Waiter } from '../../../async/waiters.js';
import { AggregateStore, EventStore, type Planned } from '../../../event-sourcing/index.js';
import type { Position } from '../../../kernel/recorded-event.js';
import { Clock, type Instant, type Milliseconds } from '../../../kernel/time.js';
import { RecoverDelivery } from '../domain/delivery.commands.js';
import type { Delivery } from '../domain/delivery.state.js';
import { NoteWebhookRecovery } from '../domain/endpoint.commands.js';
import { webhookOf, type Recovery, type Webhook } from '../domain/endpoint.state.js';
import { MAX_BACKLOG_FAILING } from '../domain/health.policy.js';
import { deliveryOf } from '../fan-out/endpoints-at.js';
import {
  ActiveWebhooks,
  PendingDeliveries,
  SENDING,
  type Cursor,
  type Sending,
  type WebhookRef,
} from '../ports.js';
import { DELIVERY, endpoints, type DeliveryAggregate } from '../webhook.aggregates.js';
import { MissedEvents, type MissedEvent } from './missed-events.js';

/** A recovery waits while its webhook has more, so that it never fills the backlog (docs/decisions/085-bounded-backlogs.md). */
const MAX_UNFINISHED = MAX_BACKLOG_FAILING / 2;
const APPENDED_TOGETHER = 256;
/** Progress is stored after so many deliveries or pages of the log. A crash repeats these without writing anything. */
const DELIVERIES_NOTED = 500;
const PAGES_NOTED = 200;
const ATTEMPTS = 5;
const WEBHOOKS_PAGE = 100;
/** Until webhooks that are full or paused are looked at again. */
const POLL_MS: Milliseconds = 1_000;
const IDLE_MS: Milliseconds = 60_000;
const BEGINNING: ReadonlySet<string> = new Set(['WebhookRecoveryStarted', 'WebhookResumed']);

type Recovering = Webhook & { readonly recovery: Recovery };

interface Progress extends WebhookRef {
  readonly recoveryId: string;
  position: Position | undefined;
  upTo: Instant;
  recovered: number;
  /** Since progress was stored. */
  pages: number;
}

/** Takes a page of the log for each recovery in turn, so that none delays another. Runs where webhooks are sent. */
@Injectable()
export class RecoveryRunner {
  private readonly progress = new Map<string, Progress>();
  private loop: RetryLoop | undefined;
  private signals: Waiters | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    events: EventStore,
    private readonly webhooks: ActiveWebhooks,
    private readonly missed: MissedEvents,
    private readonly pending: PendingDeliveries,
    @Inject(DELIVERY) private readonly deliveries: DeliveryAggregate,
    private readonly aggregates: AggregateStore,
    private readonly clock: Clock,
    @Inject(SENDING) private readonly sending: Sending,
  ) {
    events.listen({
      types: BEGINNING,
      appended: (appended) => {
        // The cached state may be older than this commit.
        for (const { stream, revision } of appended) this.aggregates.invalidate(stream, revision);
        this.signals?.wakeAll();
      },
      rolledBack: () => this.progress.clear(),
    });
  }

  start(): void {
    this.loop = new RetryLoop(this.clock);
    this.signals = new Waiters(this.clock);
    this.running = this.run(this.loop, this.signals.open('recoveries'));
  }

  /** Stores the progress. */
  async stop(): Promise<void> {
    this.loop?.stop();
    this.signals?.closeAll();
    await this.running;
  }

  private async run(loop: RetryLoop, waiter: Waiter): Promise<void> {
    while (!loop.isStopped) {
      const found = (await this.orReport(this.round(loop))) ?? 'waiting';
      if (found === 'working') await setImmediate();
      else await waiter.wait(found === 'waiting' ? POLL_MS : IDLE_MS);
    }
    for (const progress of this.progress.values()) await this.orReport(this.note(progress, progress.upTo));
    this.progress.clear();
  }

  private async round(loop: RetryLoop): Promise<'working' | 'waiting' | 'none'> {
    const listed = new Set<string>();
    let isWorking = false;
    let after: Cursor | undefined;
    do {
      const page = { limit: WEBHOOKS_PAGE, ...(after !== undefined && { after }) };
      const { items, next } = await this.webhooks.recovering(page);
      for (const [n, one] of items.entries()) {
        // The embedded store answers at once, and other requests wait.
        if (n > 0) await setImmediate();
        if (loop.isStopped) return 'none';
        listed.add(one.webhookId);
        if (await this.orReport(this.step(one))) isWorking = true;
      }
      after = next;
    } while (after !== undefined);
    for (const webhookId of this.progress.keys()) if (!listed.has(webhookId)) this.progress.delete(webhookId);
    if (isWorking) return 'working';
    return listed.size > 0 ? 'waiting' : 'none';
  }

  /** One page of the log; resolves to false if the recovery has to wait. */
  private async step({ accountId, webhookId }: WebhookRef): Promise<boolean> {
    const { state } = await this.aggregates.load(endpoints, accountId);
    const webhook = webhookOf(state, webhookId);
    if (!isRecovering(webhook) || webhook.status === 'paused') return false;
    if ((await this.pending.countUnfinished(accountId, webhookId)) >= MAX_UNFINISHED) return false;
    const progress = await this.progressOf(webhook);
    const { missed, last } = await this.missed.page(
      { ...webhook.recovery, accountId, webhookId },
      progress.position,
    );
    for (let from = 0; from < missed.length; from += APPENDED_TOGETHER)
      progress.recovered += await this.create(webhook, missed.slice(from, from + APPENDED_TOGETHER));
    if (last) {
      progress.position = last.position;
      progress.upTo = last.at;
      const isDue = progress.recovered - webhook.recovery.recovered >= DELIVERIES_NOTED;
      if (++progress.pages >= PAGES_NOTED || isDue) await this.note(progress, progress.upTo);
    } else await this.note(progress);
    return true;
  }

  private async progressOf({ accountId, webhookId, recovery }: Recovering): Promise<Progress> {
    const known = this.progress.get(webhookId);
    if (known?.recoveryId === recovery.recoveryId) return known;
    const { recoveryId, recovered, upTo = recovery.since } = recovery;
    const position = await this.missed.startOf(upTo);
    const progress = { accountId, webhookId, recoveryId, position, upTo, recovered, pages: 0 };
    this.progress.set(webhookId, progress);
    return progress;
  }

  /** Resolves to the number of deliveries that are sent, or sent again. */
  private create({ recovery, ordered }: Recovering, missed: readonly MissedEvent[]): Promise<number> {
    const { recoveryId, includeDelivered } = recovery;
    const issued = { recoveryId, includeDelivered, at: this.clock.now(), by: originOf(recoveryId) };
    const append = async (attempt: number) => {
      const plans: Planned<Delivery>[] = [];
      for (const { isNew, ...one } of missed) {
        const { deliveryId } = one;
        const command = new RecoverDelivery({ deliveryId, delivery: deliveryOf(one), ...issued });
        const assumeNew = isNew && attempt === 1;
        const planned = await this.aggregates.plan(this.deliveries, deliveryId, command, { assumeNew });
        if (planned.ok && planned.planned.append.events.length > 0) plans.push(planned.planned);
      }
      await this.aggregates.appendInOrder(plans, { anyOrder: !ordered });
      return plans.length;
    };
    return retry(append, { when: isLostRace, attempts: ATTEMPTS });
  }

  /** @param upTo absent: the recovery is finished */
  private async note(progress: Progress, upTo?: Instant): Promise<void> {
    const { accountId, webhookId, recoveryId, recovered } = progress;
    const note = { accountId, webhookId, recoveryId, recovered, ...(upTo !== undefined && { upTo }) };
    const command = new NoteWebhookRecovery({ ...note, at: this.clock.now(), by: originOf(recoveryId) });
    await this.aggregates.execute(endpoints, accountId, command);
    progress.pages = 0;
  }

  private async orReport<T>(done: Promise<T>): Promise<T | undefined> {
    try {
      return await done;
    } catch (error) {
      this.sending.onError(error, 'recovering webhook deliveries');
      return undefined;
    }
  }
}

const isRecovering = (webhook: Webhook | undefined): webhook is Recovering => webhook?.recovery !== undefined;

const originOf = (correlationId: string) =>
  ({ actor: { kind: 'process', id: 'webhook-recovery' }, correlationId }) as const;
