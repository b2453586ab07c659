import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { UnavailableError } from '../../../kernel/errors.js';
import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';
import { Clock, plus, type Instant, type Milliseconds } from '../../../kernel/time.js';
import { EventStore } from '../../../event-sourcing/index.js';
import type { DeliveryStatus } from '../domain/delivery.events.js';
import type { RecoveryInterval } from '../domain/endpoint.events.js';
import type { PendingDelivery } from '../fan-out/endpoints-at.js';
import { LogTimes, PendingDeliveries, WebhookPayloads } from '../ports.js';
import { publicTypeOf } from '../public-events.js';
import { deliveryIdOf } from '../webhook.aggregates.js';

const PAGE = 500;
/** The log is in the order of time up to the difference between the clocks of instances. */
export const CLOCKS_MS: Milliseconds = 10_000;
const COUNT_MS: Milliseconds = 10_000;
/** Counts of all accounts at once in this process. */
const MAX_COUNTS = 4;
/** Deliveries in other statuses are under way, or have arrived. */
const TRIED_AGAIN: ReadonlySet<DeliveryStatus> = new Set(['retry_scheduled', 'dead_letter', 'cancelled']);

/** The events that a recovery covers, and for which webhook. */
export interface Covered extends RecoveryInterval {
  readonly accountId: string;
  readonly webhookId: string;
}

export interface MissedEvent extends PendingDelivery {
  /** The read models list no delivery: none was created, or it was removed. */
  readonly isNew: boolean;
}

export interface MissedPage {
  readonly missed: readonly MissedEvent[];
  /** Last event of the page, and the earliest time on it; absent if no event of the interval follows. */
  readonly last?: { readonly position: Position; readonly at: Instant };
}

type Counted =
  | { readonly ok: true; readonly events: number }
  | { readonly ok: false; readonly rejection: { readonly code: 'RecoveryRunning' | 'RecoveryTooLarge' } };

const refused = (code: 'RecoveryRunning' | 'RecoveryTooLarge'): Counted => ({
  ok: false,
  rejection: { code },
});

/** Finds the events of an interval that a webhook did not get, page by page in the log of all accounts. */
@Injectable()
export class MissedEvents {
  private readonly counting = new Set<string>();

  constructor(
    private readonly events: EventStore,
    private readonly payloads: WebhookPayloads,
    private readonly deliveries: PendingDeliveries,
    private readonly times: LogTimes,
    private readonly clock: Clock,
  ) {}

  /** Every event of this time or later has a greater position; undefined: read from the first event. */
  startOf(since: Instant): Promise<Position | undefined> {
    return this.times.positionBefore(plus(since, -CLOCKS_MS));
  }

  /**
   * The exact number at this moment, counted within ten seconds, once at a time for each account.
   * @throws UnavailableError if the read models lag, or too many accounts count
   */
  async count(covered: Covered): Promise<Counted> {
    const { accountId } = covered;
    if (this.counting.has(accountId)) return refused('RecoveryRunning');
    if (this.counting.size >= MAX_COUNTS)
      throw new UnavailableError('other accounts are counting their missed events', 'not_written');
    this.counting.add(accountId);
    try {
      return await this.countUntil(this.clock.monotonic() + COUNT_MS, covered);
    } finally {
      this.counting.delete(accountId);
    }
  }

  /** The missed events on the next page of the log after `position`. */
  async page(covered: Covered, position: Position | undefined): Promise<MissedPage> {
    const log = await this.events.readAll({ max: PAGE, ...(position !== undefined && { after: position }) });
    const found: PendingDelivery[] = [];
    for (const event of log) found.push(...(await this.coveredDelivery(event, covered)));
    const known = await this.deliveries.known(found.map(({ deliveryId }) => deliveryId));
    const missed = found.flatMap((one) => {
      const status = known.get(one.deliveryId);
      const isTried = status === undefined || TRIED_AGAIN.has(status);
      const isMissed = isTried || (covered.includeDelivered && status === 'delivered');
      return isMissed ? [{ ...one, isNew: status === undefined }] : [];
    });
    // A single event of a clock that was wrong does not end the interval.
    const end = plus(covered.until, CLOCKS_MS);
    const at = log.map(({ metadata }) => metadata.at).sort()[0];
    const last = at !== undefined && at <= end ? log.at(-1) : undefined;
    return { missed, ...(last && at && { last: { position: last.position, at } }) };
  }

  private async countUntil(deadline: Milliseconds, covered: Covered): Promise<Counted> {
    await this.events.waitUntilProjected();
    let position = await this.startOf(covered.since);
    for (let events = 0; ;) {
      const { missed, last } = await this.page(covered, position);
      events += missed.length;
      if (!last) return { ok: true, events };
      if (this.clock.monotonic() >= deadline) return refused('RecoveryTooLarge');
      position = last.position;
      // The embedded store reads at once, and other requests wait.
      await setImmediate();
    }
  }

  private async coveredDelivery(event: RecordedEvent, covered: Covered): Promise<readonly PendingDelivery[]> {
    const { accountId, webhookId, eventTypes, since, until } = covered;
    const { at } = event.metadata;
    const type = publicTypeOf(event);
    if (!type || !eventTypes.includes(type) || at < since || at > until) return [];
    if ((await this.payloads.accountOf(event)) !== accountId) return [];
    this.payloads.keep(event);
    return [{ event, type, accountId, webhookId, deliveryId: deliveryIdOf(webhookId, event.id) }];
  }
}
