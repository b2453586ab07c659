/**
 * Work that many ask for and that need not run once for each: who asks while it runs shares the next run. Every asker
 * gets a run that began after it asked.
 */
export class InTurn {
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  constructor(private readonly work: () => Promise<void>) {}

  ask(): Promise<void> {
    if (this.running === undefined) return this.begin();
    const turn = () => {
      this.next = undefined;
      return this.begin();
    };
    return (this.next ??= this.running.then(turn, turn));
  }

  private begin(): Promise<void> {
    const running = this.work().finally(() => {
      this.running = undefined;
    });
    this.running = running;
    return running;
  }
}
