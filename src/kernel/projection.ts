import type { DomainEvent, Recorded, RecordedEvent } from './recorded-event.js';
import type { Instant } from './time.js';

/** Plain JSON with the field names of the API (snake_case). */
export type ViewDocument = object;

/** Index for a query; results are ordered by creation position, which begins with a time, or by that of the log. */
export interface ViewIndex {
  /** Top-level fields of the document with string, boolean or null values; equality only. */
  readonly fields: readonly string[];
  /** Limits the index to documents whose field has one of these values. */
  readonly onlyWhen?: { readonly field: string; readonly in: readonly string[] };
  /** For queues, whose order no clock may change. Only with `onlyWhen`: documents pay for it while they wait. */
  readonly inLogOrder?: true;
}

export interface ViewDefinition<D = any> {
  /** kebab-case noun, e.g. `job-view`. */
  readonly name: string;
  /** Raise it if documents change shape: the new version is built beside the old one. */
  readonly version: number;
  readonly indexes: readonly ViewIndex[];
  /** Combinations of fields with exact counts kept by the store. */
  readonly countBy?: readonly (readonly string[])[];
  /** Fields changed outside events (deferred timers); excluded from digests. */
  readonly volatileFields?: readonly string[];
  /** Never set: names the type of the documents. */
  readonly documents?: D;
}

/**
 * Folds events into documents. Pure. Time and position of its first event are a document's creation position, by which
 * lists are ordered. All events of one document come from one stream.
 */
export interface Projection<D extends ViewDocument = ViewDocument, E extends DomainEvent = DomainEvent> {
  readonly view: ViewDefinition<D>;
  /** Of the streams, if each document has the id of its one stream, from which it can be folded alone. */
  readonly category?: string;
  readonly handles: readonly E['type'][];
  /** Ids of the documents changed by the event. */
  keysOf(event: Recorded<E>): readonly string[];
  /** The document after the event; `undefined` deletes it. Never mutates. */
  apply(document: D | undefined, event: Recorded<E>, key: string): D | undefined;
}

/** How an event changes its document, by type. `at`: of the event. */
export type Moves<D, Data> = {
  readonly [T in keyof Data]: (data: Data[T], at: Instant, before: D) => Partial<D>;
};

/** The types of events that a table has an entry for. */
export const typesOf = <T extends string>(table: Readonly<Record<T, unknown>>) => Object.keys(table) as T[];

/** What the event changes in the document. */
export function changesBy<D>(
  moves: Moves<D, any>,
  { type, data, metadata }: Pick<RecordedEvent, 'type' | 'data' | 'metadata'>,
  before: D,
): Partial<D> {
  return moves[type]!(data, metadata.at, before);
}

export type AnyProjection = Projection<any, any>;

/** Types of the events that at least one of the projections handles. */
export function handledBy(projections: readonly AnyProjection[]): readonly string[] {
  return [...new Set(projections.flatMap(({ handles }) => handles as readonly string[]))];
}
