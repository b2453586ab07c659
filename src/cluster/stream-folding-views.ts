import type { AnyProjection, ViewDefinition } from '../kernel/projection.js';
import { streamOf } from '../kernel/ids.js';
import type { EventStore } from '../ports/event-store.port.js';
import {
  ViewNotBuiltError,
  ViewStore,
  type Found,
  type ViewQuery,
  type Where,
} from '../ports/view-store.port.js';
import type { UnshownStreams } from './unshown-streams.js';

/** A view of which each document is made of one stream and has the stream's id. */
export interface StreamView {
  readonly projection: AnyProjection;
  readonly category: string;
}

/**
 * Views that may lag behind: a document that is not there by its id, or of whose stream more is known than the view
 * shows, is folded from its stream. Nobody who holds an id is told that what it names does not exist, or sees an old
 * state after an answered change (architecture: read your writes).
 */
export class StreamFoldingViews extends ViewStore {
  private readonly byView: ReadonlyMap<string, StreamView>;

  constructor(
    private readonly views: ViewStore,
    private readonly events: Pick<EventStore, 'load'>,
    foldable: readonly StreamView[],
    private readonly unshown: Pick<UnshownStreams, 'has'>,
  ) {
    super();
    this.byView = new Map(foldable.map((one) => [one.projection.view.name, one]));
  }

  async get<D>(view: ViewDefinition, id: string): Promise<D | undefined> {
    const foldable = this.byView.get(view.name);
    if (!foldable) return this.views.get<D>(view, id);
    const isBehind = this.unshown.has(streamOf(foldable.category, id));
    const shown = isBehind ? undefined : await this.shown<D>(view, id);
    return shown ?? this.folded<D>(foldable, id);
  }

  getMany<D>(view: ViewDefinition, ids: readonly string[]): Promise<readonly D[]> {
    return this.views.getMany(view, ids);
  }

  find<D>(view: ViewDefinition, query: ViewQuery): Promise<Found<D>> {
    return this.views.find(view, query);
  }

  count(view: ViewDefinition, where: Where): Promise<number> {
    return this.views.count(view, where);
  }

  /** What nobody has built yet shows nothing; what is not there cannot be wrong. */
  private async shown<D>(view: ViewDefinition, id: string): Promise<D | undefined> {
    try {
      return await this.views.get<D>(view, id);
    } catch (error) {
      if (error instanceof ViewNotBuiltError) return undefined;
      throw error;
    }
  }

  private async folded<D>({ projection, category }: StreamView, id: string): Promise<D | undefined> {
    let document: object | undefined;
    for (const event of await this.events.load(streamOf(category, id))) {
      if (!projection.handles.includes(event.type) || !projection.keysOf(event).includes(id)) continue;
      document = projection.apply(document, event, id) as object | undefined;
    }
    return document as D | undefined;
  }
}
