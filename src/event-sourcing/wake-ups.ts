import type { Milliseconds } from '../kernel/time.js';
import type { Clock } from '../ports/clock.port.js';

/** One sleeper on a key. Open it before looking, so that what comes between looking and sleeping still wakes. */
export interface Sleeper {
  /** Resolves true when woken (also when woken since it was opened), false after `ms` or when closed. */
  sleep(ms: Milliseconds): Promise<boolean>;
  close(): void;
}

/** Long polls wait here by key. Waking carries nothing: the woken looks for itself. */
export class WakeUps {
  private readonly sleepers = new Map<string, Set<() => void>>();
  private closed = false;

  constructor(private readonly clock: Clock) {}

  open(key: string): Sleeper {
    let woken = false;
    let settle: ((woken: boolean) => void) | undefined;
    const wake = () => {
      woken = true;
      settle?.(true);
    };
    const others = this.sleepers.get(key) ?? new Set();
    this.sleepers.set(key, others.add(wake));
    const sleep = (ms: Milliseconds) => {
      if (this.closed) return Promise.resolve(false);
      if (woken) {
        woken = false;
        return Promise.resolve(true);
      }
      return new Promise<boolean>((resolve) => {
        const cancel = this.clock.after(ms, () => settle?.(false));
        settle = (result) => {
          settle = undefined;
          woken = false;
          cancel();
          resolve(result);
        };
      });
    };
    const close = () => {
      others.delete(wake);
      if (others.size === 0 && this.sleepers.get(key) === others) this.sleepers.delete(key);
      settle?.(false);
    };
    return { sleep, close };
  }

  /** Nobody sleeps any more: those who do are woken and do not fall asleep again. */
  closeAll(): void {
    this.closed = true;
    this.wakeAll();
  }

  wake(key: string): void {
    for (const wake of this.sleepers.get(key) ?? []) wake();
  }

  wakeAll(): void {
    for (const key of this.sleepers.keys()) this.wake(key);
  }

  /** Open sleepers, for metrics. */
  get size(): number {
    let count = 0;
    for (const set of this.sleepers.values()) count += set.size;
    return count;
  }
}
