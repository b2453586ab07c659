/** A number of places; who finds none free waits in turn. */
export class Places {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Resolves to the release of a place, which counts once. @throws the reason of an abort */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (--this.free < 0) await this.turn(signal);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.free++;
      this.waiting.shift()?.();
    };
  }

  private turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.waiting.splice(this.waiting.indexOf(go), 1);
        this.free++;
        reject(signal.reason as Error);
      };
      this.waiting.push(go);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}
