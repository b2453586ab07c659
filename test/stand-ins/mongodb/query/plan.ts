import type { Document } from '../bson/compose.js';
import { numberOf } from '../bson/compose.js';
import { afterRank, ordered, rankOf, ARRAY_RANK, REGEX_RANK, type Ordered } from '../bson/order.js';
import type { Collection } from '../storage/collection.js';
import type { Bound, CollectionIndex, Range } from '../storage/collection-index.js';
import { conditionsOf, pointsOf, type Condition } from './conditions.js';

/** How documents will be found, in the words of explain. */
export type Plan =
  | { readonly stage: 'IDHACK'; readonly ids: readonly Ordered[]; readonly sorted: boolean }
  | { readonly stage: 'COLLSCAN'; readonly sorted: boolean; readonly covered: boolean }
  | IndexPlan;

export interface IndexPlan {
  readonly stage: 'IXSCAN';
  readonly index: CollectionIndex;
  readonly direction: 1 | -1;
  readonly ranges: readonly Range[];
  /** The index gives the order asked for. */
  readonly sorted: boolean;
  /** The index tells all that the filter asks. */
  readonly covered: boolean;
}

export type Sort = readonly (readonly [string, 1 | -1])[];

export const sortOf = (sort: unknown): Sort =>
  Object.entries((sort ?? {}) as Document).map(([name, direction]) => [
    name,
    numberOf(direction) < 0 ? -1 : 1,
  ]);

/** mongod explodes at most this many ranges for an ordered merge (internalQueryMaxScansToExplode). */
const MAX_RANGES = 200;

/**
 * The index whose leading fields the filter fixes for longest; among those one that gives the order, then one that
 * bounds the next field. mongod tries the candidates out instead; what it can answer by an index, this can.
 */
export function planOf(collection: Collection, filter: Document, sort: Sort): Plan {
  const conditions = conditionsOf(filter);
  const ids = conditions.filter(({ path }) => path === '_id').map(pointsOf)[0];
  if (ids && (sort.length === 0 || ids.length === 1)) return { stage: 'IDHACK', ids, sorted: true };
  const wantsOrderOfId = sort[0]?.[0] === '_id' || conditions.some(({ path }) => path === '_id');
  const candidates = [...collection.indexes, ...(wantsOrderOfId ? [collection.byId()] : [])]
    .filter((index) => isUsable(index, conditions))
    .map((index) => candidate(index, conditions, sort))
    .filter((found) => found.worth > 0)
    .sort((a, b) => b.worth - a.worth);
  return (
    candidates[0]?.plan ?? { stage: 'COLLSCAN', sorted: sort.length === 0, covered: conditions.length === 0 }
  );
}

/** A partial index knows all documents asked for if every value the filter allows is one it keeps. */
function isUsable(index: CollectionIndex, conditions: readonly Condition[]): boolean {
  const kept = index.definition.partial;
  if (!kept) return true;
  return Object.keys(kept).every((path) => {
    const asked = conditions.find((condition) => condition.path === path && pointsOf(condition));
    if (!asked) return false;
    const values = asked.operator === '$in' ? (asked.operand as unknown[]) : [asked.operand];
    return values.every((value) => index.keeps(path, value));
  });
}

function candidate(index: CollectionIndex, conditions: readonly Condition[], sort: Sort) {
  const { parts } = index.definition;
  const used = new Set<Condition>();
  let prefixes: Ordered[][] = [[]];
  let fixed = 0;
  for (const part of parts) {
    const condition = conditions.find((one) => one.path === part.name && pointsOf(one));
    const points = condition && pointsOf(condition);
    if (!points || prefixes.length * points.length > MAX_RANGES) break;
    prefixes = points.flatMap((point) => prefixes.map((prefix) => [...prefix, point]));
    used.add(condition);
    fixed++;
  }
  const direction = directionFor(index, sort, conditions, fixed);
  const { bounds, compared } = boundsOf(index, conditions, fixed);
  const ranges = prefixes.map((prefix) => ({ prefix, ...bounds }));
  const sorted = sort.length === 0 || direction !== undefined;
  const ordersSomething = sort.length > 0 && sorted;
  return {
    worth: fixed * 4 + (ordersSomething ? 2 : 0) + (bounds ? 1 : 0),
    plan: {
      ...{ stage: 'IXSCAN' as const, index, direction: direction ?? (1 as const), ranges, sorted },
      covered: used.size + compared === conditions.length,
    },
  };
}

/** The direction in which the fields after the fixed ones come in the order asked for. */
function directionFor(
  { definition: { parts } }: CollectionIndex,
  sort: Sort,
  conditions: readonly Condition[],
  fixed: number,
): 1 | -1 | undefined {
  const isConstant = (name: string) =>
    conditions.some((one) => one.path === name && pointsOf(one)?.length === 1);
  const wanted = sort.filter(([name]) => !isConstant(name));
  const given = parts.slice(fixed);
  if (wanted.length === 0) return 1;
  const direction = given[0] && (wanted[0]![1] === given[0].direction ? 1 : -1);
  if (!direction) return undefined;
  const follows = wanted.every(
    ([name, way], n) => given[n]?.name === name && given[n].direction * direction === way,
  );
  return follows ? direction : undefined;
}

function boundsOf(
  index: CollectionIndex,
  conditions: readonly Condition[],
  fixed: number,
): { bounds?: Pick<Range, 'low' | 'high'>; compared: number } {
  const part = index.definition.parts[fixed];
  const compared = conditions.filter(
    ({ path, operator, operand }) =>
      path === part?.name && /^\$[gl]te?$/.test(operator) && isComparable(ordered(operand)),
  );
  if (!part || compared.length === 0) return { compared: 0 };
  const type = ordered(compared[0]!.operand);
  const isOneType = compared.every(({ operand }) => rankOf(ordered(operand)) === rankOf(type));
  let low: Bound = { value: rankOf(type), inclusive: true };
  let high: Bound = { value: afterRank(type), inclusive: false };
  for (const { operator, operand } of compared) {
    const bound = { value: ordered(operand), inclusive: operator.endsWith('e') };
    if (operator.startsWith('$g')) low = isTighter(bound, bound.value > low.value, low) ? bound : low;
    else high = isTighter(bound, bound.value < high.value, high) ? bound : high;
  }
  const bounds = part.direction === 1 ? { low, high } : { low: high, high: low };
  return { bounds, compared: isOneType ? compared.length : 0 };
}

const isTighter = (bound: Bound, lies: boolean, than: Bound) =>
  lies || (bound.value === than.value && !bound.inclusive);

const isComparable = (value: Ordered) => rankOf(value) !== ARRAY_RANK && rankOf(value) !== REGEX_RANK;
