import { ApiError } from '../http/errors/api-error.js';
import type { Clock, Milliseconds } from '../kernel/time.js';

export interface TurnLimits {
  /** At once, of all accounts. */
  readonly ofProcess: number;
  /** At once, of one account. */
  readonly ofAccount: number;
  /** At once, of one computer or person. */
  readonly ofOwner: number;
  /** Of an account; more are refused. */
  readonly waiting: number;
}

interface Turn {
  readonly accountId: string;
  readonly owner: string;
  readonly start: () => void;
}

/** Requests that take memory or time: some are served at once, others wait in their order while their account may. */
export class Turns {
  private readonly running = new Set<Turn>();
  private readonly waiting = new Set<Turn>();

  /**
   * @param what the requests, as in "Too many downloads at once."
   * @param patience how long a request waits at most; absent: without end
   */
  constructor(
    private readonly what: string,
    private readonly limits: TurnLimits,
    private readonly patience?: { readonly clock: Clock; readonly atMost: Milliseconds },
  ) {}

  /**
   * Resolves to a function that ends the turn and may be called twice.
   * @param owner the computer or person that asks
   * @throws ApiError 429 if too many requests of the account wait, or this one has waited too long
   */
  take(accountId: string, owner: string): Promise<() => void> {
    const waiting = [...this.waiting].filter((one) => one.accountId === accountId);
    // All that wait may belong to one owner, while another has turns left.
    const mustWait = !this.mayRun({ accountId, owner });
    if (mustWait && waiting.length >= this.limits.waiting) throw this.tooMany('1');
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.waiting.delete(turn);
        reject(this.tooMany('30'));
      };
      const cancel = this.patience?.clock.after(this.patience.atMost, giveUp);
      const start = () => {
        cancel?.();
        resolve(() => this.end(turn));
      };
      const turn: Turn = { accountId, owner, start };
      this.waiting.add(turn);
      this.serve();
    });
  }

  private tooMany(retryAfter: string): ApiError {
    return new ApiError('rateLimited', `Too many ${this.what} at once.`, { 'retry-after': retryAfter });
  }

  private end(turn: Turn): void {
    if (this.running.delete(turn)) this.serve();
  }

  /** The account with the fewest turns is next, so that no backlog of others delays it. */
  private serve(): void {
    for (;;) {
      const able = [...this.waiting].filter((turn) => this.mayRun(turn));
      if (able.length === 0) return;
      const next = able.reduce((first, turn) =>
        this.runningOf(turn) < this.runningOf(first) ? turn : first,
      );
      this.waiting.delete(next);
      this.running.add(next);
      next.start();
    }
  }

  private runningOf({ accountId }: Turn): number {
    return [...this.running].filter((turn) => turn.accountId === accountId).length;
  }

  private mayRun({ accountId, owner }: Pick<Turn, 'accountId' | 'owner'>): boolean {
    const { ofProcess, ofAccount, ofOwner } = this.limits;
    const ofTheAccount = [...this.running].filter((one) => one.accountId === accountId);
    const ofTheOwner = ofTheAccount.filter((one) => one.owner === owner);
    return this.running.size < ofProcess && ofTheAccount.length < ofAccount && ofTheOwner.length < ofOwner;
  }
}

const GRACE: Milliseconds = 30_000;
/** Bytes a millisecond. */
const LEAST = 64;

/** Notices a client that takes less than 64 kB a second of an answer, beyond 30 seconds in all. */
export class ReadingPace {
  private left = GRACE;

  constructor(
    private readonly clock: Clock,
    private readonly onSlow: () => void,
  ) {}

  /** Returns a function to call when more is wanted, or nothing any more. */
  given(bytes: number): () => void {
    this.left = Math.min(GRACE, this.left + bytes / LEAST);
    const since = this.clock.monotonic();
    const cancel = this.clock.after(this.left, this.onSlow);
    return () => {
      cancel();
      this.left -= this.clock.monotonic() - since;
    };
  }
}
