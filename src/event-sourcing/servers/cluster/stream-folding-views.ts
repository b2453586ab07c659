import { documentAt } from '../../projections/replay.js';
import type { AnyProjection, ViewDefinition } from '../../../kernel/projection.js';
import { streamOf } from '../../../kernel/ids.js';
import type { EventStore } from '../../ports/event-store.port.js';
import { ViewNotBuiltError } from '../../ports/view-store.port.js';
import type { Position } from '../../../kernel/recorded-event.js';
import type { ReadProgress } from '../../ports/remote-event-store.port.js';

/** Folds a document from its stream if the view lags, so that clients see their own changes. */
export class StreamFolding {
  private readonly byView: ReadonlyMap<string, AnyProjection>;

  constructor(
    private readonly events: Pick<EventStore, 'load'>,
    projections: readonly AnyProjection[],
    private readonly unprojected: Pick<UnprojectedStreams, 'has'>,
  ) {
    this.byView = new Map(projections.map((one) => [one.view.name, one]));
  }

  /** @param read of the view; it has the document of this stream, if one is named */
  async get<D>(
    { name }: ViewDefinition<D>,
    id: string,
    read: (stream?: string) => Promise<D | undefined>,
  ): Promise<D | undefined> {
    const projection = this.byView.get(name);
    if (projection?.category === undefined) return read();
    const stream = streamOf(projection.category, id);
    const shown = this.unprojected.has(stream) ? undefined : await read(stream).catch(unlessNotBuilt);
    if (shown) return shown;
    return documentAt(projection, await this.events.load(stream), id)?.document as D | undefined;
  }
}

/** An unbuilt view counts as a miss, so the stream is folded. */
function unlessNotBuilt(error: unknown): undefined {
  if (!(error instanceof ViewNotBuiltError)) throw error;
}

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
    if (this.before === null || (this.before !== undefined && !this.shows(this.before, stream))) return true;
    const position = this.known.get(stream);
    return position !== undefined && !this.shows(position, stream);
  }

  private prune(): void {
    for (const [stream, position] of this.known) {
      if (this.known.size <= MAX_STREAMS && !this.shows(position, stream)) return;
      this.known.delete(stream);
    }
  }

  private shows(position: Position, stream: string): boolean {
    const shown = this.progress.projected(stream);
    return shown !== undefined && position <= shown;
  }
}
