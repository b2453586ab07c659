/** One hand-off at a time for each printer. */
export class PrinterTurns {
  private readonly last = new Map<string, Promise<void>>();

  /** Resolves when it is our turn, to a function that ends it. */
  async take(printerKey: string): Promise<() => void> {
    const before = this.last.get(printerKey) ?? Promise.resolve();
    let leave = () => {};
    this.last.set(printerKey, new Promise((resolve) => (leave = resolve)));
    await before;
    return leave;
  }
}
