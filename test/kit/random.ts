/** Pseudo-random numbers from a seed (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** An unsigned 32-bit integer. */
  bits(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number {
    return this.bits() / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}

export function chanceFrom(seed: number): () => number {
  const random = new Random(seed);
  return () => random.next();
}
