import type { Document } from '../bson/compose.js';
import { ARRAY_RANK, ordered, REGEX_RANK, rankOf, type Ordered } from '../bson/order.js';

export const isOperators = (value: unknown): value is Document =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  Object.keys(value)[0]?.startsWith('$') === true;

/** One thing a filter asks of one field, with the filter's own words for it. */
export interface Condition {
  readonly path: string;
  readonly operator: string;
  readonly operand: unknown;
}

/** A filter as conditions that must all hold; what concerns no field stands as a condition without a path. */
export function conditionsOf(filter: Document): Condition[] {
  return Object.entries(filter).flatMap(([name, value]): Condition[] => {
    if (name.startsWith('$')) return [{ path: '', operator: name, operand: value }];
    if (!isOperators(value)) return [{ path: name, operator: '$eq', operand: value }];
    return Object.entries(value).map(([operator, operand]) => ({ path: name, operator, operand }));
  });
}

/** The values a field must have one of, where an index can tell. */
export function pointsOf({ operator, operand }: Condition): readonly Ordered[] | undefined {
  const values = operator === '$eq' ? [operand] : operator === '$in' ? (operand as unknown[]) : undefined;
  const points = values?.map(ordered);
  if (!points?.every((point) => rankOf(point) !== ARRAY_RANK && rankOf(point) !== REGEX_RANK))
    return undefined;
  return points.length > 1 ? [...new Set(points)] : points;
}
