import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { growingTo } from '../../kernel/cache-size.js';
import type { Origin } from '../../kernel/recorded-event.js';
import { Clock, type Instant } from '../../kernel/time.js';
import { AggregateStore, LivenessStore } from '../../event-sourcing/index.js';
import type { WebhookAnswer } from './client/webhook-client.port.js';
import { PauseWebhook } from './domain/endpoint.commands.js';
import type { PausedReason } from './domain/endpoint.events.js';
import {
  GIVEN_UP_FAILURES,
  hasFailedForDays,
  isBacklogFull,
  MAX_BACKLOG_FAILING,
} from './domain/health.policy.js';
import { originOf, type PendingDelivery } from './fan-out/endpoints-at.js';
import { PendingDeliveries, SENDING, type Sending, type WebhookRef } from './ports.js';
import { endpoints, healthKeys } from './webhook.aggregates.js';

/** The endpoint is permanently gone (RFC 9110 15.5.11). */
const GONE = 410;
/** Deliveries between two counts; also granted after a resume or a start, as time to answer what waits. */
const MIN_ROOM = 1_000;
const CACHED_WEBHOOKS = 10_000;

/** Remembers how endpoints answer, and pauses those that are gone, fail for days, or have too many deliveries. */
@Injectable()
export class EndpointHealth {
  private readonly rooms = new LRUCache<string, number>(growingTo(CACHED_WEBHOOKS));

  constructor(
    private readonly pending: PendingDeliveries,
    private readonly liveness: LivenessStore,
    private readonly aggregates: AggregateStore,
    private readonly clock: Clock,
    @Inject(SENDING) private readonly sending: Sending,
  ) {}

  /**
   * Call after creating deliveries: without a backlog, counts once in 10,000 of a webhook. Reports a failure and tries
   * again after further deliveries.
   */
  async created(deliveries: readonly PendingDelivery[]): Promise<void> {
    for (const delivery of deliveries) {
      const room = (this.rooms.get(delivery.webhookId) ?? MIN_ROOM) - 1;
      this.rooms.set(delivery.webhookId, room > 0 ? room : await this.count(delivery));
    }
  }

  /** Call before storing the outcome of an attempt, so that readers of the outcome find the webhook paused. */
  async answered(
    webhook: WebhookRef,
    { failureCode, responseStatus }: WebhookAnswer,
    by: Origin,
  ): Promise<void> {
    const at = this.clock.now();
    const [success, failure, failing] = healthKeys(webhook.webhookId);
    if (failureCode === undefined) return this.liveness.recordHeartbeat([success], at);
    const [lastSuccessAt = '', failingSince = ''] = await this.liveness.lastHeartbeats([success, failing]);
    const isFirst = failingSince <= lastSuccessAt;
    await this.liveness.recordHeartbeat(isFirst ? [failure, failing] : [failure], at);
    if (responseStatus === GONE) await this.pause(webhook, 'endpoint_gone', by);
    else if (!isFirst && hasFailedForDays(failingSince, at)) await this.giveUp(webhook, failingSince, by);
  }

  private async giveUp(webhook: WebhookRef, since: Instant, by: Origin): Promise<void> {
    const { accountId, webhookId } = webhook;
    const failures = await this.pending.countFailures(accountId, webhookId, since, GIVEN_UP_FAILURES);
    const actor = { kind: 'process', id: 'webhook-health' } as const;
    if (failures >= GIVEN_UP_FAILURES) await this.pause(webhook, 'failing', { ...by, actor });
  }

  private async count(delivery: PendingDelivery): Promise<number> {
    const { accountId, webhookId, event } = delivery;
    try {
      const unfinished = await this.pending.countUnfinished(accountId, webhookId);
      const [lastSuccessAt, lastFailureAt] = await this.liveness.lastHeartbeats(healthKeys(webhookId));
      if (isBacklogFull({ unfinished, lastSuccessAt, lastFailureAt }, this.clock.now()))
        await this.pause(delivery, 'backlog_full', originOf(event));
      return Math.max(MIN_ROOM, MAX_BACKLOG_FAILING - unfinished);
    } catch (error) {
      this.sending.onError(error, 'counting the unfinished deliveries of a webhook', delivery.deliveryId);
      return MIN_ROOM;
    }
  }

  private async pause({ accountId, webhookId }: WebhookRef, reason: PausedReason, by: Origin): Promise<void> {
    const pause = new PauseWebhook({ accountId, webhookId, reason, at: this.clock.now(), by });
    await this.aggregates.execute(endpoints, accountId, pause);
  }
}
