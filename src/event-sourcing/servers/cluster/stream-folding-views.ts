import { documentAt } from '../../projections/replay.js';
import type { AnyProjection, ViewDefinition } from '../../../kernel/projection.js';
import { streamOf } from '../../../kernel/ids.js';
import type { EventStore } from '../../ports/event-store.port.js';
import {
  ViewNotBuiltError,
  ViewStore,
  type Found,
  type RangeQuery,
  type ViewQuery,
  type VolatileChange,
  type Where,
} from '../../ports/view-store.port.js';
import type { UnprojectedStreams } from './unprojected-streams.js';

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
