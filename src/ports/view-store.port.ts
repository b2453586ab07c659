import type { ViewDefinition } from '../kernel/projection.js';
import { UnavailableError } from './event-store.port.js';

export type Scalar = string | boolean | null;

/** Equality per field; a list means any of its values. Only fields of a declared index. */
export type Where = Readonly<Record<string, Scalar | readonly Scalar[]>>;

/** Where a document stands in the order of birth: opaque outside the store, compares as a plain string. */
export type Birth = string;

export interface Found<D> {
  readonly documents: readonly D[];
  /** Births of `documents`, in the same order. */
  readonly births: readonly Birth[];
}

export interface ViewQuery {
  readonly where: Where;
  readonly order: 'newest' | 'oldest';
  readonly limit: number;
  readonly offset?: number;
  /** Exclusive keyset start: only what comes after this birth in the asked order. */
  readonly after?: Birth;
}

/** Reads of the read models. Everything in it can be dropped and rebuilt from events. */
export abstract class ViewStore {
  abstract get<D>(view: ViewDefinition, id: string): Promise<D | undefined>;
  /** Documents in the order of `ids`, missing ones left out. */
  abstract getMany<D>(view: ViewDefinition, ids: readonly string[]): Promise<readonly D[]>;
  abstract find<D>(view: ViewDefinition, query: ViewQuery): Promise<Found<D>>;
  abstract count(view: ViewDefinition, where: Where): Promise<number>;
}

/** Nobody has made the view yet: the read store is new, or was lost. */
export class ViewNotBuiltError extends UnavailableError {
  constructor({ name }: ViewDefinition) {
    super(`view ${name} is not built yet`, 'not_written');
  }
}
