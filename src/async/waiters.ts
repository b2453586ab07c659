import type { Milliseconds, Clock } from '../kernel/time.js';

/** Open it before checking the condition: a notification in between is kept. */
export interface Waiter {
  /** True on a notification since opening; false after `ms` or on close. */
  wait(ms: Milliseconds): Promise<boolean>;
  close(): void;
}

/** Carries no data: waiters check their condition again. */
export class Waiters {
  private readonly waiters = new Map<string, Set<() => void>>();
  private closed = false;
  private count = 0;

  constructor(private readonly clock: Clock) {}

  open(key: string): Waiter {
    let woken = false;
    let isClosed = false;
    let settle: ((woken: boolean) => void) | undefined;
    const wake = () => {
      woken = true;
      settle?.(true);
    };
    const others = this.waiters.get(key) ?? new Set();
    this.waiters.set(key, others.add(wake));
    this.count++;
    const wait = (ms: Milliseconds) => {
      if (this.closed || isClosed) return Promise.resolve(false);
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
      isClosed = true;
      if (others.delete(wake)) this.count--;
      if (others.size === 0 && this.waiters.get(key) === others) this.waiters.delete(key);
      settle?.(false);
    };
    return { wait, close };
  }

  /** Later waits resolve at once. */
  closeAll(): void {
    this.closed = true;
    this.wakeAll();
  }

  wake(key: string): void {
    for (const wake of this.waiters.get(key) ?? []) wake();
  }

  wakeAll(): void {
    for (const key of this.waiters.keys()) this.wake(key);
  }

  get size(): number {
    return this.count;
  }
}
