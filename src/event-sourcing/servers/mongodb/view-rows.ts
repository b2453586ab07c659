import type { ViewDocument } from '../../../kernel/projection.js';
import { epochMs, type Instant } from '../../../kernel/time.js';
import type { Scalar } from '../../ports/view-store.port.js';
import type { KeptDocument } from '../../ports/view-writer.port.js';
import { scalarOf } from '../../projections/view-index.js';
import type { CreationPosition } from '../../../kernel/recorded-event.js';

/**
 * Stored form of a document. The document itself is text, because client data (keys with `$` and `.`, `$ref`,
 * `_bsontype`) has a meaning in BSON but none in a string. Queried fields are beside it.
 */
export interface ViewRow {
  readonly _id: string;
  readonly revision: number;
  /** Creation position. Absent from tombstones, so that lists, which require it, omit them. */
  readonly birth?: CreationPosition;
  readonly keys?: Readonly<Record<string, Scalar>>;
  /** JSON. */
  readonly document?: string;
  readonly was_born?: CreationPosition;
  /** Set on tombstones, which are deleted some days later. */
  readonly removed_at?: Date;
}

/** `fields`: the queried fields of the document's view. */
export function rowOf(
  { id, document, revision, birth }: KeptDocument,
  fields: readonly string[],
  now: Instant,
): ViewRow {
  if (!document) return { _id: id, revision, was_born: birth, removed_at: new Date(epochMs(now)) };
  return { _id: id, revision, birth, keys: keysOf(document, fields), document: JSON.stringify(document) };
}

export function keysOf(document: ViewDocument, fields: readonly string[]): Record<string, Scalar> {
  return Object.fromEntries(fields.map((field) => [field, scalarOf(document, field)]));
}

export function keptOf({ _id, revision, birth, was_born, document }: ViewRow): KeptDocument {
  return { id: _id, revision, birth: birth ?? was_born ?? '', document: parsed<ViewDocument>(document) };
}

export function parsed<D>(document: string | undefined): D | undefined {
  return document === undefined ? undefined : (JSON.parse(document) as D);
}
