import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { Clock, type Milliseconds } from '../../kernel/time.js';
import { EventStore } from '../../event-sourcing/index.js';
import { WebhookPayloads } from '../webhooks/index.js';
import { AlertWatch } from './alert-watch.js';
import { ALERT_SENDING, AlertFacts, type AlertSending } from './ports.js';

/** These begin or end conditions; the timers find all others, and those whose signal is lost. */
const TELLING: ReadonlySet<string> = new Set([
  'ManualReviewOpened',
  'JobFailed',
  'ComputerCameOnline',
  'ComputerWentOffline',
  'PrinterCameOnline',
  'PrinterWentOffline',
  'WebhookPaused',
  'WebhookResumed',
  'ApiKeyCreated',
  'ApiKeyRevoked',
]);

/** Events of so long a time are one look. */
const GATHER_MS: Milliseconds = 500;
/** From the start of a round to the next: no account is looked at more often. */
const PAUSE_MS: Milliseconds = 5_000;
/** Above this the timers are enough. */
const MAX_ACCOUNTS = 1_000;

/** Looks at once when something happens. Runs where the timers run. */
@Injectable()
export class AlertSignals {
  private unsubscribe: (() => void) | undefined;
  private cancel: (() => void) | undefined;
  private lookedAt = -PAUSE_MS;
  private looking: Promise<void> = Promise.resolve();
  /** An event of each account; by stream until its account is known. */
  private readonly heard = new Map<string, RecordedEvent>();

  constructor(
    private readonly events: EventStore,
    private readonly payloads: WebhookPayloads,
    private readonly facts: AlertFacts,
    private readonly watch: AlertWatch,
    private readonly clock: Clock,
    @Inject(ALERT_SENDING) private readonly sending: AlertSending,
  ) {}

  start(): void {
    this.unsubscribe = this.events.listen({ appended: (events) => this.hear(events) });
  }

  /** Resolves when the messages on their way have arrived or failed. */
  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.cancel?.();
    this.cancel = undefined;
    this.heard.clear();
    await this.looking;
    await this.watch.idle();
  }

  private hear(events: readonly RecordedEvent[]): void {
    for (const event of events)
      if (TELLING.has(event.type) && this.heard.size < MAX_ACCOUNTS) this.heard.set(event.stream, event);
    if (this.heard.size === 0) return;
    const paused = this.lookedAt + PAUSE_MS - this.clock.monotonic();
    this.cancel ??= this.clock.after(Math.max(GATHER_MS, paused), () => {
      this.cancel = undefined;
      this.lookedAt = this.clock.monotonic();
      this.looking = this.looking.then(() => this.lookAll());
    });
  }

  private async lookAll(): Promise<void> {
    const heard = [...this.heard.values()];
    this.heard.clear();
    const found = await Promise.all(heard.map((event) => this.orReport(this.accountOf(event))));
    for (const accountId of new Set(found))
      if (accountId !== undefined) await this.orReport(this.lookAt(accountId));
  }

  private async lookAt(accountId: string): Promise<void> {
    for (const memberId of await this.facts.watchers(accountId)) {
      await this.watch.look(accountId, memberId);
      await setImmediate(); // The embedded store reads at once, and requests wait.
    }
  }

  /** A failure must not end the round for other accounts. */
  private orReport<T>(done: Promise<T>): Promise<T | undefined> {
    return done.catch((error: unknown) => {
      this.sending.onError(error, 'looking for alerts');
      return undefined;
    });
  }

  private async accountOf(event: RecordedEvent): Promise<string | undefined> {
    return event.metadata.accountId ?? this.payloads.accountOf(event);
  }
}
