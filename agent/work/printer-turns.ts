/** Allows one hand-off at a time per printer, in the order of requests. */
export class PrinterTurns {
  private readonly last = new Map<string, Promise<void>>();

  /** Takes the next turn. Await `ready`, then always call `leave` once. */
  take(printerKey: string): { ready: Promise<void>; leave: () => void } {
    const ready = this.last.get(printerKey) ?? Promise.resolve();
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    const mine = ready.then(() => left);
    this.last.set(printerKey, mine);
    void mine.then(() => {
      if (this.last.get(printerKey) === mine) this.last.delete(printerKey);
    });
    return { ready, leave };
  }
}
