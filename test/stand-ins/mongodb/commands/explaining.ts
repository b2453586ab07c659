import type { Document } from '../bson/compose.js';
import { everything, examined } from '../query/finding.js';
import { planOf, sortOf, type Plan, type Sort } from '../query/plan.js';
import { notServed } from '../server-error.js';
import { collectionOf, type Call, type Handler } from './call.js';

const keyPatternOf = (plan: Extract<Plan, { stage: 'IXSCAN' }>) =>
  Object.fromEntries(plan.index.definition.parts.map(({ name, direction }) => [name, direction]));

function inputStage(plan: Plan, filter: Document): Document {
  if (plan.stage === 'COLLSCAN') return { stage: 'COLLSCAN', direction: 'forward' };
  if (plan.stage === 'IDHACK') return byId(plan.ids.length, filter);
  const scan = {
    ...{ stage: 'IXSCAN', keyPattern: keyPatternOf(plan), indexName: plan.index.definition.name },
    ...{ isMultiKey: false, isUnique: plan.index.definition.unique },
    ...{ isPartial: plan.index.definition.partial !== undefined },
    direction: plan.direction === 1 ? 'forward' : 'backward',
  };
  const isMerged = plan.sorted && plan.ranges.length > 1;
  return { stage: 'FETCH', inputStage: isMerged ? { stage: 'SORT_MERGE', inputStage: scan } : scan };
}

/** IDHACK is for one `_id` and nothing else (CanonicalQuery::isSimpleIdQuery). */
function byId(ids: number, filter: Document): Document {
  if (ids === 1 && Object.keys(filter).length === 1) return { stage: 'IDHACK' };
  return { stage: 'FETCH', inputStage: { stage: 'IXSCAN', keyPattern: { _id: 1 }, indexName: '_id_' } };
}

function winningPlan(plan: Plan, sort: Sort, filter: Document): Document {
  const input = inputStage(plan, filter);
  return plan.sorted ? input : { stage: 'SORT', sortPattern: Object.fromEntries(sort), inputStage: input };
}

/**
 * The plan this server would use, in mongod's words: https://www.mongodb.com/docs/manual/reference/explain-results/
 */
export const explain: Handler = (call) => {
  const explained = call.command.args['explain'] as Document;
  if (!('find' in explained)) throw notServed('explain of anything but a find');
  const inner: Call = { ...call, command: { ...call.command, name: 'find', args: explained } };
  const collection = collectionOf(inner);
  const filter = (explained['filter'] ?? {}) as Document;
  const sort = sortOf(explained['sort']);
  if (!collection) return { queryPlanner: { winningPlan: { stage: 'EOF' } }, ok: 1 };
  const plan = planOf(collection, filter, sort);
  const limits = { skip: Number(explained['skip'] ?? 0), limit: Number(explained['limit'] ?? 0) };
  const found = examined(collection, { ...everything(filter), sort, ...limits });
  return {
    explainVersion: '1',
    queryPlanner: {
      ...{ namespace: collection.namespace, parsedQuery: filter },
      ...{ winningPlan: winningPlan(plan, sort, filter), rejectedPlans: [] },
    },
    executionStats: { executionSuccess: true, ...found },
    ok: 1,
  };
};
