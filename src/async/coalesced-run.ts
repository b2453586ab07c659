/**
 * Coalesces requests for the same work: all requests made while it runs share the next run, so each gets a run that
 * began after its request. When a run fails, the requests waiting for the next one fail with it.
 */
export class CoalescedRun<T = void> {
  private running: Promise<T> | undefined;
  private next: Promise<T> | undefined;

  constructor(private readonly work: () => Promise<T>) {}

  /** No run is under way or waits for its turn. */
  get isIdle(): boolean {
    return this.running === undefined && this.next === undefined;
  }

  request(): Promise<T> {
    if (this.running === undefined) return this.begin();
    return (this.next ??= this.running
      .finally(() => {
        this.next = undefined;
      })
      .then(() => this.begin()));
  }

  private begin(): Promise<T> {
    const running = this.work().finally(() => {
      this.running = undefined;
    });
    this.running = running;
    return running;
  }
}
