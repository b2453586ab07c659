import { Inject, Injectable } from '@nestjs/common';
import { publicTypeOf, TOLD_EVENTS } from '../../../../projections/webhook-events/stored-to-public.js';
import { WebhookEventQueries } from '../../../../projections/webhook-events/webhook-events.queries.js';
import type { Position, RecordedEvent } from '../../../kernel/recorded-event.js';
import type { Milliseconds } from '../../../kernel/time.js';
import { CheckpointStore } from '../../../ports/checkpoint-store.port.js';
import { Clock } from '../../../ports/clock.port.js';
import { EventStore } from '../../../ports/event-store.port.js';
import { RetryLoop } from '../../../event-sourcing/retry-loop.js';
import { Waiters } from '../../../event-sourcing/waiters.js';
import { SENDING, type Sending } from '../dispatch/sending.js';
import { deliveryIdOf } from '../delivery-id.js';
import { EndpointsAt } from '../endpoints-at.js';
import { recipientsOf } from './recipients.js';
import { Tail } from './tail.js';
import { Tellings, type Telling } from './tellings.js';

export const CHECKPOINT = 'webhook-fan-out';

const PAGE = 500;
/** Other events are skipped together with the next that is told, or when so many have come. */
const UNTOLD = 256;
const LONGEST_SLEEP_MS: Milliseconds = 30_000;
/** How old a stored checkpoint may be: what is read again after a crash writes nothing. */
const CHECKPOINT_EVERY_MS: Milliseconds = 1_000;
const TOLD = new Set(TOLD_EVENTS);
const COMMITS = 'commits';

/** One run from a start to a stop: who reads the log. */
interface Reading {
  readonly retries: RetryLoop;
  readonly endpoints: EndpointsAt;
  readonly tail: Tail;
  /** What was there before may have been told by whoever ran before. */
  readonly knownUntil: Position;
  position: Position | undefined;
}

/** Reads all events in order and makes a delivery for every webhook that is to be told, however late it comes. */
@Injectable()
export class FanOut {
  private retries: RetryLoop | undefined;
  private running: Promise<void> = Promise.resolve();
  private unsubscribe: (() => void) | undefined;
  private cancelCheckpoint: (() => void) | undefined;
  private readonly commits: Waiters;

  constructor(
    private readonly events: EventStore,
    private readonly checkpoints: CheckpointStore,
    private readonly publicEvents: WebhookEventQueries,
    private readonly tellings: Tellings,
    private readonly clock: Clock,
    @Inject(SENDING) private readonly sending: Sending,
  ) {
    this.commits = new Waiters(clock);
  }

  start(): void {
    const retries = new RetryLoop(this.clock);
    const tail = new Tail();
    this.retries = retries;
    this.unsubscribe = this.events.onAppended((appended) => {
      tail.add(appended);
      if (tail.size > UNTOLD || appended.some(({ type }) => TOLD.has(type))) this.commits.wake(COMMITS);
    });
    this.running = this.run(retries, tail);
  }

  /** Resolves when what was begun is stored. */
  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.retries?.stop();
    this.commits.wake(COMMITS);
    await this.running;
  }

  private async run(retries: RetryLoop, tail: Tail): Promise<void> {
    const { onError } = this.sending;
    const reading = await retries.retryUntilStopped(() => this.open(retries, tail), onError);
    if (!reading) return;
    const waiter = this.commits.open(COMMITS);
    while (!retries.isStopped) {
      const more = await retries.retryUntilStopped(() => this.tellNext(reading), onError);
      if (more === false && !retries.isStopped) await waiter.wait(LONGEST_SLEEP_MS);
    }
    waiter.close();
    this.cancelCheckpoint?.();
    this.cancelCheckpoint = undefined;
    await this.checkpoint(reading);
  }

  private async open(retries: RetryLoop, tail: Tail): Promise<Reading> {
    const knownUntil = (await this.events.head()) ?? '';
    const position = await this.checkpoints.get(CHECKPOINT);
    return { retries, endpoints: new EndpointsAt(this.events), tail, knownUntil, position };
  }

  /** Resolves to whether there was anything. */
  private async tellNext(reading: Reading): Promise<boolean> {
    const after = reading.position;
    const batch =
      reading.tail.after(after) ??
      (await this.events.readAll({ max: PAGE, ...(after !== undefined && { after }) }));
    const last = batch.at(-1);
    if (!last) return false;
    const tellings = await this.tellingsOf(batch, reading.endpoints);
    if (tellings.length > 0) await this.tellings.store(tellings, batch[0]!.position <= reading.knownUntil);
    reading.position = last.position;
    this.cancelCheckpoint ??= this.clock.after(CHECKPOINT_EVERY_MS, () => {
      this.cancelCheckpoint = undefined;
      void this.checkpoint(reading);
    });
    return true;
  }

  private async tellingsOf(
    batch: readonly RecordedEvent[],
    endpoints: EndpointsAt,
  ): Promise<readonly Telling[]> {
    const tellings: Telling[] = [];
    for (const event of batch) {
      if (event.stream.startsWith('webhooks-')) endpoints.see(event);
      if (!TOLD.has(event.type)) continue;
      const type = publicTypeOf(event);
      const accountId = type && (await this.publicEvents.accountOf(event));
      if (!type || accountId === undefined) continue;
      const then = await endpoints.at(accountId, event.position);
      for (const { webhookId } of recipientsOf(event, type, then))
        tellings.push({ event, type, accountId, webhookId, deliveryId: deliveryIdOf(webhookId, event.id) });
    }
    return tellings;
  }

  private async checkpoint({ position }: Reading): Promise<void> {
    if (position === undefined) return;
    await this.checkpoints.put(CHECKPOINT, position).catch(this.sending.onError);
  }
}
