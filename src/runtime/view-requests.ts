import type { Milliseconds } from '../kernel/time.js';
import type { Clock } from '../ports/clock.port.js';
import type { MaintenanceAnswer, MaintenanceRequest, ViewWriter } from '../ports/view-writer.port.js';
import type { LiveBuilds } from './live-builds.js';
import { pause } from './pauses.js';

const LOOK_MS: Milliseconds = 500;

/** Carries out what other instances ask of the holder of the read models' lease, one after the other. */
export class ViewRequests {
  constructor(
    private readonly writer: ViewWriter,
    private readonly builds: LiveBuilds,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Until the signal aborts, or the read store has lost what it knew. Never rejects. */
  async serve(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const known = await this.round(signal).catch((error: unknown) => this.onError(error));
      if (known === false) return;
      await pause(this.clock, LOOK_MS, signal);
    }
  }

  /** Resolves to whether the read store still knows how far it is. */
  private async round(signal: AbortSignal): Promise<boolean> {
    if (!(await this.writer.progress())) return false;
    for (const name of this.builds.missing) await this.builds.rebuild(name, signal);
    for (const request of await this.writer.requested()) {
      const answer = await this.carryOut(request, signal);
      // What was cut off is left to the next holder.
      if (!signal.aborted) await this.writer.answer(request, answer);
    }
    return true;
  }

  private async carryOut(request: MaintenanceRequest, signal: AbortSignal): Promise<MaintenanceAnswer> {
    try {
      if (request.kind === 'verify') return { result: await this.builds.verify(signal) };
      await this.builds.rebuild(request.view, signal);
      return {};
    } catch (error) {
      this.onError(error);
      return { failure: error instanceof Error ? error.message : String(error) };
    }
  }
}
