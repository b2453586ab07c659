import { type Webhook, webhookOf } from '../domain/endpoint.state.js';
import { type PublicEvent, PendingDeliveries, SENDING, WebhookPayloads, type Sending } from '../ports.js';
import { type AttemptOutcome, DELIVERY, endpoints, type DeliveryAggregate } from '../webhook.aggregates.js';
import { type Ending, endingOf } from './endpoint-queue.js';
import { Inject, Injectable } from '@nestjs/common';
import { streamOf } from '../../../kernel/ids.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Tracing } from '../../../kernel/tracing.js';
import { earlier, epochMs, plus, type Instant, type Milliseconds, Clock } from '../../../kernel/time.js';
import { WebhookClient, type WebhookAnswer, type WebhookRequest } from '../client/webhook-client.port.js';
import { isLostRace, pauseBetweenRaces, retry, RetryLoop } from '../../../async/retry.js';
import {
  CancelDelivery,
  InterruptAttempt,
  RecordFailure,
  RecordSuccess,
  StartAttempt,
} from '../domain/delivery.commands.js';
import type { Delivery } from '../domain/delivery.state.js';
import { EndpointHealth } from '../endpoint-health.js';
import { SecretBox } from '../secret-box.js';
import { signedHeaders } from '../signature.js';
import { unfinishedBefore } from './earlier-deliveries.js';
import { EventStore, AggregateStore, type Planned } from '../../../event-sourcing/index.js';

export interface Attempted {
  readonly ending: Ending;
  /** Absent if nothing was decided, or if a stop came before the outcome was stored. */
  readonly outcome?: AttemptOutcome;
  /** No attempt was made: the webhook is paused or deleted. */
  readonly isPaused?: true;
  /** No attempt was made: the delivery waits for this earlier one. */
  readonly blockedBy?: string;
}

export interface PreparedAttempt {
  readonly webhook: Webhook;
  readonly secrets: readonly [string, ...string[]];
  readonly event: PublicEvent;
}

export type OnAnswered = (ending: Ending) => void;

const STARTS = 5;
/** Above the number in flight on all instances together. */
const MAX_IN_FLIGHT = 1_000;
/** An attempt without an outcome this long after its time limit was interrupted. */
const RECORDED_WITHIN_MS: Milliseconds = 15_000;
/** Time for a lagging view to show all attempts. */
const VIEW_LAG_MS: Milliseconds = 5_000;

/** The decider rejects an attempt that another instance has started. */
@Injectable()
export class AttemptRunner {
  private readonly inProgress = new Set<string>();
  private readonly createdAt: Instant;
  private retries: RetryLoop;

  constructor(
    @Inject(DELIVERY) private readonly deliveries: DeliveryAggregate,
    private readonly aggregates: AggregateStore,
    private readonly events: EventStore,
    private readonly pending: PendingDeliveries,
    private readonly payloads: WebhookPayloads,
    private readonly box: SecretBox,
    private readonly client: WebhookClient,
    private readonly health: EndpointHealth,
    private readonly clock: Clock,
    @Inject(SENDING) private readonly sending: Sending,
  ) {
    this.createdAt = clock.now();
    this.retries = new RetryLoop(clock);
  }

  /** Retries storing outcomes until `stop`, also after an earlier stop. */
  start(): void {
    if (this.retries.isStopped) this.retries = new RetryLoop(this.clock);
  }

  /** Stores each further outcome in one try; an attempt without one counts as interrupted. */
  stop(): void {
    this.retries.stop();
  }

  /** @throws as `AggregateStore.execute`; SecretUnreadableError */
  async run(
    deliveryId: string,
    trigger: StartAttempt['trigger'],
    { by, onAnswered }: { readonly by?: Origin; readonly onAnswered?: OnAnswered } = {},
  ): Promise<Attempted> {
    // Prepare again after a lost race: the webhook may have been paused or moved meanwhile.
    const begun = await retry(() => this.begin(deliveryId, trigger, by), {
      when: isLostRace,
      attempts: STARTS,
      wait: pauseBetweenRaces,
    });
    return 'started' in begun ? this.finish(deliveryId, begun.started, begun.prepared, onAnswered) : begun;
  }

  /** One try. @throws as `run`, and ConcurrencyError for a lost race */
  private async begin(
    deliveryId: string,
    trigger: StartAttempt['trigger'],
    by: Origin | undefined,
  ): Promise<Attempted | { readonly started: Delivery; readonly prepared: PreparedAttempt }> {
    const { state } = await this.aggregates.lastKnown(this.deliveries, deliveryId);
    if (state.status === 'absent' || state.status === 'removed') return { ending: 'unsent' };
    const webhook = await this.webhookOf(state);
    if (!webhook) {
      const issued = { at: this.clock.now(), by: by ?? recoveryOf(deliveryId) };
      const cancel = new CancelDelivery({ deliveryId, ...issued });
      return { ending: 'unsent', outcome: await this.execute(cancel) };
    }
    if (webhook.status === 'paused') return { ending: 'unsent', isPaused: true };
    const { events, aggregates, deliveries } = this;
    const blockedBy =
      webhook.ordered && trigger === 'schedule'
        ? await unfinishedBefore(state, { events, aggregates, deliveries })
        : undefined;
    if (blockedBy !== undefined) return { ending: 'unsent', blockedBy };
    const prepared = await this.prepare(state, webhook);
    const issued = { at: this.clock.now(), by: by ?? originOf(prepared.event) };
    const start = new StartAttempt({ deliveryId, trigger, ...issued });
    const started = await this.aggregates.execute(this.deliveries, deliveryId, start, DURABLE, 1);
    if (!started.ok) return { ending: 'unsent', outcome: started };
    return { started: started.state, prepared };
  }

  /** Adds the first attempt to the plan of a new delivery; undefined if it may not start. @throws as `run` */
  async planFirst(
    deliveryId: string,
    created: Planned<Delivery>,
  ): Promise<{ readonly planned: Planned<Delivery>; readonly prepared: PreparedAttempt } | undefined> {
    const webhook = await this.webhookOf(created.state);
    if (webhook?.status !== 'active') return undefined;
    const prepared = await this.prepare(created.state, webhook);
    const issued = { at: this.clock.now(), by: originOf(prepared.event) };
    const start = new StartAttempt({ deliveryId, trigger: 'schedule', ...issued });
    const plan = await this.aggregates.plan(this.deliveries, deliveryId, start, { after: created });
    if (!plan.ok) return undefined;
    const { append } = plan.planned;
    const events = [...created.append.events, ...append.events];
    return { planned: { ...plan.planned, append: { ...created.append, events } }, prepared };
  }

  async finish(
    deliveryId: string,
    started: Delivery,
    prepared: PreparedAttempt,
    onAnswered?: OnAnswered,
  ): Promise<Attempted> {
    this.inProgress.add(deliveryId);
    try {
      const answer = await this.send(deliveryId, started, prepared);
      const ending = endingOf(answer.failureCode);
      const recorded = this.retries.retryUntilStopped(
        () => this.record(deliveryId, started, answer, originOf(prepared.event)),
        (error) => this.sending.onError(error, 'storing the outcome of a webhook delivery', deliveryId),
      );
      onAnswered?.(ending);
      const outcome = await recorded;
      if (!outcome) return { ending: 'unsent' };
      if (outcome.ok) this.close(deliveryId, outcome.state);
      return { ending, outcome };
    } finally {
      this.inProgress.delete(deliveryId);
    }
  }

  /** Records attempts cut off by a crash. Resolves to the time of the next check. */
  async recover(): Promise<Instant | undefined> {
    const isViewCurrent = await this.events.waitUntilProjected().then(
      () => true,
      () => false,
    );
    const now = this.clock.now();
    let next = isViewCurrent ? undefined : plus(now, VIEW_LAG_MS);
    for (const { deliveryId, startedAt = now } of await this.pending.inFlight(MAX_IN_FLIGHT)) {
      if (this.inProgress.has(deliveryId)) continue;
      const over = plus(startedAt, this.sending.timeoutMs + RECORDED_WITHIN_MS);
      const isCutOff = over <= now || (this.sending.alone && startedAt < this.createdAt);
      const issued = { at: this.clock.now(), by: recoveryOf(deliveryId) };
      if (isCutOff) await this.execute(new InterruptAttempt({ deliveryId, ...issued }));
      else next = earlier(next ?? over, over);
    }
    return next;
  }

  private execute(command: CancelDelivery | InterruptAttempt) {
    return this.aggregates.execute(this.deliveries, command.deliveryId, command);
  }

  private async webhookOf({ accountId, webhookId }: Delivery): Promise<Webhook | undefined> {
    const { state } = await this.aggregates.load(endpoints, accountId);
    return webhookOf(state, webhookId);
  }

  private async prepare({ source }: Delivery, webhook: Webhook): Promise<PreparedAttempt> {
    const event = await this.payloads.publicEventAt(source);
    if (!event) throw new Error(`${source.stream}@${source.revision} stands for no public event`);
    const secrets = this.box.openSigning(webhook, this.clock.now(), (error) =>
      this.sending.onError(error, 'opening an older secret of a webhook'),
    );
    return { webhook, secrets, event };
  }

  private send(
    deliveryId: string,
    { attempts }: Delivery,
    prepared: PreparedAttempt,
  ): Promise<WebhookAnswer> {
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
      signingKey: this.sending.signingKey,
      body: event.body,
    });
    const request = { target: webhook.target, headers, body: event.body };
    const { tracing } = this.sending;
    return tracing ? sendTraced(tracing, this.client, request, event) : this.client.send(request);
  }

  private async record(
    deliveryId: string,
    delivery: Delivery,
    answer: WebhookAnswer,
    by: Origin,
  ): Promise<AttemptOutcome> {
    const { failureCode, retryAfterMs, ...result } = answer;
    // Before the outcome, so that readers of the outcome find the webhook paused.
    await this.health.answered(delivery, answer, by);
    const ended = { deliveryId, attempt: delivery.attempts, at: this.clock.now(), by };
    const command =
      failureCode === undefined
        ? new RecordSuccess({ ...ended, result })
        : new RecordFailure({ ...ended, failure: { ...result, failureCode, retryAfterMs } });
    return this.aggregates.execute(this.deliveries, deliveryId, command);
  }

  /** A finished delivery is rarely loaded again. */
  private close(deliveryId: string, { status }: Delivery): void {
    this.sending.metrics.ended(status);
    if (status !== 'retry_scheduled')
      this.aggregates.invalidate(streamOf(this.deliveries.category, deliveryId), Infinity);
  }
}

/** The request follows at once; no reader waits for the start of an attempt. */
const DURABLE = { consistency: 'durable' } as const;
const actor = { kind: 'process', id: 'webhook-dispatch' } as const;
function originOf({ eventId: causationId, correlationId }: PublicEvent): Origin {
  return { actor, correlationId, causationId };
}

const recoveryOf = (deliveryId: string): Origin => ({ actor, correlationId: deliveryId });

/** Sends the request in a span of the event's trace, which the receiver can continue. */
async function sendTraced(
  tracing: Tracing,
  client: WebhookClient,
  { headers, ...request }: WebhookRequest,
  { eventType, traceparent: parent }: PublicEvent,
): Promise<WebhookAnswer> {
  const span = tracing.start({ name: 'POST webhook', kind: 'client', parent });
  const traceparent = span?.traceparent ?? parent;
  const traced = { ...headers, ...(traceparent !== undefined && { traceparent }) };
  const answer = await client.send({ ...request, headers: traced });
  const { responseStatus, failureCode } = answer;
  const outcome = { 'http.response.status_code': responseStatus, 'rps.failure_code': failureCode };
  const ids = { 'rps.event': eventType, 'rps.delivery_id': headers['x-svc-delivery-id'] };
  span?.end({ ...ids, ...outcome }, failureCode !== undefined);
  return answer;
}
