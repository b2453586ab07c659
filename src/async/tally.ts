/** Counts by key; keys with nothing are not kept. */
export class Tally {
  private readonly counts = new Map<string, number>();

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  add(key: string, more: number): void {
    const count = this.of(key) + more;
    if (count === 0) this.counts.delete(key);
    else this.counts.set(key, count);
  }
}
