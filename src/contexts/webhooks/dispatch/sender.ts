import { Inject, Injectable } from '@nestjs/common';
import { healthKeys } from '../../../../projections/webhook-endpoints/webhook-resource.js';
import {
  WebhookEventQueries,
  type PublicEvent,
} from '../../../../projections/webhook-events/webhook-events.queries.js';
import { streamOf } from '../../../kernel/ids.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { epochMs } from '../../../kernel/time.js';
import { Clock } from '../../../ports/clock.port.js';
import { LivenessStore } from '../../../ports/liveness-store.port.js';
import { WebhookClient, type WebhookAnswer } from '../../../ports/webhook-client.port.js';
import { AggregateStore } from '../../../event-sourcing/write/aggregate-store.js';
import { RetryLoop } from '../../../event-sourcing/retry-loop.js';
import type { AttemptOutcome } from '../delivery-attempts.js';
import { RecordFailure, RecordSuccess } from '../domain/delivery.commands.js';
import type { Delivery } from '../domain/delivery.state.js';
import { PauseWebhook } from '../domain/endpoint.commands.js';
import { signingSecrets, webhookOf, type Webhook } from '../domain/endpoint.state.js';
import { SecretBox } from '../secret-box.js';
import { signedHeaders } from '../signature.js';
import { DELIVERY, endpoints, type DeliveryAggregate } from '../webhook.aggregates.js';
import type { Ending } from './lane.js';
import { SENDING, type Sending } from './sending.js';

/** Everything that a request needs, found before the attempt starts. */
export interface Prepared {
  readonly webhook: Webhook;
  readonly secrets: readonly [string, ...string[]];
  readonly event: PublicEvent;
}

/** An attempt that has been recorded. */
export interface Ended {
  readonly ending: Ending;
  readonly outcome: AttemptOutcome;
}

/** Is called when the request is over and its outcome on its way to the store. */
export type Answered = (ending: Ending) => void;

/** The endpoint is gone for good (RFC 9110 15.5.11). */
const GONE = 410;

/** Makes the requests and records what came of them. */
@Injectable()
export class Sender {
  private readonly underWay = new Set<string>();
  private retries: RetryLoop;

  constructor(
    @Inject(DELIVERY) private readonly deliveries: DeliveryAggregate,
    private readonly aggregates: AggregateStore,
    private readonly events: WebhookEventQueries,
    private readonly box: SecretBox,
    private readonly client: WebhookClient,
    private readonly liveness: LivenessStore,
    private readonly clock: Clock,
    @Inject(SENDING) private readonly sending: Sending,
  ) {
    this.retries = new RetryLoop(clock);
  }

  /** Whether one of our own requests is out for it. */
  isUnderWay(deliveryId: string): boolean {
    return this.underWay.has(deliveryId);
  }

  /** The webhook as it is now; undefined: deleted. */
  async webhookFor({ accountId, webhookId }: Delivery): Promise<Webhook | undefined> {
    const { state } = await this.aggregates.load(endpoints, accountId);
    return webhookOf(state, webhookId);
  }

  /** @throws SecretUnreadableError */
  async prepare({ source }: Pick<Delivery, 'source'>, webhook: Webhook): Promise<Prepared> {
    const event = await this.events.publicEventAt(source);
    if (!event) throw new Error(`nobody is told of ${source.stream}@${source.revision}`);
    return { webhook, secrets: this.secretsOf(webhook), event };
  }

  /** From an attempt that is stored as started to its stored outcome; gives up recording only when stopped. */
  async carryOut(
    deliveryId: string,
    started: Delivery,
    prepared: Prepared,
    answered?: Answered,
  ): Promise<Ended | undefined> {
    this.underWay.add(deliveryId);
    try {
      const answer = await this.send(deliveryId, started, prepared);
      const recorded = this.retries.retryUntilStopped(
        () => this.record(deliveryId, started, answer, prepared.event),
        (error) => this.sending.onError(error, deliveryId),
      );
      answered?.(endingOf(answer));
      const outcome = await recorded;
      if (!outcome) return undefined;
      if (outcome.ok) this.close(deliveryId, outcome.state);
      return { ending: endingOf(answer), outcome };
    } finally {
      this.underWay.delete(deliveryId);
    }
  }

  /** Retries to store outcomes until `stop`, also after an earlier stop. */
  start(): void {
    if (this.retries.isStopped) this.retries = new RetryLoop(this.clock);
  }

  /** Drops outcomes that cannot be stored from here on: their attempts count as interrupted. */
  stop(): void {
    this.retries.stop();
  }

  private send(deliveryId: string, { attempts }: Delivery, prepared: Prepared): Promise<WebhookAnswer> {
    const { webhook, secrets, event } = prepared;
    const now = epochMs(this.clock.now());
    if (attempts === 1) this.sending.metrics.left(Math.max(0, now - epochMs(event.at)) / 1000);
    const headers = signedHeaders({
      eventId: event.eventId,
      eventType: event.eventType,
      deliveryId,
      timestamp: Math.floor(now / 1000),
      productVersion: this.sending.productVersion,
      secretVersion: webhook.secretVersion,
      secrets,
      body: event.body,
    });
    return this.client.send({ target: webhook.target, headers, body: event.body });
  }

  private async record(
    deliveryId: string,
    { attempts: attempt, accountId, webhookId }: Delivery,
    { failureCode, retryAfterMs, ...result }: WebhookAnswer,
    event: PublicEvent,
  ): Promise<AttemptOutcome> {
    const at = this.clock.now();
    const by = originOf(event);
    const [success, failure] = healthKeys(webhookId);
    await this.liveness.recordHeartbeat([failureCode === undefined ? success : failure], at);
    const command =
      failureCode === undefined
        ? new RecordSuccess(deliveryId, attempt, result, at, by)
        : new RecordFailure(deliveryId, attempt, { ...result, failureCode, retryAfterMs }, at, by);
    // First, so that whoever has heard of the outcome finds the webhook paused.
    if (result.responseStatus === GONE) {
      const pause = new PauseWebhook(accountId, webhookId, 'endpoint_gone', at, by);
      await this.aggregates.execute(endpoints, accountId, pause);
    }
    return this.aggregates.execute(this.deliveries, deliveryId, command);
  }

  /** Of the many that are finished nobody asks again soon. */
  private close(deliveryId: string, { status }: Delivery): void {
    this.sending.metrics.ended(status);
    if (status !== 'retry_scheduled')
      this.aggregates.forget(streamOf(this.deliveries.category, deliveryId), Infinity);
  }

  /** The newest must open; one before it that does not (another master key) just does not sign. */
  private secretsOf(webhook: Webhook): [string, ...string[]] {
    const [newest, ...older] = signingSecrets(webhook, this.clock.now());
    const { accountId, webhookId } = webhook;
    const opened = this.box.open(newest!, accountId, webhookId);
    return [opened, ...older.flatMap((sealed) => this.openOlder(sealed, webhook))];
  }

  private openOlder(sealed: Webhook['secret'], { accountId, webhookId }: Webhook): string[] {
    try {
      return [this.box.open(sealed, accountId, webhookId)];
    } catch (error) {
      this.sending.onError(error);
      return [];
    }
  }
}

/** Who makes scheduled attempts, in the course of what the event belongs to. */
export function originOf(event: Pick<PublicEvent, 'eventId' | 'correlationId'>): Origin {
  const { eventId: causationId, correlationId } = event;
  return { actor: { kind: 'process', id: 'webhook-dispatch' }, correlationId, causationId };
}

function endingOf({ failureCode }: WebhookAnswer): Ending {
  if (failureCode === undefined) return 'success';
  return failureCode === 'TIMEOUT' ? 'timeout' : 'failure';
}
