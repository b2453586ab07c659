interface Waiting {
  readonly owner: string;
  readonly start: () => void;
}

export interface SlotLimits {
  /** Maximum number of large bodies read at once. */
  readonly total: number;
  /** Maximum per credential, so that slow clients do not delay others. */
  readonly perOwner: number;
  /** Maximum number of waiting bodies; more are refused. */
  readonly waiting: number;
}

/** Limits the number of large bodies read at once; the others wait unread. */
export class UploadSlots {
  readonly #queue: Waiting[] = [];
  readonly #owners = new Map<string, number>();
  #taken = 0;

  constructor(private readonly limits: SlotLimits) {}

  /** Calls `start` now or later; returns false if too many bodies wait. Every start needs one `release`. */
  acquire(owner: string, start: () => void): boolean {
    if (this.#queue.length >= this.limits.waiting) return false;
    this.#queue.push({ owner, start });
    this.#serve();
    return true;
  }

  release(owner: string): void {
    const left = (this.#owners.get(owner) ?? 0) - 1;
    if (left > 0) this.#owners.set(owner, left);
    else this.#owners.delete(owner);
    this.#taken -= 1;
    this.#serve();
  }

  #serve(): void {
    while (this.#taken < this.limits.total) {
      const next = this.#queue.findIndex(
        ({ owner }) => (this.#owners.get(owner) ?? 0) < this.limits.perOwner,
      );
      if (next < 0) return;
      const [{ owner, start }] = this.#queue.splice(next, 1) as [Waiting];
      this.#owners.set(owner, (this.#owners.get(owner) ?? 0) + 1);
      this.#taken += 1;
      start();
    }
  }
}
