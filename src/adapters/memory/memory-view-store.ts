import type { ViewDefinition } from '../../kernel/projection.js';
import { ViewStore, type Found, type ViewQuery, type Where } from '../../ports/view-store.port.js';
import type { StoredDocument } from '../../event-sourcing/projections/projection-runner.js';
import { countedFields, indexFor, matches } from '../../event-sourcing/projections/view-index.js';
import type { MemoryViews } from './memory-views.js';

/** Looks at every document, but refuses questions that no index of the view answers, as other stores must. */
export class MemoryViewStore extends ViewStore {
  constructor(private readonly views: Pick<MemoryViews, 'table'>) {
    super();
  }

  async get<D>(view: ViewDefinition, id: string): Promise<D | undefined> {
    return this.views.table(view).get(id)?.document as D | undefined;
  }

  async getMany<D>(view: ViewDefinition, ids: readonly string[]): Promise<readonly D[]> {
    const table = this.views.table(view);
    return ids.flatMap((id) => (table.get(id)?.document as D | undefined) ?? []);
  }

  async find<D>(view: ViewDefinition, query: ViewQuery): Promise<Found<D>> {
    indexFor(view, query.where);
    const { where, order, limit, offset = 0, after } = query;
    const rows = this.matching(view, where).sort((a, b) => (a.birth < b.birth ? -1 : 1));
    if (order === 'newest') rows.reverse();
    const page = rows
      .filter(({ birth }) => after === undefined || (order === 'newest' ? birth < after : birth > after))
      .slice(offset, offset + limit);
    return {
      documents: page.map(({ document }) => document as D),
      births: page.map(({ birth }) => birth),
    };
  }

  async count(view: ViewDefinition, where: Where): Promise<number> {
    if (!countedFields(view, where)) indexFor(view, where);
    return this.matching(view, where).length;
  }

  private matching(view: ViewDefinition, where: Where): StoredDocument[] {
    return [...this.views.table(view).values()].filter(({ document }) => matches(document, where));
  }
}
