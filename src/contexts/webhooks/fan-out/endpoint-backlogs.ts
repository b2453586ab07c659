import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../kernel/time.js';
import { isBacklogFull, MAX_BACKLOG_FAILING } from '../domain/backlog.policy.js';
import { PauseWebhook } from '../domain/endpoint.commands.js';
import { PendingDeliveries, SENDING, type Sending } from '../ports.js';
import { endpoints } from '../webhook.aggregates.js';
import { healthKeys } from '../webhook-keys.js';
import { originOf, type PendingDelivery } from './endpoints-at.js';
import { AggregateStore, LivenessStore } from '../../../event-sourcing/index.js';

/** Deliveries between two counts; also granted after a resume or a start, as time to answer what waits. */
const MIN_ROOM = 1_000;
const CACHED_WEBHOOKS = 10_000;

/** Without a backlog, counts once in 10,000 deliveries. */
@Injectable()
export class EndpointBacklogs {
  private readonly rooms = new LRUCache<string, number>({ max: CACHED_WEBHOOKS });

  constructor(
    private readonly pending: PendingDeliveries,
    private readonly liveness: LivenessStore,
    private readonly aggregates: AggregateStore,
    private readonly clock: Clock,
    @Inject(SENDING) private readonly sending: Sending,
  ) {}

  /** Call after creating deliveries. Reports a failure and tries again after further deliveries. */
  async add(created: readonly PendingDelivery[]): Promise<void> {
    for (const delivery of created) {
      const room = (this.rooms.get(delivery.webhookId) ?? MIN_ROOM) - 1;
      this.rooms.set(delivery.webhookId, room > 0 ? room : await this.count(delivery));
    }
  }

  private async count(delivery: PendingDelivery): Promise<number> {
    const { accountId, webhookId, event } = delivery;
    try {
      const unfinished = await this.pending.countUnfinished(accountId, webhookId);
      const [lastSuccessAt, lastFailureAt] = await this.liveness.lastHeartbeats(healthKeys(webhookId));
      const at = this.clock.now();
      if (isBacklogFull({ unfinished, lastSuccessAt, lastFailureAt }, at)) {
        const reason = 'backlog_full';
        const pause = new PauseWebhook({ accountId, webhookId, reason, at, by: originOf(event) });
        await this.aggregates.execute(endpoints, accountId, pause, { consistency: 'durable' });
      }
      return Math.max(MIN_ROOM, MAX_BACKLOG_FAILING - unfinished);
    } catch (error) {
      this.sending.onError(error, 'counting the unfinished deliveries of a webhook', delivery.deliveryId);
      return MIN_ROOM;
    }
  }
}
