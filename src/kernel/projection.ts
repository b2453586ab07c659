import type { DomainEvent, Recorded } from './recorded-event.js';

/** Plain JSON with the field names of the API (snake_case). */
export type ViewDocument = object;

/** Results are ordered by creation position. */
export interface ViewIndex {
  /** Top-level fields with string, boolean or null values; equality only. */
  readonly fields: readonly string[];
  /** Partial index: documents whose field has one of these values. */
  readonly onlyWhen?: { readonly field: string; readonly in: readonly string[] };
}

export interface ViewDefinition {
  /** Noun in kebab-case, e.g. `job-view`. */
  readonly name: string;
  /** Increment if documents change shape: the new version is built beside the old one. */
  readonly version: number;
  readonly indexes: readonly ViewIndex[];
  /** Exact counts kept by the store. */
  readonly countBy?: readonly (readonly string[])[];
  /** Changed outside events (deferred timers); excluded from digests. */
  readonly volatileFields?: readonly string[];
}

/** Pure. All events of a document come from one stream; the first sets its creation position. */
export interface Projection<D extends ViewDocument = ViewDocument, E extends DomainEvent = DomainEvent> {
  readonly view: ViewDefinition;
  readonly handles: readonly E['type'][];
  keysOf(event: Recorded<E>): readonly string[];
  /** `undefined` deletes the document. Never mutates. */
  apply(document: D | undefined, event: Recorded<E>, key: string): D | undefined;
}

export type AnyProjection = Projection<any, any>;

export function handledBy(projections: readonly AnyProjection[]): readonly string[] {
  return [...new Set(projections.flatMap(({ handles }) => handles as readonly string[]))];
}
