import type { Milliseconds } from '../../../kernel/time.js';

/** From the first failed call to the first answer on every connection. */
export interface OutageSummary {
  readonly lastedMs: Milliseconds;
  readonly failedCalls: number;
  readonly interruptions: number;
  readonly clientsReplaced: number;
}

export interface OutageObserver {
  outageBegan?(reason: unknown): void;
  outageEnded?(summary: OutageSummary): void;
}

export interface OutageMember {
  failed(reason: unknown): void;
  succeeded(): void;
}

/** Begins with the first failed call and ends once every failed connection was answered again. */
export class Outage {
  private readonly failing = new Set<string>();
  /** By wake-up function: the connection of the waiter. */
  private readonly waiting = new Map<() => void, string | undefined>();
  private begun: Milliseconds = 0;
  private failedCalls = 0;
  private interruptions = 0;
  private clientsReplaced = 0;

  constructor(
    private readonly observer: OutageObserver,
    private readonly ticks: () => Milliseconds = () => performance.now(),
  ) {}

  member(name: string): OutageMember {
    return { failed: (reason) => this.failed(name, reason), succeeded: () => this.succeeded(name) };
  }

  interrupted(): void {
    this.interruptions += 1;
  }

  clientReplaced(): void {
    this.clientsReplaced += 1;
  }

  /** @param own does not wake its own waiter: two feeds that fail in turn would wake each other */
  nextRecovery(ms: Milliseconds, signal: AbortSignal, own?: string): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.waiting.set(done, own);
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    });
  }

  private failed(name: string, reason: unknown): void {
    if (this.failing.size === 0) {
      this.begun = this.ticks();
      this.failedCalls = this.interruptions = this.clientsReplaced = 0;
      this.observer.outageBegan?.(reason);
    }
    this.failing.add(name);
    this.failedCalls += 1;
  }

  private succeeded(name: string): void {
    if (!this.failing.delete(name)) return;
    for (const [wake, own] of [...this.waiting]) if (own !== name) wake();
    if (this.failing.size > 0) return;
    const { failedCalls, interruptions, clientsReplaced } = this;
    this.observer.outageEnded?.({
      lastedMs: this.ticks() - this.begun,
      failedCalls,
      interruptions,
      clientsReplaced,
    });
  }
}
