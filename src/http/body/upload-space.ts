import type { SpaceLimits } from '../http-options.js';

interface Body {
  readonly bytes: number;
  readonly start: () => void;
}

interface Share {
  held: number;
  bodies: number;
  readonly waiting: Body[];
}

/** An owner leaves as much as it holds (docs/decisions/071-large-bodies-share-memory.md). */
export class UploadSpace {
  readonly #shares = new Map<string, Share>();
  #free: number;
  #waiting = 0;

  constructor(private readonly limits: SpaceLimits) {
    this.#free = limits.bytes;
  }

  /** False if too many bodies wait. Release the same bytes after every start, at most half of the space. */
  acquire(owner: string, bytes: number, start: () => void): boolean {
    const share = this.#shares.get(owner) ?? { held: 0, bodies: 0, waiting: [] };
    const next = { bytes, start };
    if (share.waiting.length === 0 && this.#fits(share, next)) {
      this.#begin(owner, share, next);
      return true;
    }
    const { waiting, waitingOfOwner } = this.limits;
    if (this.#waiting >= waiting || share.waiting.length >= waitingOfOwner) return false;
    share.waiting.push(next);
    this.#shares.set(owner, share);
    this.#waiting++;
    return true;
  }

  release(owner: string, bytes: number): void {
    const share = this.#shares.get(owner)!;
    share.held -= bytes;
    share.bodies--;
    this.#free += bytes;
    if (share.held === 0 && share.waiting.length === 0) this.#shares.delete(owner);
    while (this.#waiting > 0 && this.#serveNext());
  }

  /** Starts the oldest body of the first owner for which it fits. */
  #serveNext(): boolean {
    for (const [owner, share] of this.#shares) {
      const next = share.waiting[0];
      if (!next || !this.#fits(share, next)) continue;
      share.waiting.shift();
      this.#waiting--;
      this.#begin(owner, share, next);
      return true;
    }
    return false;
  }

  #fits({ held, bodies }: Share, { bytes }: Body): boolean {
    return bodies < this.limits.bodiesOfOwner && held + bytes <= this.#free - bytes;
  }

  /** Moves the owner to the end of the round. */
  #begin(owner: string, share: Share, { bytes, start }: Body): void {
    this.#shares.delete(owner);
    this.#shares.set(owner, share);
    share.held += bytes;
    share.bodies++;
    this.#free -= bytes;
    start();
  }
}
