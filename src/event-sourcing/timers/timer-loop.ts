import type { Origin } from '../../kernel/recorded-event.js';
import type { KeptAlive, Timer } from '../../kernel/process.js';
import {
  earlier,
  epochMs,
  later,
  plus,
  type Instant,
  type Milliseconds,
  type Clock,
} from '../../kernel/time.js';
import type { EventStore } from '../ports/event-store.port.js';
import type { LivenessStore } from '../ports/liveness-store.port.js';
import type { DueSubject, DueTimers } from './due-timers.js';

/** True if the command changed something. */
export type SendDue = (timer: Timer, at: Instant, by: Origin) => Promise<boolean>;

export interface TimerLoopOptions {
  readonly onError: (error: unknown, timer?: Timer) => void;
  readonly parallel?: number;
}

const PAGE = 256;
/** Delay from a commit to timers that are due at once; commits in between share one poll. */
const NOTICE_MS: Milliseconds = 10;
/** Polls also without a signal, in case one was missed. */
const LONGEST_SLEEP_MS: Milliseconds = 30_000;
/** A timer without effect is stale or ahead of its read model: retried after this. */
const STALE_RETRY_MS: Milliseconds = 30_000;
const FAILURE_PAUSE_MS: Milliseconds = 1_000;

interface Due {
  readonly subject: DueSubject;
  readonly ripe: readonly Timer[];
  readonly next: Instant | undefined;
}

/** Late or repeated commands are harmless: deciders compare lease, fence or attempt. */
export class TimerLoop {
  private cancelSleep: (() => void) | undefined;
  private wakesAt: Instant | undefined;
  private running: Promise<void> | undefined;
  /** Signalled during a round, which may have read the timers before. */
  private again = false;
  private stopped = true;
  private unsubscribe: (() => void) | undefined;
  /** Agents could not call while the service was down, so every grace restarts here. */
  private startedAt: Instant;

  constructor(
    private readonly timers: Pick<DueTimers, 'armedBy' | 'next' | 'due' | 'defer'>,
    private readonly liveness: LivenessStore,
    private readonly events: EventStore,
    private readonly clock: Clock,
    private readonly sendDue: SendDue,
    private readonly options: TimerLoopOptions,
  ) {
    this.startedAt = clock.now();
  }

  start(): void {
    this.stopped = false;
    this.unsubscribe = this.events.listen({
      appended: (events) => {
        const due = this.timers.armedBy(events);
        if (due !== undefined) this.sleepUntil(later(due, plus(this.clock.now(), NOTICE_MS)));
      },
    });
    this.sleepUntil(this.clock.now());
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe?.();
    this.cancelSleep?.();
    this.wakesAt = undefined;
    await this.running;
  }

  /** Resolves to the time of the next due timer. */
  async runDue(): Promise<Instant | undefined> {
    while (!this.stopped) {
      const now = this.clock.now();
      const next = await this.timers.next();
      if (next === undefined || next > now) return next;
      await this.runAll(await this.ripeOf(await this.timers.due(PAGE, now), now));
    }
    return undefined;
  }

  private sleepUntil(at: Instant): void {
    if (this.stopped || (this.wakesAt !== undefined && this.wakesAt <= at)) return;
    this.cancelSleep?.();
    this.wakesAt = at;
    const delay = Math.max(0, epochMs(at) - epochMs(this.clock.now()));
    this.cancelSleep = this.clock.after(delay, () => this.wake());
  }

  private wake(): void {
    this.wakesAt = undefined;
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = this.round().then((next) => {
      this.running = undefined;
      this.sleepUntil(this.again ? this.clock.now() : next);
      this.again = false;
    });
  }

  /** Resolves to the time of the next round. */
  private async round(): Promise<Instant> {
    try {
      const next = await this.runDue();
      const longest = plus(this.clock.now(), LONGEST_SLEEP_MS);
      return next === undefined ? longest : earlier(next, longest);
    } catch (error) {
      this.options.onError(error);
      return plus(this.clock.now(), FAILURE_PAUSE_MS);
    }
  }

  private async ripeOf(subjects: readonly DueSubject[], now: Instant): Promise<readonly Due[]> {
    const heartbeats = await this.heartbeatsOf(subjects.flatMap(({ due }) => due));
    // If the clock was set back, a `startedAt` in the future would extend every grace.
    this.startedAt = earlier(this.startedAt, now);
    return subjects.map((subject) => {
      if (subject.failure !== undefined) this.options.onError(subject.failure);
      const timers = subject.due.map((timer) => ({ timer, at: this.endOf(timer, heartbeats) }));
      const ripe = timers.filter(({ at }) => at <= now).map(({ timer }) => timer);
      const waits = [
        ...timers.filter(({ at }) => at > now).map(({ at }) => at),
        ...(subject.later === undefined ? [] : [subject.later]),
        ...(subject.failure === undefined ? [] : [plus(now, FAILURE_PAUSE_MS)]),
      ];
      return {
        subject,
        ripe: ripe.sort((a, b) => (a.due_at < b.due_at ? -1 : 1)),
        next: earliestOf(waits),
      };
    });
  }

  private endOf(timer: Timer, heartbeats: Heartbeats): Instant {
    if (timer.kept_alive === undefined) return timer.due_at;
    return graceOf(timer, timer.kept_alive, heartbeats.get(timer.kept_alive.by), this.startedAt);
  }

  private async heartbeatsOf(due: readonly Timer[]): Promise<Heartbeats> {
    const keys = [...new Set(due.flatMap(({ kept_alive }) => kept_alive?.by ?? []))];
    if (keys.length === 0) return new Map();
    const heartbeats = await this.liveness.lastHeartbeats(keys);
    const lost = heartbeats.includes(undefined) ? await this.liveness.lostAt() : undefined;
    return new Map(keys.map((key, i) => [key, heartbeats[i] ?? lost]));
  }

  private async runAll(subjects: readonly Due[]): Promise<void> {
    const queue = [...subjects];
    const senders = Array.from({ length: this.options.parallel ?? 32 }, async () => {
      for (let due = queue.shift(); due && !this.stopped; due = queue.shift()) await this.run(due);
    });
    await Promise.all(senders);
  }

  private async run({ subject, ripe, next }: Due): Promise<void> {
    const later: Instant[] = [];
    for (const timer of ripe) {
      const again = await this.send(timer);
      if (again !== undefined) later.push(again);
    }
    // A command with effect has rescheduled the subject itself.
    const at = earliestOf(next === undefined ? later : [...later, next]);
    if (at !== undefined && later.length === ripe.length) await this.timers.defer(subject, at);
  }

  /** Resolves to the time of the next try, if the timer stays. */
  private async send(timer: Timer): Promise<Instant | undefined> {
    const at = this.clock.now();
    const by: Origin = {
      actor: { kind: 'process', id: timer.process },
      correlationId: timer.correlation_id,
      causationId: timer.armed_by,
    };
    try {
      return (await this.sendDue(timer, at, by)) ? undefined : plus(at, STALE_RETRY_MS);
    } catch (error) {
      this.options.onError(error, timer);
      return plus(at, FAILURE_PAUSE_MS);
    }
  }
}

type Heartbeats = ReadonlyMap<string | undefined, Instant | undefined>;

function graceOf(
  { due_at }: Timer,
  { forMs, atMost }: KeptAlive,
  heartbeat: Instant | undefined,
  startedAt: Instant,
): Instant {
  const prolonged = heartbeat === undefined ? due_at : later(due_at, plus(heartbeat, forMs));
  const until = atMost === undefined ? prolonged : earlier(prolonged, atMost);
  return later(until, plus(startedAt, forMs));
}

function earliestOf(instants: readonly Instant[]): Instant | undefined {
  return instants.length === 0 ? undefined : instants.reduce(earlier);
}
