import { setTimeout as wait } from 'node:timers/promises';

/** Turns of the event loop without a new call, in which what has an answer goes on: calls may be gathered over two. */
const QUIET_TURNS = 8;

type Call = (...args: unknown[]) => unknown;

/** Counts how many calls of ports follow one another: answers are held until no further call begins without them. */
export class Rounds {
  private readonly held: (() => void)[] = [];
  private isCounting = false;
  private underWay = 0;
  private begun = 0;

  /** Calls of these methods count, also those that other work makes meanwhile. */
  hold<P extends object>(port: P, ...methods: readonly (keyof P)[]): void {
    for (const method of methods) {
      const call = (port[method] as Call).bind(port);
      port[method] = ((...args: unknown[]) => this.answerLater(() => call(...args))) as P[keyof P];
    }
  }

  async of(work: () => Promise<unknown>): Promise<number> {
    let isOver = false;
    this.isCounting = true;
    const working = work().finally(() => (isOver = true));
    let rounds = 0;
    for (;;) {
      await this.untilQuiet();
      if (isOver) this.isCounting = false;
      else if (this.held.length > 0) rounds++;
      for (const letGo of this.held.splice(0)) letGo();
      if (isOver) break;
    }
    await working;
    return rounds;
  }

  private async answerLater<T>(call: () => T | Promise<T>): Promise<T> {
    if (!this.isCounting) return call();
    this.begun++;
    this.underWay++;
    try {
      return await call();
    } finally {
      this.underWay--;
      await new Promise<void>((resolve) => this.held.push(resolve));
    }
  }

  private async untilQuiet(): Promise<void> {
    let before = -1;
    for (let turns = 0; turns < QUIET_TURNS; turns++) {
      if (this.underWay > 0 || this.begun !== before) turns = 0;
      before = this.begun;
      await wait(1);
    }
  }
}
