import type { Position, RecordedEvent } from '../kernel/recorded-event.js';
import type { RemoteEventStore } from '../ports/remote-event-store.port.js';
import type { BuildFolder } from './build-folder.js';
import type { Outages } from './outages.js';

const PAGE = 500;

/** Folds all events, from the first on, into new builds, beside those that readers are on. */
export class ViewFill {
  private reached: Position | undefined;
  private writing: Promise<void> = Promise.resolve();

  /** @param signal cuts it off: then everything throws. */
  constructor(
    private readonly events: Pick<RemoteEventStore, 'readAll'>,
    private readonly folder: BuildFolder,
    private readonly outages: Outages,
    private readonly signal: AbortSignal,
  ) {}

  /** Position of the last event that is folded and written. */
  get position(): Position | undefined {
    return this.reached;
  }

  /** Folds until nothing more is there. @throws PoisonEventError of a view that halts */
  async toTheHead(): Promise<void> {
    let page = await this.after(this.reached);
    while (page.length > 0) {
      // The next page is on its way while this one is folded.
      const next = page.length < PAGE ? Promise.resolve([]) : this.after(page.at(-1)!.position);
      next.catch(() => undefined);
      await this.fold(page);
      page = await next;
    }
    await this.writing;
  }

  /** Folds up to this event and not further. @throws PoisonEventError of a view that halts */
  async upTo(position: Position | undefined): Promise<void> {
    while (position !== undefined && (this.reached ?? '') < position) {
      const page = (await this.after(this.reached)).filter((event) => event.position <= position);
      if (page.length === 0) return;
      await this.fold(page);
      await this.writing;
    }
  }

  /** Resolves when the page is folded, and the one before it is written. */
  private async fold(page: readonly RecordedEvent[]): Promise<void> {
    const write = await this.outages.outlast(() => this.folder.begin(page), this.signal);
    await this.writing;
    this.writing = this.write(write, page.at(-1)!.position);
    // Whoever folds the next page, or waits for the end, hears of it.
    this.writing.catch(() => undefined);
  }

  private async write(write: () => Promise<void>, last: Position): Promise<void> {
    await this.outages.outlast(write, this.signal);
    this.reached = last;
  }

  private after(position: Position | undefined): Promise<readonly RecordedEvent[]> {
    const options = { ...(position !== undefined && { after: position }), max: PAGE };
    return this.outages.outlast(() => this.events.readAll(options), this.signal);
  }
}
