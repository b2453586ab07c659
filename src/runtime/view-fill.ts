import type { Position, RecordedEvent } from '../kernel/recorded-event.js';
import type { RemoteEventStore } from '../ports/remote-event-store.port.js';
import type { ViewWriter } from '../ports/view-writer.port.js';
import { BuildFolder, type Filling, type PoisonPolicy } from './build-folder.js';

const PAGE = 500;

/** Folds all events, from the first on, into new builds, beside those that readers are on. */
export class ViewFill {
  private readonly folder: BuildFolder;
  private reached: Position | undefined;

  constructor(
    private readonly events: Pick<RemoteEventStore, 'readAll'>,
    writer: ViewWriter,
    fillings: readonly Filling[],
    policy: PoisonPolicy,
  ) {
    this.folder = new BuildFolder(writer, fillings, policy);
  }

  /** Position of the last event folded. */
  get position(): Position | undefined {
    return this.reached;
  }

  /** Folds until nothing more is there, or the signal aborts. */
  async toTheHead(signal: AbortSignal): Promise<void> {
    let page = await this.read();
    while (page.length > 0 && !signal.aborted) {
      this.reached = page.at(-1)!.position;
      // The next page is on its way while this one is folded.
      const next = page.length < PAGE ? Promise.resolve([]) : this.read();
      next.catch(() => undefined);
      await this.folder.apply(page);
      page = await next;
    }
  }

  /** Folds up to this event and not further. */
  async upTo(position: Position | undefined): Promise<void> {
    while (position !== undefined && (this.reached ?? '') < position) {
      const page = (await this.read()).filter((event) => event.position <= position);
      if (page.length === 0) return;
      await this.folder.apply(page);
      this.reached = page.at(-1)!.position;
    }
  }

  private read(): Promise<readonly RecordedEvent[]> {
    return this.events.readAll({ ...(this.reached !== undefined && { after: this.reached }), max: PAGE });
  }
}
