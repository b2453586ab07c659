/**
 * Units of one resource. An account may take another while it holds fewer than are free: a newcomer finds
 * some, one busy account gets half of them, and each of n gets one part of n + 1.
 */
export class SharedPool {
  private readonly heldBy = new Map<string, number>();
  private held = 0;

  constructor(private readonly size: number) {}

  get busy(): number {
    return this.held;
  }

  get isFull(): boolean {
    return this.held >= this.size;
  }

  mayTake(accountId: string): boolean {
    return (this.heldBy.get(accountId) ?? 0) < this.size - this.held;
  }

  /** @param by negative: gives units back */
  change(accountId: string, by: number): void {
    const held = (this.heldBy.get(accountId) ?? 0) + by;
    if (held > 0) this.heldBy.set(accountId, held);
    else this.heldBy.delete(accountId);
    this.held += by;
  }
}
