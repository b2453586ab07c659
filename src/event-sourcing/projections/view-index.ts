import type { ViewDefinition, ViewDocument, ViewIndex } from '../../kernel/projection.js';
import type {
  Scalar,
  Total,
  TotalsQuery,
  ViewQuery,
  VolatileChange,
  Where,
} from '../ports/view-store.port.js';

export type Combination = readonly Scalar[];

/** Undefined for "all documents". @throws Error without a suitable index */
export function indexFor(
  view: ViewDefinition,
  where: Where,
  order: ViewQuery['order'] = 'newest',
): ViewIndex | undefined {
  const asked = Object.keys(where);
  const isLogged = order === 'logged';
  if (asked.length === 0 && !isLogged) return undefined;
  const fits = view.indexes.filter(
    (index) => (index.inLogOrder ?? false) === isLogged && covers(index, where, asked),
  );
  const index = fits.find((candidate) => candidate.onlyWhen) ?? fits[0];
  if (!index) throw new Error(`view ${view.name} has no index for ${asked.join(', ')}`);
  return index;
}

function covers(index: ViewIndex, where: Where, asked: readonly string[]): boolean {
  const { onlyWhen, fields } = index;
  if (onlyWhen && !valuesOf(where, onlyWhen.field).every((value) => onlyWhen.in.includes(value as string))) {
    return false;
  }
  const answered = onlyWhen ? [...fields, onlyWhen.field] : fields;
  return fields.every((field) => asked.includes(field)) && asked.every((field) => answered.includes(field));
}

/** @throws Error without a suitable index */
export function rangeIndex(view: ViewDefinition, field: string): ViewIndex {
  const index = view.indexes.find(({ fields, onlyWhen }) => !onlyWhen && fields.join() === field);
  if (!index) throw new Error(`view ${view.name} has no index for a range of ${field}`);
  return index;
}

/** Of a search by prefix: equality for all fields but the last. @throws Error without a suitable index */
export function prefixIndex(view: ViewDefinition, where: Where, by: string): ViewIndex {
  const asked = [...Object.keys(where), by].join();
  const index = view.indexes.find(({ fields, onlyWhen }) => !onlyWhen && fields.join() === asked);
  if (!index) throw new Error(`view ${view.name} has no index for a prefix of ${asked}`);
  return index;
}

/** Follows every text that begins with the prefix, in the order of UTF-8 bytes. */
export const endOfPrefix = (prefix: string) => `${prefix}\u{10ffff}`;

/** Undefined if the document has other values than expected. @throws RangeError */
export function withVolatile<D extends ViewDocument>(
  view: ViewDefinition,
  document: D,
  { when, set }: VolatileChange,
): D | undefined {
  const lasting = Object.keys(set).find((field) => !view.volatileFields?.includes(field));
  if (lasting !== undefined) throw new RangeError(`field ${lasting} of view ${view.name} is not volatile`);
  const fields = document as Record<string, unknown>;
  const isAsExpected = Object.keys(when).every((field) => (fields[field] ?? null) === when[field]);
  return isAsExpected ? { ...document, ...set } : undefined;
}

/** "Any of no values" matches nothing. */
export function asksForNothing(where: Where): boolean {
  return Object.values(where).some((value) => Array.isArray(value) && value.length === 0);
}

/** Whether an index in the order of the log has the document. */
export function isQueued({ indexes }: ViewDefinition, document: ViewDocument): boolean {
  return indexes.some(
    ({ inLogOrder, onlyWhen }) =>
      inLogOrder && onlyWhen?.in.includes(scalarOf(document, onlyWhen.field) as string),
  );
}

/** A missing field has the value `undefined`, which no index matches. */
export function valuesOf(where: Where, field: string): readonly (Scalar | undefined)[] {
  const asked = where[field];
  return Array.isArray(asked) ? [...new Set(asked as readonly Scalar[])] : [asked as Scalar | undefined];
}

export function combinationsOf(where: Where, fields: readonly string[]): readonly Combination[] {
  return fields.reduce<readonly Combination[]>(
    (rows, field) => rows.flatMap((row) => valuesOf(where, field).map((value) => [...row, value as Scalar])),
    [[]],
  );
}

export function countedFields(view: ViewDefinition, where: Where): readonly string[] | undefined {
  const asked = Object.keys(where);
  return view.countBy?.find(
    (fields) => fields.length === asked.length && fields.every((field) => asked.includes(field)),
  );
}

export function askedFields({ indexes, countBy = [] }: ViewDefinition): readonly string[] {
  const ofIndexes = indexes.flatMap(({ fields, onlyWhen }) => [
    ...fields,
    ...(onlyWhen ? [onlyWhen.field] : []),
  ]);
  return [...new Set([...ofIndexes, ...countBy.flat()])];
}

export function scalarOf(document: ViewDocument, field: string): Scalar {
  return (document as Record<string, Scalar | undefined>)[field] ?? null;
}

export function matches(document: ViewDocument, where: Where): boolean {
  return Object.keys(where).every((field) => valuesOf(where, field).includes(scalarOf(document, field)));
}

/** Fields with type, length and value, e.g. `account_id=s36:…,urgent=t,`. */
export function countKey(fields: readonly string[], values: Combination): string {
  let key = '';
  for (let n = 0; n < fields.length; n++) key += `${fields[n]}=${keyPart(values[n]!)},`;
  return key;
}

/** Keys of the asked totals, and of combinations with the same first fields; `end` is exclusive. */
export interface KeyRange {
  readonly from: string;
  readonly end: string;
}

/** @throws Error if the view keeps no such totals */
export function totalRange(
  { name, countBy = [] }: ViewDefinition,
  { by, first, from }: TotalsQuery,
): KeyRange {
  const next = by[first.length];
  if (next === undefined || !countBy.some((fields) => fields.join() === by.join()))
    throw new Error(`view ${name} keeps no totals by ${by.join(', ')}`);
  const start = `${countKey(by.slice(0, first.length), first)}${next}=`;
  return { from: start + (from === undefined ? '' : keyPart(from)), end: `${start}~` };
}

/** Totals with other fields are left out. */
export function totalsBy(by: readonly string[], kept: Iterable<readonly [key: string, n: number]>): Total[] {
  const totals: Total[] = [];
  for (const [key, n] of kept) {
    const values = n === 0 ? undefined : valuesIn(key, by);
    if (values) totals.push({ values, n });
  }
  return totals;
}

function valuesIn(key: string, fields: readonly string[]): Combination | undefined {
  const values: Scalar[] = [];
  let at = 0;
  for (const field of fields) {
    if (!key.startsWith(`${field}=`, at)) return undefined;
    at += field.length + 1;
    const kind = key[at];
    if (kind === 's') {
      const start = key.indexOf(':', at) + 1;
      at = start + Number(key.slice(at + 1, start - 1));
      values.push(key.slice(start, at));
    } else {
      values.push(kind === 'n' ? null : kind === 't');
      at++;
    }
    at++;
  }
  return at === key.length ? values : undefined;
}

function keyPart(value: Scalar): string {
  if (typeof value === 'string') return `s${value.length}:${value}`;
  return value === null ? 'n' : value ? 't' : 'f';
}

export function forEachCountChange(
  combinations: readonly (readonly string[])[],
  before: ViewDocument | undefined,
  after: ViewDocument | undefined,
  change: (key: string, by: 1 | -1) => void,
): void {
  for (const fields of combinations) {
    if (before && after && sameValues(fields, before, after)) continue;
    if (before) change(keyOf(fields, before), -1);
    if (after) change(keyOf(fields, after), 1);
  }
}

/** Adds the total of all documents; empty for a view without totals. */
export function combinationsWithAll({ countBy }: ViewDefinition): readonly (readonly string[])[] {
  return countBy ? [[], ...countBy] : [];
}

function keyOf(fields: readonly string[], document: ViewDocument): string {
  return countKey(
    fields,
    fields.map((field) => scalarOf(document, field)),
  );
}

function sameValues(fields: readonly string[], a: ViewDocument, b: ViewDocument): boolean {
  return fields.every((field) => scalarOf(a, field) === scalarOf(b, field));
}
