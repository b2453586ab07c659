import type { CreationPosition, Position } from '../../kernel/recorded-event.js';
import type { ViewDefinition } from '../../kernel/projection.js';
import { UnavailableError } from '../../kernel/errors.js';
import type { Milliseconds } from '../../kernel/time.js';

export type Scalar = string | boolean | null;

/** Equality per field; a list means any of its values. Only fields of a declared index. */
export type Where = Readonly<Record<string, Scalar | readonly Scalar[]>>;

export interface Found<D> {
  readonly documents: readonly D[];
  /** Creation positions of `documents`, in the same order. */
  readonly positions: readonly CreationPosition[];
}

export interface ViewQuery {
  readonly where: Where;
  /** By the time of creation; or `logged`: by the place of the first event in the log, from an index `inLogOrder`. */
  readonly order: 'newest' | 'oldest' | 'logged';
  readonly limit: number;
  readonly offset?: number;
  /** Exclusive keyset start: documents after this position in the given order. @throws OutdatedPositionError */
  readonly after?: CreationPosition;
}

/** Part of a list that goes on after a position. */
export interface Keyset {
  readonly limit: number;
  readonly after?: CreationPosition;
}

/** Part of a list with page numbers. */
export interface ListRange {
  readonly limit: number;
  readonly offset: number;
}

export interface ListPage<D> {
  readonly items: readonly D[];
  /** Of the whole list. */
  readonly total: number;
}

/** Documents in the order of a text field that an index of its own covers; those without a text there are left out. */
export interface RangeQuery {
  readonly by: string;
  /** Inclusive, as `upTo`; absent means no bound. */
  readonly from?: string;
  readonly upTo?: string;
  readonly limit: number;
}

/** Kept totals of one combination of `countBy`. */
export interface TotalsQuery {
  readonly by: readonly string[];
  /** Values of the first fields of `by`; not of all. */
  readonly first: readonly Scalar[];
  /** Smallest value of the field after those, whose values are texts of one length. */
  readonly from?: string;
}

/** How many documents have these values, in the order of the fields. */
export interface Total {
  readonly values: readonly Scalar[];
  readonly n: number;
}

/** Documents whose text begins with a prefix, newest first. Letters count as they are stored. */
export interface PrefixQuery {
  /** The fields of the index before `by`. */
  readonly where: Where;
  /** Last field of an index; absent: the id of the document, and `where` is empty. */
  readonly by?: string;
  readonly prefix: string;
  readonly limit: number;
  /** Exclusive keyset start: documents before this position. */
  readonly after?: CreationPosition;
  /** More matches than this are not sorted. */
  readonly max: number;
}

/** New values of volatile fields of one document. */
export interface VolatileChange {
  readonly id: string;
  /** Values that the document must still have; otherwise nothing changes. */
  readonly when: Readonly<Record<string, Scalar | number>>;
  readonly set: Readonly<Record<string, Scalar>>;
}

/** The read models. Everything in it can be dropped and rebuilt from events. */
export abstract class ViewStore {
  /**
   * @param stream the one of the document, where it has another id: on server stores a document that the view does not
   * show yet is folded from it
   * @throws UnavailableError on server stores if the view lags and nothing says which stream has the document
   */
  abstract get<D>(view: ViewDefinition<D>, id: string, stream?: string): Promise<D | undefined>;
  /** Documents in the order of `ids`, missing ones left out. */
  abstract getMany<D>(view: ViewDefinition<D>, ids: readonly string[]): Promise<readonly D[]>;
  abstract find<D>(view: ViewDefinition<D>, query: ViewQuery): Promise<Found<D>>;
  async list<D>(view: ViewDefinition<D>, query: ViewQuery): Promise<readonly D[]> {
    return (await this.find(view, query)).documents;
  }
  /** Smallest value first, then oldest document. */
  abstract range<D>(view: ViewDefinition<D>, query: RangeQuery): Promise<readonly D[]>;
  /** Undefined if more than `max` documents match, or more than the store can sort: read those of `find` instead, which then soon meet a match. */
  abstract findPrefix<D>(view: ViewDefinition<D>, query: PrefixQuery): Promise<Found<D> | undefined>;
  abstract count(view: ViewDefinition, where: Where): Promise<number>;
  /** Totals that are not zero, in the order of their keys. One read for a whole chart. */
  abstract totals(view: ViewDefinition, query: TotalsQuery): Promise<readonly Total[]>;
  /** How many documents have each of the values, from the totals kept by this field alone. */
  async totalsBy<V extends string>(
    view: ViewDefinition,
    field: string,
    values: readonly V[],
  ): Promise<Readonly<Record<V, number>>> {
    const totals = await this.totals(view, { by: [field], first: [] });
    const counted = new Map(totals.map(({ values: [value], n }) => [value, n]));
    return Object.fromEntries(values.map((value) => [value, counted.get(value) ?? 0])) as Record<V, number>;
  }
  /** Newest first. */
  async page<D>(view: ViewDefinition<D>, where: Where, range: ListRange): Promise<ListPage<D>> {
    const { limit, offset } = range;
    const [{ documents }, total] = await Promise.all([
      this.find(view, { where, order: 'newest', limit, offset }),
      this.count(view, where),
    ]);
    return { items: documents, total };
  }
  /** The only write that no event asks for, so only `volatileFields` of the view may be set. @throws RangeError */
  abstract setVolatile(view: ViewDefinition, change: VolatileChange): Promise<void>;
}

/** The view is not built yet: the read store is new, or was lost. */
export class ViewNotBuiltError extends UnavailableError {
  constructor({ name }: ViewDefinition) {
    super(`view ${name} is not built yet`, 'not_written');
  }
}

export interface ViewStatus {
  readonly name: string;
  readonly version: number;
  /** Position of the last event the view has seen. */
  readonly position: Position | undefined;
  /** Events the view is behind. */
  readonly lag: number;
}

export interface ViewVerification {
  readonly name: string;
  readonly equal: boolean;
  readonly documents: number;
  readonly live_digest: string;
  readonly replay_digest: string;
}

export abstract class ViewMaintenance {
  /** Readiness: resolves when read models can be read, however old they are. */
  abstract check(): Promise<void>;
  abstract list(): Promise<readonly ViewStatus[]>;
  /** For how long at least the views have lacked an event of the log; 0 when they lack none. */
  behindMs(): Promise<Milliseconds> {
    return Promise.resolve(0);
  }
  /** Rebuilds the view from all events beside the old one, then switches. */
  abstract rebuild(name: string): Promise<ViewStatus>;
  /** Replays all events into a shadow of every view and compares digests of the documents. */
  abstract verify(): Promise<readonly ViewVerification[]>;
}
