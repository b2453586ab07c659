import type { Origin } from '../../kernel/recorded-event.js';
import type { Timer } from '../../kernel/process.js';
import { earlier, epochMs, later, plus, type Instant, type Milliseconds } from '../../kernel/time.js';
import type { Clock } from '../../ports/clock.port.js';
import type { EventStore } from '../../ports/event-store.port.js';
import type { LivenessStore } from '../../ports/liveness-store.port.js';
import type { ViewStore } from '../../ports/view-store.port.js';
import { timersView } from './timers.projection.js';

/** Sends what a due timer stands for. Resolves to whether anything followed from it. */
export type SendDue = (timer: Timer, at: Instant, by: Origin) => Promise<boolean>;

export interface TimerLoopOptions {
  readonly onError: (error: unknown, timer?: Timer) => void;
  /** How many due commands are under way at once. */
  readonly parallel?: number;
}

const PAGE = 256;
/** Armed timers are noticed this long after the commit at the latest; commits in between are one look. */
const NOTICE_MS: Milliseconds = 10;
/** The longest sleep: a look now and then heals whatever a missed wake-up left. */
const LONGEST_SLEEP_MS: Milliseconds = 30_000;
/** A timer that changed nothing is stale or ahead of its read model: asked again after this. */
const STALE_RETRY_MS: Milliseconds = 30_000;
const FAILURE_PAUSE_MS: Milliseconds = 1_000;

/**
 * Sends the commands of due timers. Late or twice is harmless: the decider compares lease, fence or attempt.
 * Only due timers cost anything, however many are armed.
 */
export class TimerLoop {
  private cancelSleep: (() => void) | undefined;
  private wakesAt: Instant | undefined;
  private running: Promise<void> | undefined;
  /** Woken while a round was under way: it may have looked before what woke us was there. */
  private again = false;
  private stopped = true;
  private unsubscribe: (() => void) | undefined;
  /** While the service was down no agent could call, so every grace begins anew here. */
  private startedAt: Instant;

  constructor(
    private readonly views: Pick<ViewStore, 'range' | 'setVolatile'>,
    private readonly liveness: LivenessStore,
    private readonly events: EventStore,
    private readonly clock: Clock,
    private readonly send: SendDue,
    private readonly options: TimerLoopOptions,
  ) {
    this.startedAt = clock.now();
  }

  start(): void {
    this.stopped = false;
    this.unsubscribe = this.events.onAppended(() => this.sleepUntil(plus(this.clock.now(), NOTICE_MS)));
    this.sleepUntil(this.clock.now());
  }

  /** Resolves when the round under way has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe?.();
    this.cancelSleep?.();
    this.wakesAt = undefined;
    await this.running;
  }

  /** Sends everything that is due now; resolves when it is done. */
  async runDue(): Promise<void> {
    while (!this.stopped) {
      const now = this.clock.now();
      const due = await this.earliest(PAGE, now);
      if (due.length === 0) return;
      const ripe = await this.withoutKeptAlive(due, now);
      await this.sendAll(ripe);
    }
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

  /** One look at what is due; resolves to when to look next. */
  private async round(): Promise<Instant> {
    try {
      await this.runDue();
      const [next] = await this.earliest(1);
      const longest = plus(this.clock.now(), LONGEST_SLEEP_MS);
      return next === undefined ? longest : earlier(next.due_at, longest);
    } catch (error) {
      this.options.onError(error);
      return plus(this.clock.now(), FAILURE_PAUSE_MS);
    }
  }

  /** Moves the timers whose grace goes on, and returns the others. */
  private async withoutKeptAlive(due: readonly Timer[], now: Instant): Promise<readonly Timer[]> {
    const kept = due.filter((timer) => timer.kept_alive !== undefined);
    if (kept.length === 0) return due;
    const beats = await this.beatsOf(kept);
    // If the clock was set back, a `startedAt` in the future would extend every grace.
    this.startedAt = earlier(this.startedAt, now);
    const moved = new Set<Timer>();
    const deferred = kept.map(async (timer) => {
      const until = graceOf(timer, beats.get(timer), this.startedAt);
      if (until <= now) return;
      moved.add(timer);
      await this.defer(timer, until);
    });
    await Promise.all(deferred);
    return due.filter((timer) => !moved.has(timer));
  }

  private async beatsOf(kept: readonly Timer[]): Promise<ReadonlyMap<Timer, Instant | undefined>> {
    const beating = kept.filter((timer) => timer.kept_alive!.by !== undefined);
    if (beating.length === 0) return new Map();
    const beats = await this.liveness.lastHeartbeats(beating.map((timer) => timer.kept_alive!.by!));
    const lost = beats.includes(undefined) ? await this.liveness.lostAt() : undefined;
    return new Map(beating.map((timer, i) => [timer, beats[i] ?? lost]));
  }

  private async sendAll(timers: readonly Timer[]): Promise<void> {
    const queue = [...timers];
    const lanes = Array.from({ length: this.options.parallel ?? 32 }, async () => {
      for (let timer = queue.shift(); timer && !this.stopped; timer = queue.shift())
        await this.sendOne(timer);
    });
    await Promise.all(lanes);
  }

  private async sendOne(timer: Timer): Promise<void> {
    const at = this.clock.now();
    const by: Origin = {
      actor: { kind: 'process', id: timer.process },
      correlationId: timer.correlation_id,
      causationId: timer.armed_by,
    };
    try {
      const changed = await this.send(timer, at, by);
      if (!changed) await this.defer(timer, plus(at, STALE_RETRY_MS));
    } catch (error) {
      this.options.onError(error, timer);
      await this.defer(timer, plus(at, FAILURE_PAUSE_MS));
    }
  }

  private earliest(limit: number, upTo?: Instant): Promise<readonly Timer[]> {
    return this.views.range(timersView, { by: 'due_at', limit, ...(upTo !== undefined && { upTo }) });
  }

  /** Leaves a timer alone that another event has armed since. */
  private defer({ id, armed_by }: Timer, due: Instant): Promise<void> {
    return this.views.setVolatile(timersView, { id, when: { armed_by }, set: { due_at: due } });
  }
}

/** When the grace of a timer ends. */
function graceOf(timer: Timer, beat: Instant | undefined, startedAt: Instant): Instant {
  const { forMs, atMost } = timer.kept_alive!;
  const beaten = beat === undefined ? timer.due_at : later(timer.due_at, plus(beat, forMs));
  const until = atMost === undefined ? beaten : earlier(beaten, atMost);
  return later(until, plus(startedAt, forMs));
}
