import { Tally } from '../async/tally.js';
import { ApiError } from '../http/errors/api-error.js';

/** Waiting requests and open streams; each holds a connection and some 20 KB. */
const MAX_WAITING = { ofOwner: 1_000, ofProcess: 4_000 };
const LATER = { 'retry-after': '15' };

/** Places for waiting. A holder gets no more than are left for others, so that a newcomer finds one. */
export class WaitingPlaces {
  private readonly held = new Tally();
  private taken = 0;

  /**
   * Returns a function that ends it and may be called twice.
   * @param owner the account or partner whose changes are awaited
   * @param holder the partner of the reader, or its account
   * @throws ApiError 429 for owner and holder, 503 for the process
   */
  take(owner: string, holder: string): () => void {
    const { ofOwner, ofProcess } = MAX_WAITING;
    const keys = [`owner ${owner}`, `holder ${holder}`] as const;
    const [ofThisOwner, ofThisHolder] = keys.map((key) => this.held.of(key)) as [number, number];
    if (ofThisOwner >= ofOwner)
      throw new ApiError('rateLimited', `${ofOwner} readers of these changes wait already.`, LATER);
    const free = ofProcess - this.taken;
    if (free === 0) throw new ApiError('unavailable', 'Too many readers wait.', LATER);
    if (ofThisHolder >= free)
      throw new ApiError('rateLimited', `${ofThisHolder} of your readers wait already.`, LATER);
    const count = (more: 1 | -1) => {
      this.taken += more;
      for (const key of keys) this.held.add(key, more);
    };
    count(1);
    let isHeld = true;
    return () => {
      if (isHeld) count(-1);
      isHeld = false;
    };
  }
}
