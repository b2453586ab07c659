import { plus, type Instant, type Milliseconds, type Clock } from '../../kernel/time.js';
import type { MaintenanceAnswer, MaintenanceRequest, ViewWriter } from '../ports/view-writer.port.js';
import type { ActiveViews } from './active-views.js';
import { pause } from '../../async/pauses.js';
import { exponentialBackoff } from '../../async/retry.js';
import { SupersededError } from './stored-progress.js';

const LOOK_MS: Milliseconds = 500;
/** Interval for retrying a view that cannot be built: each try reads all events. */
const BUILD_AGAIN_MS: Milliseconds = 300_000;

/** Serves requests of other instances to the holder of the read models' lease, in order. */
export class ViewRequests {
  private readonly resting = new Map<string, Instant>();

  constructor(
    private readonly writer: ViewWriter,
    private readonly builds: ActiveViews,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {
    const later = plus(clock.now(), BUILD_AGAIN_MS);
    for (const name of builds.unbuildable) this.resting.set(name, later);
  }

  /** Ends when the signal aborts or another instance takes over. Never rejects. */
  async serve(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      try {
        await this.round(signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted || error instanceof SupersededError) return;
        this.onError(error);
        failures++;
      }
      await pause(this.clock, failures > 0 ? LOOK_MS + exponentialBackoff(failures) : LOOK_MS, signal);
    }
  }

  private async round(signal: AbortSignal): Promise<void> {
    await this.refuseLoss();
    await this.buildMissing(signal);
    for (const request of await this.writer.requested()) {
      const answer = await this.carryOut(request, signal);
      await this.writer.answer(request, answer);
    }
  }

  /** Starts over if the read store lost or reset its state. @throws SupersededError */
  private async refuseLoss(): Promise<void> {
    const stored = this.builds.storedPosition ?? '';
    const progress = await this.writer.progress();
    if (!progress || (progress.position ?? '') < stored) throw new SupersededError();
  }

  /** One replay for all views without a build; one that cannot be built does not block the others. */
  private async buildMissing(signal: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const due = this.builds.missing.filter((name) => (this.resting.get(name) ?? now) <= now);
    for (const name of due) this.resting.set(name, plus(now, BUILD_AGAIN_MS));
    await this.builds.rebuildAll(due).catch((error: unknown) => this.handOn(error, signal));
  }

  private async carryOut(request: MaintenanceRequest, signal: AbortSignal): Promise<MaintenanceAnswer> {
    try {
      if (request.kind === 'verify') return { result: await this.builds.verify() };
      await this.builds.rebuild([request.view]);
      return {};
    } catch (error) {
      this.handOn(error, signal);
      return { failure: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Leaves interrupted work to the next holder of the lease, and reports a failure. */
  private handOn(error: unknown, signal: AbortSignal): void {
    if (signal.aborted || error instanceof SupersededError) throw error;
    this.onError(error);
  }
}
