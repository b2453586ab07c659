import type { Position } from '../../../kernel/recorded-event.js';
import type { ReadProgress } from '../../ports/remote-event-store.port.js';

/** Beyond this the oldest are dropped: read models that are so far behind show old states. */
const MAX_STREAMS = 50_000;

/** Streams of which this instance knows events that read models do not show yet. */
export class UnprojectedStreams {
  /** Position of the last event by stream, in ascending order. */
  private readonly known = new Map<string, Position>();

  /** The end of the log when the subscription began; null until that is known. */
  private before: Position | undefined | null = null;

  constructor(private readonly progress: Pick<ReadProgress, 'projected'>) {}

  /**
   * From `head` on, every event is given to `add`, again after each subscription that failed. Until the views reach
   * it, every stream counts as unprojected. Earlier positions are dropped: a log that was rolled back has lost them.
   */
  begin(head: Position | undefined): void {
    this.before = head;
    this.known.clear();
  }

  add(events: readonly { readonly stream: string; readonly position: Position }[]): void {
    for (const { stream, position } of events) {
      const before = this.known.get(stream);
      if (before !== undefined && before >= position) continue;
      this.known.delete(stream);
      this.known.set(stream, position);
    }
    this.prune();
  }

  has(stream: string): boolean {
    if (this.before === null || (this.before !== undefined && !this.shows(this.before))) return true;
    const position = this.known.get(stream);
    return position !== undefined && !this.shows(position);
  }

  private prune(): void {
    for (const [stream, position] of this.known) {
      if (this.known.size <= MAX_STREAMS && !this.shows(position)) return;
      this.known.delete(stream);
    }
  }

  private shows(position: Position): boolean {
    const shown = this.progress.projected();
    return shown !== undefined && position <= shown;
  }
}
