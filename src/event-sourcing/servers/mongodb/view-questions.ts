import type { Filter, IndexDescription } from 'mongodb';
import type { ViewDefinition, ViewIndex } from '../../../kernel/projection.js';
import type { PrefixQuery, RangeQuery, Scalar, ViewQuery, Where } from '../../ports/view-store.port.js';
import {
  combinationsWithAll,
  countKey,
  combinationsOf,
  countedFields,
  endOfPrefix,
  indexFor,
  prefixIndex,
  rangeIndex,
  valuesOf,
} from '../../projections/view-index.js';
import { placeInLog } from '../../projections/creation-order.js';
import type { ViewRow } from './view-rows.js';
import { totalId } from './view-totals.js';

const DAY_SECONDS = 24 * 3_600;
/** Longer than any delayed writer can resume. */
const TOMBSTONE_SECONDS = 7 * DAY_SECONDS;

/** @throws Error if no index of the view serves the query */
export function pageFilter(view: ViewDefinition, { where, order, after }: ViewQuery): Filter<ViewRow> {
  indexFor(view, where, order);
  if (order === 'logged') return { ...equalTo(where), _place: { $gt: after ? placeInLog(after) : '' } };
  if (after === undefined) return filterOf(where);
  return { ...filterOf(where), _position: order === 'newest' ? { $lt: after } : { $gt: after } };
}

/** By the values of these fields, which are texts, in this order. */
export type RowOrder = Readonly<Record<string, 1 | -1>>;

export function pageSort({ order }: Pick<ViewQuery, 'order'>): RowOrder {
  return order === 'logged' ? { _place: 1 } : { _position: order === 'newest' ? -1 : 1 };
}

/** @throws Error if no index of the view serves the query */
export function rangeFilter(view: ViewDefinition, { by, from = '', upTo }: RangeQuery): Filter<ViewRow> {
  rangeIndex(view, by);
  const bounds = { $gte: from, ...(upTo !== undefined && { $lte: upTo }) };
  return { [by]: bounds, _position: { $gt: '' } };
}

export function rangeSort({ by }: Pick<RangeQuery, 'by'>): RowOrder {
  return { [by]: 1, _position: 1 };
}

/** @throws Error if no index of the view serves the query */
export function prefixFilter(view: ViewDefinition, { where, by, prefix }: PrefixQuery): Filter<ViewRow> {
  if (by !== undefined) prefixIndex(view, where, by);
  return { ...filterOf(where), [by ?? '_id']: { $gte: prefix, $lte: endOfPrefix(prefix) } };
}

/** Their sum is the count; undefined if the view keeps no total for these fields. */
export function totalIdsOf(view: ViewDefinition, where: Where): readonly string[] | undefined {
  const fields = combinationsWithAll(view).find((one) => sameFields(one, Object.keys(where)));
  return fields && combinationsOf(where, fields).map((values) => totalId(countKey(fields, values)));
}

/** @throws Error if no index of the view serves the query */
export function countFilter(view: ViewDefinition, where: Where): Filter<ViewRow> {
  if (!countedFields(view, where)) indexFor(view, where);
  return filterOf(where);
}

function filterOf(where: Where): Filter<ViewRow> {
  return { ...equalTo(where), _position: { $gt: '' } };
}

function equalTo(where: Where): Filter<ViewRow> {
  return Object.fromEntries(Object.keys(where).map((field) => [field, condition(valuesOf(where, field))]));
}

function condition(values: readonly (Scalar | undefined)[]): unknown {
  return values.length === 1 ? values[0] : { $in: values };
}

/** Each index ends with what orders its query, which tombstones lack. */
export function indexesOf(view: ViewDefinition): IndexDescription[] {
  const asked = view.indexes.map(describe);
  return [
    { name: 'by_position', key: { _position: 1 } },
    ...asked,
    { name: 'removed', key: { _removed_at: 1 }, expireAfterSeconds: TOMBSTONE_SECONDS },
  ];
}

function describe({ fields, onlyWhen, inLogOrder }: ViewIndex): IndexDescription {
  const keys = [...fields, inLogOrder ? '_place' : '_position'];
  const name = `by_${fields.join('_')}`;
  if (!onlyWhen) return { name, key: ascending(keys) };
  const path = onlyWhen.field;
  return {
    name: `${name}_when_${onlyWhen.field}`,
    key: ascending(keys.includes(path) ? keys : [...keys, path]),
    partialFilterExpression: {
      [path]: onlyWhen.in.length === 1 ? onlyWhen.in[0] : { $in: [...onlyWhen.in] },
    },
  };
}

function ascending(paths: readonly string[]): Record<string, 1> {
  return Object.fromEntries(paths.map((path) => [path, 1]));
}

function sameFields(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((field) => b.includes(field));
}
