import type { Position } from '../../../kernel/recorded-event.js';
import type { ReadProgress } from '../../ports/remote-event-store.port.js';

/** Drops the oldest beyond this: views that lag so far show old states. */
const MAX_STREAMS = 50_000;

export class UnprojectedStreams {
  /** Position of the last event by stream, in ascending order. */
  private readonly known = new Map<string, Position>();

  /** End of the log when the subscription began; null: unknown. */
  private before: Position | undefined | null = null;

  constructor(private readonly progress: Pick<ReadProgress, 'projected'>) {}

  /** Until the views reach `head`, every stream counts as unprojected. */
  begin(head: Position | undefined): void {
    this.before = head;
    this.known.clear();
  }

  hear(events: readonly { readonly stream: string; readonly position: Position }[]): void {
    for (const { stream, position } of events) {
      const before = this.known.get(stream);
      if (before !== undefined && before >= position) continue;
      this.known.delete(stream);
      this.known.set(stream, position);
    }
    this.dropOldest();
  }

  has(stream: string): boolean {
    if (this.before === null || (this.before !== undefined && !this.shows(this.before))) return true;
    const position = this.known.get(stream);
    return position !== undefined && !this.shows(position);
  }

  private dropOldest(): void {
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
