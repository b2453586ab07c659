import type { ViewDocument } from '../../../kernel/projection.js';
import { epochMs, type Instant } from '../../../kernel/time.js';
import type { KeptDocument } from '../../ports/view-writer.port.js';
import { askedFields, isQueued, scalarOf } from '../../projections/view-index.js';
import { placeInLog } from '../../projections/creation-order.js';
import type { ViewDefinition } from '../../../kernel/projection.js';
import type { CreationPosition } from '../../../kernel/recorded-event.js';

/** Own fields begin with `_`. A document unfit for BSON is stored as text beside its queried fields. */
export interface ViewRow {
  readonly _id: string;
  readonly _revision: number;
  /** Absent from tombstones, so that lists, which require it, omit them. */
  readonly _position?: CreationPosition;
  /** Of documents in an index in the order of the log; the others save its 40 bytes. */
  readonly _place?: string;
  readonly _json?: string;
  readonly _former_position?: CreationPosition;
  /** Set on tombstones, which are deleted some days later. */
  readonly _removed_at?: Date;
  readonly [field: string]: unknown;
}

export function rowOf(
  { id, revision, creationPosition }: KeptDocument,
  document: ViewDocument,
  view: ViewDefinition,
): ViewRow {
  const row = {
    ...{ _id: id, _revision: revision, _position: creationPosition },
    ...(isQueued(view, document) && { _place: placeInLog(creationPosition) }),
  };
  if (fitsBson(document)) return { ...row, ...document };
  const queried = Object.fromEntries(askedFields(view).map((field) => [field, scalarOf(document, field)]));
  return { ...row, ...queried, _json: JSON.stringify(document) };
}

export function tombstoneOf({ id, revision, creationPosition }: KeptDocument, now: Instant): ViewRow {
  return {
    _id: id,
    _revision: revision,
    _former_position: creationPosition,
    _removed_at: new Date(epochMs(now)),
  };
}

export function keptOf(row: ViewRow): KeptDocument {
  const { _id, _revision, _position, _former_position } = row;
  const position = _position ?? _former_position ?? '';
  return {
    id: _id,
    revision: _revision,
    creationPosition: position,
    document: documentOf<ViewDocument>(row),
  };
}

export function documentOf<D>(row: ViewRow): D | undefined {
  const { _id, _revision, _position, _place, _json, ...document } = row;
  if (_position === undefined) return undefined;
  return (_json === undefined ? document : JSON.parse(_json)) as D;
}

/** Far below the server's limit of 100 levels. */
const MAX_DEPTH = 50;
const PLAIN_KEY = /^[^_$.\0][^.\0]*$/;
/** The driver calls `toBSON`. */
const SPECIAL_KEYS = ['toBSON', 'toJSON'];

/** The driver returns the value as JSON would. */
function fitsBson(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((one) => one !== undefined && fitsBson(one, depth + 1));
  return Object.entries(value).every(
    ([key, one]) => PLAIN_KEY.test(key) && !SPECIAL_KEYS.includes(key) && fitsBson(one, depth + 1),
  );
}
