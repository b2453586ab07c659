import type { Collection, Db, Filter } from 'mongodb';
import type { ViewDefinition } from '../../../kernel/projection.js';
import {
  ViewStore,
  type Found,
  type PrefixQuery,
  type RangeQuery,
  type Total,
  type TotalsQuery,
  type ViewQuery,
  type VolatileChange,
  type Where,
} from '../../ports/view-store.port.js';
import { asksForNothing, totalRange, totalsBy, withVolatile } from '../../projections/view-index.js';
import {
  countFilter,
  pageFilter,
  pageSort,
  prefixFilter,
  rangeFilter,
  rangeSort,
  totalIdsOf,
} from './view-questions.js';
import { batched } from './batched.js';
import { refuseOutdated } from '../../projections/creation-order.js';
import { documentOf, keptOf, rowOf, type ViewRow } from './view-rows.js';
import { totalId, totalKey, totalsIn } from './view-totals.js';
import type { ReadStateCache } from './read-state-cache.js';
import { calling } from './mongo-errors.js';

type GetBeyond = <D>(
  view: ViewDefinition<D>,
  id: string,
  read: () => Promise<D | undefined>,
) => Promise<D | undefined>;

/** The server sorts all matches of a prefix for each page. */
const MAX_SORTED = 10_000;
const isNone = (rows: readonly unknown[]) => rows.length === 0;

/** Reads the active builds; every list uses an index. */
export class MongoViewStore extends ViewStore {
  private readonly lookUps = new Map<string, (id: string) => Promise<ViewRow | undefined>>();

  /** @param folding of documents that views lack */
  constructor(
    private readonly readers: ViewReaders,
    private readonly folding?: { readonly get: GetBeyond },
  ) {
    super();
  }

  get<D>(view: ViewDefinition, id: string): Promise<D | undefined> {
    const read = async () => {
      const row = await this.lookUp(view)(id);
      return row && documentOf<D>(row);
    };
    return this.folding ? this.folding.get(view, id, read) : read();
  }

  async getMany<D>(view: ViewDefinition, ids: readonly string[]): Promise<readonly D[]> {
    if (ids.length === 0) return [];
    return (await this.stored(view, ids)).flatMap((row) => (row && documentOf<D>(row)) ?? []);
  }

  async find<D>(view: ViewDefinition, query: ViewQuery): Promise<Found<D>> {
    if (asksForNothing(query.where) || query.limit <= 0) return { documents: [], positions: [] };
    return this.found(view, pageFilter(view, query), query);
  }

  async findPrefix<D>(view: ViewDefinition, query: PrefixQuery): Promise<Found<D> | undefined> {
    const { after, limit } = query;
    const max = Math.min(query.max, MAX_SORTED);
    if (asksForNothing(query.where)) return { documents: [], positions: [] };
    const filter = prefixFilter(view, query);
    const one = { projection: { _id: 1 }, skip: max, limit: 1 } as const;
    const beyond = await this.readers.ask(view, (rows) => rows.find(filter, one).toArray(), isNone);
    if (!isNone(beyond)) return undefined;
    const rest = after === undefined ? filter : { ...filter, _position: { $gt: '', $lt: after } };
    return this.found(view, rest, { order: 'newest', limit, ...(after !== undefined && { after }) });
  }

  private async found<D>(
    view: ViewDefinition,
    filter: Filter<ViewRow>,
    { order, limit, offset = 0, after }: Omit<ViewQuery, 'where'>,
  ): Promise<Found<D>> {
    const options = { sort: pageSort({ order }), skip: offset, limit, batchSize: limit + 1 };
    if (after !== undefined) refuseOutdated(after);
    const page = await this.readers.ask(view, (rows) => rows.find(filter, options).toArray(), isNone);
    return {
      documents: page.map((row) => documentOf<D>(row)!),
      positions: page.map(({ _position }) => _position!),
    };
  }

  async count(view: ViewDefinition, where: Where): Promise<number> {
    if (asksForNothing(where)) return 0;
    const filter = countFilter(view, where);
    const totals = totalIdsOf(view, where);
    return this.readers.ask(
      view,
      (rows) => (totals ? sumOf(rows, totals) : rows.countDocuments(filter)),
      (n) => n === 0,
    );
  }

  async range<D>(view: ViewDefinition, query: RangeQuery): Promise<readonly D[]> {
    const { limit } = query;
    const filter = rangeFilter(view, query);
    const page = await this.readers.ask(
      view,
      (rows) => rows.find(filter, { sort: rangeSort(query), limit, batchSize: limit + 1 }).toArray(),
      isNone,
    );
    return page.map((row) => documentOf<D>(row)!);
  }

  async totals(view: ViewDefinition, query: TotalsQuery): Promise<readonly Total[]> {
    const { from, end } = totalRange(view, query);
    const ids = { $gte: totalId(from), $lt: totalId(end) };
    const read = (rows: Collection<ViewRow>) =>
      totalsIn(rows)
        .find({ _id: ids }, { sort: { _id: 1 } })
        .toArray();
    const found = await this.readers.ask(view, read, isNone);
    return totalsBy(
      query.by,
      found.map(({ _id, n }) => [totalKey(_id), n]),
    );
  }

  /** Gated by revision: a document that events changed after the read stays unchanged. */
  async setVolatile(view: ViewDefinition, change: VolatileChange): Promise<void> {
    const isGone = (row: unknown) => row === null;
    const row = await this.readers.ask(view, (rows) => rows.findOne({ _id: change.id }), isGone);
    const kept = row && keptOf(row);
    const document = kept?.document && withVolatile(view, kept.document, change);
    if (!document) return;
    const { _id, ...changed } = rowOf(kept, document, view);
    await this.readers.ask(
      view,
      (rows) => rows.replaceOne({ _id, _revision: kept.revision }, changed),
      ({ matchedCount }) => matchedCount === 0,
    );
  }

  private lookUp(view: ViewDefinition): (id: string) => Promise<ViewRow | undefined> {
    let lookUp = this.lookUps.get(view.name);
    if (!lookUp) this.lookUps.set(view.name, (lookUp = batched((ids) => this.stored(view, ids))));
    return lookUp;
  }

  private async stored(
    view: ViewDefinition,
    ids: readonly string[],
  ): Promise<readonly (ViewRow | undefined)[]> {
    const asked = [...new Set(ids)];
    const found = await this.readers.ask(
      view,
      (rows) => rows.find({ _id: { $in: asked } }).toArray(),
      (rows) => rows.length < asked.length,
    );
    const byId = new Map(found.map((row) => [row._id, row]));
    return ids.map((id) => byId.get(id));
  }
}

async function sumOf(rows: Collection<ViewRow>, ids: readonly string[]): Promise<number> {
  const found = await totalsIn(rows)
    .find({ _id: { $in: [...ids] } }, { batchSize: ids.length + 1 })
    .toArray();
  return found.reduce((sum, { n }) => sum + n, 0);
}

export class ViewReaders {
  constructor(
    private readonly db: Db,
    private readonly state: ReadStateCache,
    /** Also reads while others wait for the recovery of a rolled-back log. */
    private readonly evenRolledBack = false,
  ) {}

  /** A dropped collection looks empty, so repeat if the active build has changed. @throws UnavailableError */
  async ask<T>(
    view: ViewDefinition,
    question: (rows: Collection<ViewRow>) => Promise<T>,
    isLacking: (answer: T) => boolean,
  ): Promise<T> {
    const collection = await this.state.collectionOf(view, this.evenRolledBack);
    const put = (asked: string) => calling(() => question(this.db.collection<ViewRow>(asked)));
    const answer = await put(collection);
    if (!isLacking(answer)) return answer;
    const now = await this.state.collectionNow(view, this.evenRolledBack);
    return now === collection ? answer : put(now);
  }
}
