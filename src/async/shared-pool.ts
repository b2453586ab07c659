import { Tally } from './tally.js';

/**
 * Units of one resource. An owner may take another while it holds fewer than are free: a newcomer finds some, one busy
 * owner gets half of them, and each of n gets one part of n + 1.
 */
export class SharedPool {
  private readonly heldBy = new Tally();
  private held = 0;

  constructor(private readonly size: number) {}

  get busy(): number {
    return this.held;
  }

  get isFull(): boolean {
    return this.held >= this.size;
  }

  mayTake(owner: string): boolean {
    return this.heldBy.of(owner) < this.size - this.held;
  }

  /** @param by negative: gives units back */
  change(owner: string, by: number): void {
    this.heldBy.add(owner, by);
    this.held += by;
  }
}
