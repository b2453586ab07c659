import { Tally } from '../async/tally.js';
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

const ownerKey = ({ accountId, owner }: Pick<Turn, 'accountId' | 'owner'>) => `${accountId} ${owner}`;

/** Requests that take memory or time: some are served at once, others wait in their order while their account may. */
export class Turns {
  private readonly running = new Set<Turn>();
  /** Of accounts and of their owners. */
  private readonly counts = new Tally();
  /** By account. The one that was served last is the last. */
  private readonly waiting = new Map<string, Set<Turn>>();

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
    // All that wait may belong to one owner, while another has turns left.
    const mustWait = !this.mayRun({ accountId, owner });
    if (mustWait && (this.waiting.get(accountId)?.size ?? 0) >= this.limits.waiting) throw this.tooMany('1');
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.leave(turn);
        reject(this.tooMany('30'));
      };
      const cancel = this.patience?.clock.after(this.patience.atMost, giveUp);
      const start = () => {
        cancel?.();
        resolve(() => this.end(turn));
      };
      const turn: Turn = { accountId, owner, start };
      this.waiting.set(accountId, (this.waiting.get(accountId) ?? new Set()).add(turn));
      this.serve();
    });
  }

  private tooMany(retryAfter: string): ApiError {
    return new ApiError('rateLimited', `Too many ${this.what} at once.`, { 'retry-after': retryAfter });
  }

  private end(turn: Turn): void {
    if (!this.running.delete(turn)) return;
    this.count(turn, -1);
    this.serve();
  }

  private serve(): void {
    for (let next = this.next(); next; next = this.next()) {
      this.leave(next);
      this.running.add(next);
      this.count(next, 1);
      next.start();
    }
  }

  /** Of the account with the fewest turns, so that no backlog of others delays it; equal ones take turns. */
  private next(): Turn | undefined {
    let first: Turn | undefined;
    for (const [accountId, turns] of this.waiting) {
      if (first && this.counts.of(accountId) >= this.counts.of(first.accountId)) continue;
      for (const turn of turns) {
        if (!this.mayRun(turn)) continue;
        first = turn;
        break;
      }
    }
    return first;
  }

  private leave(turn: Turn): void {
    const { accountId } = turn;
    const others = this.waiting.get(accountId)!;
    others.delete(turn);
    this.waiting.delete(accountId);
    if (others.size > 0) this.waiting.set(accountId, others);
  }

  private count(turn: Turn, more: 1 | -1): void {
    this.counts.add(turn.accountId, more);
    this.counts.add(ownerKey(turn), more);
  }

  private mayRun(turn: Pick<Turn, 'accountId' | 'owner'>): boolean {
    const { ofProcess, ofAccount, ofOwner } = this.limits;
    if (this.running.size >= ofProcess || this.counts.of(turn.accountId) >= ofAccount) return false;
    return this.counts.of(ownerKey(turn)) < ofOwner;
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
