/** Runs callbacks in the order in which they were added, each a while after that. */
export class DelayedQueue {
  private readonly waiting: { readonly due: number; readonly run: () => void }[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** In ms, asked at each addition. 0 runs a callback at once, unless others wait. */
  constructor(private readonly delayMs: () => number) {}

  add(run: () => void): void {
    const delay = this.delayMs();
    if (delay <= 0 && this.waiting.length === 0) return run();
    this.waiting.push({ due: performance.now() + delay, run });
    this.arm();
  }

  /** Runs all that wait. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const { run } of this.waiting.splice(0)) run();
  }

  runNext(): void {
    this.waiting.shift()?.run();
  }

  private arm(): void {
    const [next] = this.waiting;
    if (!next || this.timer) return;
    this.timer = setTimeout(() => this.runDue(), Math.max(0, next.due - performance.now()));
  }

  private runDue(): void {
    this.timer = undefined;
    const now = performance.now();
    while (this.waiting[0] && this.waiting[0].due <= now) this.waiting.shift()!.run();
    this.arm();
  }
}
