import type { Position } from '../../kernel/recorded-event.js';
import type { Milliseconds } from '../../kernel/time.js';
import type { Clock } from '../../ports/clock.port.js';
import { ReadProgress } from '../../ports/read-progress.port.js';
import type { HeardState } from './heard-state.js';

/** While somebody waits for what another instance writes. */
const POLL_MS: Milliseconds = 10;
/** While somebody waits for what the writer of this instance will tell. */
const CHECK_MS: Milliseconds = 100;
/** Otherwise: readers learn within this that a view has a new place. */
const REFRESH_MS: Milliseconds = 1_000;

interface Waiting {
  readonly position: Position;
  readonly end: (shown: boolean) => void;
}

/** Hears of the read state: at once from the writer of this instance, by asking from others. One asks for all. */
export class MongoReadProgress extends ReadProgress {
  private readonly waiting = new Set<Waiting>();
  private cancelNext: (() => void) | undefined;
  private asking = false;
  private stopped = false;

  constructor(
    private readonly heard: HeardState,
    private readonly clock: Clock,
  ) {
    super();
    heard.onHeard(() => this.tellWaiting());
    this.askAfter(REFRESH_MS);
  }

  shown(): Position | undefined {
    return this.heard.position;
  }

  waitFor(position: Position, ms: Milliseconds): Promise<boolean> {
    if (this.shows(position)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (shown: boolean) => {
        cancel();
        this.waiting.delete(entry);
        resolve(shown);
      };
      const cancel = this.clock.after(ms, () => end(this.shows(position)));
      const entry = { position, end };
      this.waiting.add(entry);
      if (this.waiting.size === 1 && !this.asking) this.askAfter(this.heard.isKeptHere ? CHECK_MS : 0);
    });
  }

  stop(): void {
    this.stopped = true;
    this.cancelNext?.();
    for (const { end } of this.waiting) end(false);
  }

  private shows(position: Position): boolean {
    const shown = this.shown();
    return shown !== undefined && shown >= position;
  }

  private get pollMs(): Milliseconds {
    return this.heard.isKeptHere ? CHECK_MS : POLL_MS;
  }

  private tellWaiting(): void {
    for (const { position, end } of this.waiting) if (this.shows(position)) end(true);
  }

  private askAfter(ms: Milliseconds): void {
    if (this.stopped) return;
    this.cancelNext?.();
    this.cancelNext = this.clock.after(ms, () => void this.ask());
  }

  private async ask(): Promise<void> {
    this.asking = true;
    // A store that cannot be asked shows nothing new; who needs it is told by the read itself.
    await this.heard.refresh().catch(() => undefined);
    this.asking = false;
    this.askAfter(this.waiting.size > 0 ? this.pollMs : REFRESH_MS);
  }
}
