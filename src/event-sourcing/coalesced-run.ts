/**
 * Coalesces requests for the same work: all requests made while it runs share the next run, so each gets a run that
 * began after its request. When a run fails, the requests waiting for the next one fail with it.
 */
export class CoalescedRun {
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  constructor(private readonly work: () => Promise<void>) {}

  request(): Promise<void> {
    if (this.running === undefined) return this.begin();
    return (this.next ??= this.running
      .finally(() => {
        this.next = undefined;
      })
      .then(() => this.begin()));
  }

  private begin(): Promise<void> {
    const running = this.work().finally(() => {
      this.running = undefined;
    });
    this.running = running;
    return running;
  }
}
