import { setTimeout as pause } from 'node:timers/promises';

/** Lets a loop sleep until something happens. What happens while it is awake is not lost. */
export class WakeUp {
  private rung = false;
  private alarm: AbortController | undefined;

  readonly ring = (): void => {
    this.rung = true;
    this.alarm?.abort();
  };

  /** Until `ring`, at most `ms`; throws when `signal` says so. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.rung) {
      const alarm = new AbortController();
      this.alarm = alarm;
      const stop = (): void => alarm.abort();
      signal.addEventListener('abort', stop, { once: true });
      await pause(ms, undefined, { signal: alarm.signal }).catch(() => undefined);
      signal.removeEventListener('abort', stop);
      this.alarm = undefined;
    }
    this.rung = false;
    signal.throwIfAborted();
  }
}
