import { useSyncExternalStore } from 'react';

/** While the service does not answer, it is asked again so often. */
const LOST_MS = 1_000;
/** Without a live feed only this shows that the service is gone. */
const IDLE_MS = 2_000;
/** A broken feed is an event; this finds a service or a network that hangs. */
const LIVE_MS = 10_000;
const PATIENCE_MS = 5_000;

/** What is known of the service. Times are those of this browser. */
export interface Connection {
  /** Time of the last answer; what is shown is as old. */
  readonly answeredAt: number;
  /** Undefined while the service answers. */
  readonly lostAt: number | undefined;
  /** Since when the service answers but sends no live feed; undefined while it does. */
  readonly notLiveSince: number | undefined;
}

/** Answers that a proxy gives in place of a service that is down. */
export const isOfProxy = (status: number) => status === 502 || status === 503 || status === 504;

/** Decides whether the service answers: requests and the feed raise a doubt, a request for the page itself settles it. */
class ServiceConnection {
  private state: Connection = { answeredAt: Date.now(), lostAt: undefined, notLiveSince: undefined };
  private readonly viewers = new Set<() => void>();
  private readonly returns = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asking: Promise<void> | undefined;
  private isWatched = false;
  private hasFeed = false;

  readonly current = (): Connection => this.state;

  readonly subscribe = (viewer: () => void): (() => void) => {
    this.viewers.add(viewer);
    return () => this.viewers.delete(viewer);
  };

  /** Calls `listener` each time that the service answers again. */
  whenBack(listener: () => void): () => void {
    this.returns.add(listener);
    return () => this.returns.delete(listener);
  }

  /** Asks whether the service answers, and resolves once it does: true if it had to wait. */
  async back(): Promise<boolean> {
    await this.ask();
    if (this.state.lostAt === undefined) return false;
    await new Promise<void>((resolve) => {
      const remove = this.whenBack(() => (remove(), resolve()));
    });
    return true;
  }

  /** Asks regularly while the tab is visible, until the returned function is called. */
  watch(): () => void {
    const turn = () => (document.visibilityState === 'visible' ? this.doubt() : undefined);
    const doubt = () => this.doubt();
    this.isWatched = true;
    this.schedule();
    document.addEventListener('visibilitychange', turn);
    addEventListener('offline', doubt);
    addEventListener('online', doubt);
    return () => {
      this.isWatched = false;
      this.schedule();
      document.removeEventListener('visibilitychange', turn);
      removeEventListener('offline', doubt);
      removeEventListener('online', doubt);
    };
  }

  /** A request got an answer of the service or of a proxy. */
  heard(status: number): void {
    if (isOfProxy(status)) this.doubt();
    else this.answered();
  }

  /** Something went wrong on the way: asks at once. */
  doubt(): void {
    void this.ask();
  }

  /** The feed is open, or closed since a time. */
  feed(notLiveSince: number | undefined, isOpen: boolean): void {
    this.hasFeed = isOpen;
    if (isOpen) this.answered();
    if (notLiveSince !== this.state.notLiveSince) this.change({ notLiveSince });
  }

  private ask(): Promise<void> {
    this.asking ??= this.decide();
    return this.asking;
  }

  private async decide(): Promise<void> {
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const init = { method: 'HEAD', cache: 'no-store', credentials: 'omit', signal } as const;
      const { status } = await fetch(document.baseURI, init);
      if (isOfProxy(status)) this.lost();
      else this.answered();
    } catch {
      this.lost();
    } finally {
      this.asking = undefined;
      this.schedule();
    }
  }

  private answered(): void {
    const wasLost = this.state.lostAt !== undefined;
    // Only viewers of a loss see the time move.
    this.state = { ...this.state, answeredAt: Date.now() };
    if (!wasLost) return;
    this.change({ lostAt: undefined });
    for (const listener of this.returns) listener();
  }

  private lost(): void {
    if (this.state.lostAt === undefined) this.change({ lostAt: Date.now() });
  }

  private schedule(): void {
    clearTimeout(this.timer);
    const isLost = this.state.lostAt !== undefined;
    if (!this.isWatched && !isLost) return;
    this.timer = setTimeout(
      () => (document.visibilityState === 'visible' ? this.doubt() : this.schedule()),
      isLost ? LOST_MS : this.hasFeed ? LIVE_MS : IDLE_MS,
    );
  }

  private change(changes: Partial<Connection>): void {
    this.state = { ...this.state, ...changes };
    for (const viewer of this.viewers) viewer();
  }
}

/** The one connection of this page. */
export const connection = new ServiceConnection();

export const useConnection = (): Connection => useSyncExternalStore(connection.subscribe, connection.current);
