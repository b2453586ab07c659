import type { DomainEvent, Recorded } from './recorded-event.js';

/** Plain JSON; fields are named as the API shows them (snake_case). */
export type ViewDocument = object;

/** An index a view is asked by; lists by it come in order of birth. */
export interface ViewIndex {
  /** Top-level fields of the document with string, boolean or null values; equality only. */
  readonly fields: readonly string[];
  /** Keeps the index to documents whose field holds one of these values. */
  readonly onlyWhen?: { readonly field: string; readonly in: readonly string[] };
}

export interface ViewDefinition {
  /** kebab-case noun, e.g. `job-view`. */
  readonly name: string;
  /** Raised when documents change shape: a new version is built side by side. */
  readonly version: number;
  readonly indexes: readonly ViewIndex[];
  /** Combinations of fields for which the store keeps exact totals. */
  readonly countBy?: readonly (readonly string[])[];
  /** Fields that live operation may move (a deferred timer); left out when digests are compared. */
  readonly volatileFields?: readonly string[];
}

/**
 * Folds events into documents. Pure. A document belongs to the first event that made it: its *birth* is that
 * event's position, and lists are ordered by birth. All events of one document come from one stream.
 */
export interface Projection<D extends ViewDocument = ViewDocument, E extends DomainEvent = DomainEvent> {
  readonly view: ViewDefinition;
  readonly handles: readonly E['type'][];
  /** Ids of the documents that the event touches. */
  keysOf(event: Recorded<E>): readonly string[];
  /** The document after the event; `undefined` takes it away. Never mutates. */
  apply(document: D | undefined, event: Recorded<E>, key: string): D | undefined;
}

/** A projection of any document and event type, as runners hold them. */
export type AnyProjection = Projection<any, any>;
