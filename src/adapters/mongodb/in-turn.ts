/**
 * Work that many ask for and that need not run once for each: who asks while it runs shares the next run. Every asker
 * gets a run that began after it asked; when the one before fails, its own has failed too, and has not begun: nobody
 * waits out one failure after the other.
 */
export class InTurn {
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  constructor(private readonly work: () => Promise<void>) {}

  ask(): Promise<void> {
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
