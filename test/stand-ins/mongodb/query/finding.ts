import type { Document } from '../bson/compose.js';
import { pathOf } from '../bson/raw.js';
import type { Collection } from '../storage/collection.js';
import type { Entry } from '../storage/collection-index.js';
import { onlyValue } from '../storage/index-keys.js';
import type { Stored } from '../storage/stored.js';
import { matcher } from './matcher.js';
import { planOf, type IndexPlan, type Plan, type Sort } from './plan.js';

export interface Question {
  readonly filter: Document;
  readonly sort: Sort;
  readonly skip: number;
  /** 0 = all. */
  readonly limit: number;
}

export const everything = (filter: Document): Question => ({ filter, sort: [], skip: 0, limit: 0 });

export function find(collection: Collection | undefined, question: Question): Stored[] {
  const { filter, sort, skip, limit } = question;
  const matches = matcher(filter);
  if (!collection) return [];
  const plan = planOf(collection, filter, sort);
  const end = limit === 0 ? Infinity : skip + limit;
  const found: Stored[] = [];
  for (const stored of candidates(collection, plan)) {
    if (!matches(stored.raw)) continue;
    found.push(stored);
    if (plan.sorted && found.length >= end) break;
  }
  return (plan.sorted ? found : sortedBy(found, sort)).slice(skip, end);
}

/** What explain reports of the work done. */
export function examined(collection: Collection, { filter, sort, skip, limit }: Question) {
  const plan = planOf(collection, filter, sort);
  const matches = matcher(filter);
  let totalDocsExamined = 0;
  let nReturned = 0;
  const end = limit > 0 && plan.sorted ? skip + limit : Infinity;
  for (const { raw } of candidates(collection, plan)) {
    totalDocsExamined++;
    if (matches(raw)) nReturned++;
    if (nReturned === end) break;
  }
  return {
    nReturned: Math.max(0, nReturned - skip),
    totalDocsExamined,
    totalKeysExamined: plan.stage === 'COLLSCAN' ? 0 : totalDocsExamined,
  };
}

export function count(collection: Collection | undefined, filter: Document): number {
  if (!collection) return 0;
  const plan = planOf(collection, filter, []);
  if (plan.stage === 'COLLSCAN' && plan.covered) return collection.size;
  if (plan.stage === 'IXSCAN' && plan.covered)
    return plan.ranges.reduce((sum, range) => sum + plan.index.count(range), 0);
  return find(collection, everything(filter)).length;
}

function candidates(collection: Collection, plan: Plan): Iterable<Stored> {
  switch (plan.stage) {
    case 'IDHACK':
      return plan.ids.flatMap((id) => collection.get(id) ?? []);
    case 'COLLSCAN':
      return collection.all();
    case 'IXSCAN':
      return scan(plan);
  }
}

function* scan(plan: IndexPlan): Generator<Stored> {
  const scans = plan.ranges.map((range) => plan.index.scan(range, plan.direction));
  if (plan.sorted && scans.length > 1) yield* merged(plan, scans);
  else for (const one of scans) for (const { stored } of one) yield stored;
}

/** mongod's SORT_MERGE: each range is in order after its own prefix. */
function* merged(plan: IndexPlan, scans: readonly Generator<Entry>[]): Generator<Stored> {
  const fixed = plan.ranges[0]!.prefix.length;
  const order = (a: Entry, b: Entry) =>
    plan.index.compareFrom(fixed, a.key, b.key) * plan.direction || a.stored.record - b.stored.record;
  const heads = scans.map((one) => one.next());
  for (;;) {
    let first = -1;
    heads.forEach((head, n) => {
      if (!head.done && (first < 0 || order(head.value, heads[first]!.value as Entry) < 0)) first = n;
    });
    if (first < 0) return;
    yield (heads[first]!.value as Entry).stored;
    heads[first] = scans[first]!.next();
  }
}

function sortedBy(found: readonly Stored[], sort: Sort): Stored[] {
  const paths = sort.map(([name, direction]) => ({ path: pathOf(name), direction }));
  return found
    .map((stored) => ({
      stored,
      key: paths.map(({ path }) => onlyValue(stored.raw, path)),
    }))
    .sort((a, b) => {
      for (let n = 0; n < paths.length; n++)
        if (a.key[n] !== b.key[n]) return (a.key[n]! < b.key[n]! ? -1 : 1) * paths[n]!.direction;
      return a.stored.record - b.stored.record;
    })
    .map(({ stored }) => stored);
}
