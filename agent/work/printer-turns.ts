/** One hand-off at a time for each printer, in the order in which the turns were taken. */
export class PrinterTurns {
  private readonly last = new Map<string, Promise<void>>();

  /** Takes the next turn: wait for `ready`, and call `leave` in any case, once. */
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
