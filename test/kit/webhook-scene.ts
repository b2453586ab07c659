import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { MasterKey } from '../../src/kernel/sealing.js';
import { SystemRandomness } from '../../src/app/system/system-randomness.js';
import { projectionsFor } from '../../src/app/projections.js';
import { DeliveryRetention, CancelDeliveriesHandler } from '../../src/contexts/webhooks/ended-deliveries.js';
import { AttemptRunner } from '../../src/contexts/webhooks/dispatch/attempt-runner.js';
import { Dispatcher } from '../../src/contexts/webhooks/dispatch/dispatcher.js';
import { EndpointHealth } from '../../src/contexts/webhooks/endpoint-health.js';
import { FanOut } from '../../src/contexts/webhooks/fan-out/fan-out.js';
import {
  CancelDeliveries,
  CreateWebhook,
  DeleteWebhook,
  MakeDeliveryDue,
  ManualAttempts,
  PUBLIC_EVENT_TYPES,
  SecretBox,
  UpdateWebhook,
  defaultDeliveryPolicy,
  endpoints,
  makeDeliveries,
  mintWebhookSecret,
  noDeliveryMetrics,
  type EndpointCommand,
  type PublicEventType,
  type Sending,
  type WebhookChanges,
} from '../../src/contexts/webhooks/index.js';
import { MissedEvents } from '../../src/contexts/webhooks/recovery/missed-events.js';
import { RecoveryRunner } from '../../src/contexts/webhooks/recovery/recovery-runner.js';
import { WebhookLoops } from '../../src/contexts/webhooks/webhook-loops.js';
import type { DomainEvent, Origin, RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { Timer } from '../../src/kernel/process.js';
import { SigningKey } from '../../src/kernel/signing-key.js';
import type { Milliseconds } from '../../src/kernel/time.js';
import type { Stores } from '../../src/event-sourcing/ports/stores.js';
import { AggregateStore } from '../../src/event-sourcing/write/aggregate-store.js';
import { DueTimers } from '../../src/event-sourcing/timers/due-timers.js';
import { TimerLoop } from '../../src/event-sourcing/timers/timer-loop.js';
import { TIMERS_APART } from '../../src/event-sourcing/timers/timers.projection.js';
import { JobTimes } from '../../projections/job-view/view-job-lists.js';
import { DeliveryQueries } from '../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import type { DeliveryDocument } from '../../projections/webhook-deliveries/webhook-deliveries.js';
import { WebhookQueries } from '../../projections/webhook-endpoints/webhook-endpoints.queries.js';
import { webhookDeletion, webhookRetry } from '../../src/processes/webhook-deliveries.process.js';
import { ProjectedPayloads } from '../../src/api/resources/projected-payloads.js';
import * as the from './examples/jobs.js';
import { ManualClock } from './manual-clock.js';
import { ManualReceiver } from './manual-receiver.js';
import { openTestStores } from './stores.js';

export const ACCOUNT = the.ACCOUNT_ID;
export const by: Origin = { actor: { kind: 'api_key', id: 'key' }, correlationId: 'correlation-1' };
/** Address of the webhook `name`. */
export const at = (name: string) => `https://${name}.example.com/`;

export interface SceneOptions {
  readonly stores?: Stores;
  readonly clock?: ManualClock;
  readonly receiver?: ManualReceiver;
  /** Wraps stores, to make them fail or lag, or to observe calls. */
  readonly around?: (stores: Stores) => Stores;
  readonly sending?: Partial<Sending>;
}

export const testStores = () =>
  openTestStores({ projections: projectionsFor({ presenceTimeoutMs: 90_000 }) });

/** One instance of fan-out, dispatcher and timers, on SQLite in memory, a manual clock and a manual receiver. */
export class WebhookScene {
  readonly clock: ManualClock;
  readonly receiver: ManualReceiver;
  readonly stores: Stores;
  readonly errors: unknown[] = [];
  readonly deliveries: DeliveryQueries;
  readonly webhooks: WebhookQueries;
  readonly aggregates: AggregateStore;
  readonly aggregate = makeDeliveries(defaultDeliveryPolicy);
  readonly attempts: ManualAttempts;
  readonly loops: WebhookLoops;
  readonly dispatcher: Dispatcher;
  readonly fanOut: FanOut;
  readonly missed: MissedEvents;
  readonly timers: TimerLoop;
  private readonly randomness = new SystemRandomness();
  private readonly box = new SecretBox(new MasterKey(Buffer.alloc(32, 7)), this.randomness);

  constructor(options: SceneOptions = {}) {
    this.clock = options.clock ?? new ManualClock();
    this.receiver = options.receiver ?? new ManualReceiver();
    const stores = options.stores ?? testStores();
    this.stores = options.around?.(stores) ?? stores;
    const { events, views, liveness, checkpoints } = this.stores;
    const sending: Sending = {
      productVersion: '2.0.59',
      signingKey: new SigningKey(Buffer.alloc(32, 7)),
      timeoutMs: 10_000,
      alone: true,
      metrics: noDeliveryMetrics,
      onError: (error) => this.errors.push(error),
      ...options.sending,
    };
    this.deliveries = new DeliveryQueries(views);
    this.webhooks = new WebhookQueries(views);
    this.aggregates = new AggregateStore(events, this.randomness, { pause: () => Promise.resolve() });
    const { aggregates, aggregate, deliveries, webhooks, clock, receiver, box } = this;
    const payloads = new ProjectedPayloads(events);
    const both = [clock, sending] as const;
    const health = new EndpointHealth(deliveries, liveness, aggregates, ...both);
    const sent = [payloads, box, receiver, health] as const;
    const runner = new AttemptRunner(aggregate, aggregates, events, deliveries, ...sent, ...both);
    const dispatcher = new Dispatcher(events, webhooks, deliveries, aggregate, aggregates, runner, ...both);
    this.dispatcher = dispatcher;
    const work = [deliveries, aggregate, aggregates] as const;
    this.fanOut = new FanOut(events, checkpoints, payloads, ...work, runner, dispatcher, health, ...both);
    const retention = new DeliveryRetention(events, ...work, ...both);
    this.missed = new MissedEvents(events, payloads, deliveries, new JobTimes(views), clock);
    const recoveries = new RecoveryRunner(events, webhooks, this.missed, ...work, ...both);
    this.loops = new WebhookLoops(this.fanOut, dispatcher, retention, recoveries);
    this.attempts = new ManualAttempts(aggregate, aggregates, runner, dispatcher, ...both, events);
    this.timers = this.timerLoop();
  }

  async start(): Promise<this> {
    this.loops.start();
    this.timers.start();
    await this.quiet();
    return this;
  }

  async stop(): Promise<void> {
    await Promise.all([this.loops.stop(), this.timers.stop()]);
  }

  /** Creates a webhook of the account at `https://<name>.example.com/`. */
  async webhook(
    name: string,
    eventTypes: readonly PublicEventType[] = PUBLIC_EVENT_TYPES,
    accountId = ACCOUNT,
  ) {
    const webhookId = this.randomness.uuid();
    const settings = { url: at(name), target: at(name), eventTypes };
    const secret = this.secret(webhookId, accountId);
    await this.send(
      accountId,
      new CreateWebhook({ accountId, webhookId, settings, secret, at: this.clock.now(), by }),
    );
    return webhookId;
  }

  secret(webhookId: string, accountId = ACCOUNT) {
    const secret = mintWebhookSecret(webhookId, this.randomness.bytes(32));
    return this.box.seal(secret, accountId, webhookId);
  }

  update(webhookId: string, changes: WebhookChanges) {
    return this.send(
      ACCOUNT,
      new UpdateWebhook({ accountId: ACCOUNT, webhookId, changes, at: this.clock.now(), by }),
    );
  }

  remove(webhookId: string) {
    return this.send(ACCOUNT, new DeleteWebhook({ accountId: ACCOUNT, webhookId, at: this.clock.now(), by }));
  }

  async send(accountId: string, command: EndpointCommand) {
    const outcome = await this.aggregates.execute(endpoints, accountId, command);
    if (!outcome.ok) throw new Error(outcome.rejection.code);
    await this.quiet();
    return outcome;
  }

  /** Stores events of a new job; resolves to the stored events. */
  async job(...story: DomainEvent[]): Promise<readonly RecordedEvent[]> {
    const events = await this.append(`job-${randomUUID()}`, ...(story.length > 0 ? story : [the.created]));
    await this.quiet();
    return events;
  }

  async append(stream: string, ...story: DomainEvent[]): Promise<readonly RecordedEvent[]> {
    const metadata = { ...by, at: this.clock.now(), schemaVersion: 1 };
    const events = story.map(({ type, data }) => ({ id: this.randomness.uuid(), type, data, metadata }));
    return (await this.stores.events.append({ stream, expected: 'no_stream', events })).events;
  }

  /** The newest delivery of a webhook. */
  async delivery(webhookId: string): Promise<DeliveryDocument> {
    const [newest] = await this.deliveries.listDeliveries(ACCOUNT, { webhookId }, 1);
    return newest!;
  }

  /** Advances the clock, runs the timers that are due, and waits until all is quiet. */
  async advance(ms: Milliseconds): Promise<void> {
    this.clock.advance(ms);
    await this.quiet();
    await this.timers.runDue();
    await this.quiet();
  }

  /** Waits until all activity has ended. */
  async quiet(): Promise<void> {
    for (let still = 0, before = ''; still < 5;) {
      await setImmediate();
      const now = `${await this.stores.events.head()} ${this.receiver.requests.length} ${this.receiver.held.size}`;
      still = now === before ? still + 1 : 0;
      before = now;
    }
  }

  private timerLoop(): TimerLoop {
    const { views, liveness, events, checkpoints } = this.stores;
    const work = [this.aggregate, this.aggregates, this.deliveries] as const;
    const cancel = new CancelDeliveriesHandler(...work, events, checkpoints);
    const send = async ({ process, subject, payload }: Timer, now: string, from: Origin) => {
      const outcome =
        process === 'webhook-retry'
          ? await this.aggregates.execute(
              this.aggregate,
              subject,
              new MakeDeliveryDue({
                deliveryId: subject,
                attempt: Number(payload.attempt),
                at: now,
                by: from,
              }),
            )
          : await cancel.execute(
              new CancelDeliveries({
                accountId: String(payload.accountId),
                webhookId: subject,
                at: now,
                by: from,
              }),
            );
      return outcome.ok && outcome.events.length > 0;
    };
    const onError = (error: unknown) => this.errors.push(error);
    const timers = new DueTimers(views, events, [TIMERS_APART], [webhookRetry, webhookDeletion]);
    return new TimerLoop(timers, liveness, events, this.clock, send, { onError });
  }
}
