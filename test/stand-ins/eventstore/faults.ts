/** What goes wrong from now on, and how long things take. Everything set stays in force until it is set again. */
export interface Faults {
  /** From an accepted write to its commit, in ms: until then it is neither answered nor readable. Measured: 3, at most 17. */
  commitMs: number;
  /** Until a repeat of a write that was not committed yet is refused, in ms. */
  commitTimeoutMs: number;
  /** An election, in ms. Measured: 1,500 to 3,000. */
  electionMs: number;
  /** Until the other members notice that their leader is frozen, in ms. A killed one is noticed at once. */
  noticeMs: number;
  /** So many appends are committed and their reply is lost; counts down. */
  loseReplies: number;
  /** What the client sees of a lost reply: the call breaks, or nothing ever comes. */
  loseRepliesBy: 'unavailable' | 'silence';
  /** Calls stay without answer, and nothing is written, until this is false again or the client gives up. */
  hangAppends: boolean;
  hangReads: boolean;
  /** Reads and writes are refused. source: RpcExceptions.ServerBusy */
  busy: boolean;
  /** source: RpcExceptions.ServerNotReady */
  notReady: boolean;
  /** Writes go elsewhere; null = there is no leader to name. source: RpcExceptions.LeaderInfo, NoLeaderInfo */
  notLeader: false | null | { readonly host: string; readonly port: number };
  features: 'ok' | 'internal' | 'hang';
  gossip: 'ok' | 'unavailable' | 'hang';
  refuseReads: false | 'access-denied' | 'internal';
  /** So many events of subscriptions are delivered twice in a row; counts down. */
  deliverTwice: number;
}

export const healthy: Faults = {
  commitMs: 3,
  commitTimeoutMs: 2_500,
  electionMs: 2_000,
  noticeMs: 5_000,
  loseReplies: 0,
  loseRepliesBy: 'unavailable',
  hangAppends: false,
  hangReads: false,
  busy: false,
  notReady: false,
  notLeader: false,
  features: 'ok',
  gossip: 'ok',
  refuseReads: false,
  deliverTwice: 0,
};

/** What can be cancelled while it waits. */
interface Call {
  readonly cancelled: boolean;
  once(event: 'cancelled', listener: () => void): unknown;
  removeListener(event: 'cancelled', listener: () => void): unknown;
}

export class FaultSwitches {
  readonly now: Faults = { ...healthy };
  private readonly hung = new Set<() => void>();

  get hanging(): number {
    return this.hung.size;
  }

  set(changes: Partial<Faults>): void {
    Object.assign(this.now, changes);
    for (const askAgain of [...this.hung]) askAgain();
  }

  /** Counts one down; true while there was one. */
  takes(counter: 'loseReplies' | 'deliverTwice'): boolean {
    if (this.now[counter] <= 0) return false;
    this.now[counter] -= 1;
    return true;
  }

  /** Holds a call while it hangs. @throws when the client has given up */
  async passes(call: Call, hangs: (faults: Faults) => boolean): Promise<void> {
    while (hangs(this.now) && !call.cancelled) await this.changeOrCancel(call);
    if (call.cancelled) throw new Error('the client has given up');
  }

  private changeOrCancel(call: Call): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.hung.delete(done);
        call.removeListener('cancelled', done);
        resolve();
      };
      this.hung.add(done);
      call.once('cancelled', done);
    });
  }
}
