import { SharedPool } from '../async/shared-pool.js';
import { Tally } from '../async/tally.js';
import { ApiError } from '../http/errors/api-error.js';

/** Waiting requests and open streams; each holds a connection and some 20 KB. */
const MAX_WAITING = { ofOwner: 1_000, ofProcess: 4_000 };
const LATER = { 'retry-after': '15' };

/** Places for waiting, of which a newcomer finds some. */
export class WaitingPlaces {
  private readonly pool = new SharedPool(MAX_WAITING.ofProcess);
  private readonly ofOwners = new Tally();

  /**
   * Returns a function that ends it and may be called twice.
   * @param owner the account or partner whose changes are awaited
   * @param holder the partner of the reader, or its account
   * @throws ApiError 429 for owner and holder, 503 for the process
   */
  take(owner: string, holder: string): () => void {
    const { ofOwner } = MAX_WAITING;
    if (this.ofOwners.of(owner) >= ofOwner)
      throw new ApiError('rateLimited', `${ofOwner} readers of these changes wait already.`, LATER);
    if (this.pool.isFull) throw new ApiError('unavailable', 'Too many readers wait.', LATER);
    if (!this.pool.mayTake(holder))
      throw new ApiError('rateLimited', 'Too many of your readers wait already.', LATER);
    this.count(owner, holder, 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.count(owner, holder, -1);
      isHeld = false;
    };
  }

  private count(owner: string, holder: string, more: number): void {
    this.ofOwners.add(owner, more);
    this.pool.change(holder, more);
  }
}
