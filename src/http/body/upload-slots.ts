interface Waiting {
  readonly owner: string;
  readonly start: () => void;
}

export interface SlotLimits {
  /** Large bodies that are read at once. */
  readonly total: number;
  /** Of one credential, so that slow clients do not hold up others. */
  readonly perOwner: number;
  /** Bodies that may wait; more are refused. */
  readonly waiting: number;
}

/** Limits how many large bodies are read at once; the others wait unread on the wire. */
export class UploadSlots {
  readonly #queue: Waiting[] = [];
  readonly #owners = new Map<string, number>();
  #taken = 0;

  constructor(private readonly limits: SlotLimits) {}

  /** Calls `start` now or later; false when too many wait already. Every start needs one `release`. */
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
