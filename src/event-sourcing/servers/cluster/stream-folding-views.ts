import { documentAt } from '../../projections/replay.js';
import type { AnyProjection, ViewDefinition } from '../../../kernel/projection.js';
import { streamOf } from '../../../kernel/ids.js';
import type { EventStore } from '../../ports/event-store.port.js';
import {
  ViewNotBuiltError,
  ViewStore,
  type Found,
  type PrefixQuery,
  type RangeQuery,
  type ViewQuery,
  type VolatileChange,
  type Where,
} from '../../ports/view-store.port.js';
import type { Position } from '../../../kernel/recorded-event.js';
import type { ReadProgress } from '../../ports/remote-event-store.port.js';

/** Documents have the id of the one stream they are made of. */
export interface StreamView {
  readonly projection: AnyProjection;
  readonly category: string;
}

/** Folds a document from its stream if the view lags, so that clients see their own changes. */
export class StreamFoldingViews extends ViewStore {
  private readonly byView: ReadonlyMap<string, StreamView>;

  constructor(
    private readonly views: ViewStore,
    private readonly events: Pick<EventStore, 'load'>,
    foldable: readonly StreamView[],
    private readonly unprojected: Pick<UnprojectedStreams, 'has'>,
  ) {
    super();
    this.byView = new Map(foldable.map((one) => [one.projection.view.name, one]));
  }

  async get<D>(view: ViewDefinition, id: string): Promise<D | undefined> {
    const foldable = this.byView.get(view.name);
    if (!foldable) return this.views.get<D>(view, id);
    const isBehind = this.unprojected.has(streamOf(foldable.category, id));
    const shown = isBehind ? undefined : await this.shown<D>(view, id);
    if (shown) return shown;
    const events = await this.events.load(streamOf(foldable.category, id));
    return documentAt(foldable.projection, events, id)?.document as D | undefined;
  }

  getMany<D>(view: ViewDefinition, ids: readonly string[]): Promise<readonly D[]> {
    return this.views.getMany(view, ids);
  }

  find<D>(view: ViewDefinition, query: ViewQuery): Promise<Found<D>> {
    return this.views.find(view, query);
  }

  range<D>(view: ViewDefinition, query: RangeQuery): Promise<readonly D[]> {
    return this.views.range(view, query);
  }

  findPrefix<D>(view: ViewDefinition, query: PrefixQuery): Promise<Found<D> | undefined> {
    return this.views.findPrefix(view, query);
  }

  setVolatile(view: ViewDefinition, change: VolatileChange): Promise<void> {
    return this.views.setVolatile(view, change);
  }

  count(view: ViewDefinition, where: Where): Promise<number> {
    return this.views.count(view, where);
  }

  /** An unbuilt view counts as a miss, so the caller falls back to the stream. */
  private async shown<D>(view: ViewDefinition, id: string): Promise<D | undefined> {
    try {
      return await this.views.get<D>(view, id);
    } catch (error) {
      if (error instanceof ViewNotBuiltError) return undefined;
      throw error;
    }
  }
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
