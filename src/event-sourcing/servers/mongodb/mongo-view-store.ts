import type { Collection, Filter } from 'mongodb';
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
  type RowOrder,
  totalIdsOf,
} from './view-questions.js';
import { batched } from './batched.js';
import { partitionOf } from '../../ports/partitions.js';
import { refuseOutdated } from '../../projections/creation-order.js';
import { documentOf, keptOf, rowOf, type ViewRow } from './view-rows.js';
import { totalId, totalKey, totalsIn, type TotalRow } from './view-totals.js';
import type { MongoReadModels } from './mongo-read-models.js';
import { calling } from './mongo-errors.js';

type GetBeyond = <D>(
  view: ViewDefinition<D>,
  id: string,
  read: (stream?: string) => Promise<D | undefined>,
  stream?: string,
) => Promise<D | undefined>;

/** The server sorts all matches of a prefix for each page. */
const MAX_SORTED = 10_000;
const isNone = (rows: readonly unknown[]) => rows.length === 0;
const sumOf = (parts: readonly number[]) => parts.reduce((sum, n) => sum + n, 0);

type LookUp = (id: string) => Promise<ViewRow | undefined>;

/** Reads the active builds; every list uses an index. */
export class MongoViewStore extends ViewStore {
  private readonly lookUps = new Map<string, LookUp>();

  /** @param folding of documents that views lack */
  constructor(
    private readonly readers: ViewReaders,
    private readonly folding?: { readonly get: GetBeyond },
  ) {
    super();
  }

  get<D>(view: ViewDefinition, id: string, given?: string): Promise<D | undefined> {
    const read = async (stream?: string) => {
      const row = await this.lookUp(view, stream)(id);
      return row && documentOf<D>(row);
    };
    return this.folding ? this.folding.get(view, id, read, given) : read();
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
    const bounded = (rows: Collection<ViewRow>) => rows.countDocuments(filter, { limit: max + 1 });
    const isZero = (n: number) => n === 0;
    if ((await this.readers.ask(view, bounded, sumOf, isZero)) > max) return undefined;
    const rest = after === undefined ? filter : { ...filter, _position: { $gt: '', $lt: after } };
    return this.found(view, rest, { order: 'newest', limit, ...(after !== undefined && { after }) });
  }

  private async found<D>(
    view: ViewDefinition,
    filter: Filter<ViewRow>,
    { order, limit, offset = 0, after }: Omit<ViewQuery, 'where'>,
  ): Promise<Found<D>> {
    if (after !== undefined) refuseOutdated(after);
    const page = await this.rows(view, filter, { sort: pageSort({ order }), limit, offset });
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
      (rows) => (totals ? totalOf(rows, totals) : rows.countDocuments(filter)),
      sumOf,
      (n) => n === 0,
    );
  }

  async range<D>(view: ViewDefinition, query: RangeQuery): Promise<readonly D[]> {
    const { limit } = query;
    const filter = rangeFilter(view, query);
    const page = await this.rows(view, filter, { sort: rangeSort(query), limit });
    return page.map((row) => documentOf<D>(row)!);
  }

  async totals(view: ViewDefinition, query: TotalsQuery): Promise<readonly Total[]> {
    const { from, end } = totalRange(view, query);
    const ids = { $gte: totalId(from), $lt: totalId(end) };
    const read = (rows: Collection<ViewRow>) =>
      totalsIn(rows)
        .find({ _id: ids }, { sort: { _id: 1 } })
        .toArray();
    const found = await this.readers.ask(view, read, added, isNone);
    return totalsBy(
      query.by,
      found.map(({ _id, n }) => [totalKey(_id), n]),
    );
  }

  /** Gated by revision: a document that events changed after the read stays unchanged. */
  async setVolatile(view: ViewDefinition, change: VolatileChange): Promise<void> {
    const [row] = await this.stored(view, [change.id]);
    const kept = row && keptOf(row);
    const document = kept?.document && withVolatile(view, kept.document, change);
    if (!document) return;
    const { _id, ...changed } = rowOf(kept, document, view);
    await this.readers.ask(
      view,
      async (rows) => (await rows.replaceOne({ _id, _revision: kept.revision }, changed)).matchedCount,
      sumOf,
      (n) => n === 0,
    );
  }

  /** @param stream of the document, whose partition alone is then asked */
  private lookUp(view: ViewDefinition, stream?: string): LookUp {
    const { count } = this.readers;
    const part = stream === undefined || count === 1 ? undefined : partitionOf(stream, count);
    const key = part === undefined ? view.name : `${view.name} ${part}`;
    let lookUp = this.lookUps.get(key);
    if (!lookUp) this.lookUps.set(key, (lookUp = batched((ids) => this.stored(view, ids, part))));
    return lookUp;
  }

  private async stored(
    view: ViewDefinition,
    ids: readonly string[],
    part?: number,
  ): Promise<readonly (ViewRow | undefined)[]> {
    const asked = [...new Set(ids)];
    const found = await this.readers.ask(
      view,
      (rows) => rows.find({ _id: { $in: asked } }).toArray(),
      (parts) => parts.flat(),
      (rows) => rows.length < asked.length,
      part,
    );
    const byId = new Map(found.map((row) => [row._id, row]));
    return ids.map((id) => byId.get(id));
  }

  private rows(
    view: ViewDefinition,
    filter: Filter<ViewRow>,
    {
      sort,
      limit,
      offset = 0,
    }: { readonly sort: RowOrder; readonly limit: number; readonly offset?: number },
  ): Promise<readonly ViewRow[]> {
    const isOne = this.readers.count === 1;
    const [skip, most] = isOne ? [offset, limit] : [0, offset + limit];
    const read = (rows: Collection<ViewRow>) =>
      rows.find(filter, { sort, skip, limit: most, batchSize: most + 1 }).toArray();
    const merge = (parts: readonly ViewRow[][]) =>
      isOne
        ? parts[0]!
        : parts
            .flat()
            .sort(comparing(sort))
            .slice(offset, offset + limit);
    return this.readers.ask(view, read, merge, isNone);
  }
}

/** The fields of an order are texts. */
function comparing(sort: RowOrder): (a: object, b: object) => number {
  return (a, b) => {
    for (const [field, direction] of Object.entries(sort)) {
      const [one, other] = [a, b].map((row) => (row as Record<string, string>)[field]!) as [string, string];
      if (one !== other) return one < other ? -direction : direction;
    }
    return 0;
  };
}

/** Of all partitions, in the order of their keys. */
function added(parts: readonly TotalRow[][]): readonly TotalRow[] {
  if (parts.length === 1) return parts[0]!;
  const sums = new Map<string, TotalRow>();
  for (const row of parts.flat()) sums.set(row._id, { ...row, n: row.n + (sums.get(row._id)?.n ?? 0) });
  return [...sums.values()].sort(comparing({ _id: 1 }));
}

async function totalOf(rows: Collection<ViewRow>, ids: readonly string[]): Promise<number> {
  const found = await totalsIn(rows)
    .find({ _id: { $in: [...ids] } }, { batchSize: ids.length + 1 })
    .toArray();
  return found.reduce((sum, { n }) => sum + n, 0);
}

export class ViewReaders {
  constructor(
    private readonly parts: readonly Pick<MongoReadModels, 'db' | 'state'>[],
    /** Also reads while others wait for the recovery of a rolled-back log. */
    private readonly evenRolledBack = false,
  ) {}

  get count(): number {
    return this.parts.length;
  }

  /**
   * A dropped collection looks empty, so repeat if the active build has changed. @throws UnavailableError
   * @param join of the answers of all partitions
   * @param part only this one is asked
   */
  async ask<T, A>(
    view: ViewDefinition,
    question: (rows: Collection<ViewRow>) => Promise<T>,
    join: (parts: T[]) => A,
    isLacking: (answer: A) => boolean,
    part?: number,
  ): Promise<A> {
    const asked = part === undefined ? this.parts : [this.parts[part]!];
    const put = async (collections: readonly string[]) =>
      join(
        await Promise.all(
          asked.map(({ db }, n) => calling(() => question(db.collection<ViewRow>(collections[n]!)))),
        ),
      );
    const before = await Promise.all(asked.map(({ state }) => state.collectionOf(view, this.evenRolledBack)));
    const answer = await put(before);
    if (!isLacking(answer)) return answer;
    const now = await Promise.all(asked.map(({ state }) => state.collectionNow(view, this.evenRolledBack)));
    return now.every((collection, n) => collection === before[n]) ? answer : put(now);
  }
}
