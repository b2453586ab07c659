/** Choices that are the same in every run: a linear congruential generator (Numerical Recipes). */
export class Chance {
  private state = 20_261_123;

  /** From 0 to `end` without it. */
  below(end: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * end);
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  shuffled<T>(all: readonly T[]): T[] {
    const left = [...all];
    return all.map(() => left.splice(this.below(left.length), 1)[0]!);
  }
}
