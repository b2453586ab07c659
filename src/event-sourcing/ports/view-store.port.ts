import type { CreationPosition } from '../../kernel/recorded-event.js';
import type { ViewDefinition } from '../../kernel/projection.js';
import { UnavailableError } from '../../kernel/errors.js';

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
  readonly order: 'newest' | 'oldest';
  readonly limit: number;
  readonly offset?: number;
  /** Exclusive keyset start: documents after this position in the given order. */
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

/** New values of volatile fields of one document. */
export interface VolatileChange {
  readonly id: string;
  /** Values that the document must still have; otherwise nothing changes. */
  readonly when: Readonly<Record<string, Scalar | number>>;
  readonly set: Readonly<Record<string, Scalar>>;
}

/** The read models. Everything in it can be dropped and rebuilt from events. */
export abstract class ViewStore {
  abstract get<D>(view: ViewDefinition, id: string): Promise<D | undefined>;
  /** Documents in the order of `ids`, missing ones left out. */
  abstract getMany<D>(view: ViewDefinition, ids: readonly string[]): Promise<readonly D[]>;
  abstract find<D>(view: ViewDefinition, query: ViewQuery): Promise<Found<D>>;
  /** Smallest value first, then oldest document. */
  abstract range<D>(view: ViewDefinition, query: RangeQuery): Promise<readonly D[]>;
  abstract count(view: ViewDefinition, where: Where): Promise<number>;
  /** Newest first. */
  async page<D>(view: ViewDefinition, where: Where, range: ListRange): Promise<ListPage<D>> {
    const { limit, offset } = range;
    const [{ documents }, total] = await Promise.all([
      this.find<D>(view, { where, order: 'newest', limit, offset }),
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
