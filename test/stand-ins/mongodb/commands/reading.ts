import { Aggregator } from 'mingo';
import type { Long } from 'bson';
import { encode, isTrue, numberOf, promoted, untyped, type Document } from '../bson/compose.js';
import type { Raw } from '../bson/raw.js';
import { ordered } from '../bson/order.js';
import { count, everything, find, type Question } from '../query/finding.js';
import { valuesOf } from '../query/values.js';
import { sortOf } from '../query/plan.js';
import { projection } from '../query/projection.js';
import { ServerError } from '../server-error.js';
import { collectionName, collectionOf, documentAt, type Call, type Handler } from './call.js';

const namespaceOf = (call: Call) => `${call.command.db}.${collectionName(call)}`;

/** https://www.mongodb.com/docs/manual/reference/command/find/: `hint`, `collation` and read concern change nothing here. */
export const findCommand: Handler = (call) => {
  const { args } = call.command;
  const limit = numberOf(args['limit']);
  const found = find(collectionOf(call), {
    filter: documentAt(call, 'filter'),
    sort: sortOf(args['sort']),
    skip: numberOf(args['skip']),
    limit: Math.abs(limit),
  });
  const project = projection(documentAt(call, 'projection'));
  const documents = call.faults.isCutOff ? [] : found.map(({ raw }) => project(raw));
  const isSingle = isTrue(args['singleBatch']) || limit < 0;
  return call.cursors.reply(namespaceOf(call), documents, args['batchSize'], isSingle);
};

export const getMore: Handler = ({ command: { args }, cursors }) =>
  cursors.more(args['getMore'] as Long, args['batchSize']);

export const killCursors: Handler = ({ command: { args }, cursors }) =>
  cursors.kill(args['cursors'] as Long[]);

/** https://www.mongodb.com/docs/manual/reference/command/count/ */
export const countCommand: Handler = (call) => {
  const { args } = call.command;
  const all = Math.max(0, count(collectionOf(call), documentAt(call, 'query')) - numberOf(args['skip']));
  const limit = Math.abs(numberOf(args['limit']));
  return { n: limit > 0 ? Math.min(limit, all) : all, ok: 1 };
};

/** https://www.mongodb.com/docs/manual/reference/command/distinct/: values of lists count one by one. */
export const distinct: Handler = (call) => {
  const values = new Map<string, unknown>();
  for (const { raw } of find(collectionOf(call), everything(documentAt(call, 'query'))))
    for (const value of valuesOf(raw, String(call.command.args['key']))) values.set(ordered(value), value);
  return { values: [...values.values()], ok: 1 };
};

/** Leading `$match`, `$sort`, `$skip` and `$limit` use indexes, counting needs no documents; all other stages are mingo's. */
export const aggregate: Handler = (call) => {
  const { args } = call.command;
  const stages = args['pipeline'] as Document[];
  const batchSize = (args['cursor'] as Document | undefined)?.['batchSize'];
  const documents = counted(call, stages) ?? aggregated(call, stages);
  return call.cursors.reply(namespaceOf(call), documents, batchSize);
};

const REFUSED = ['$out', '$merge', '$changeStream', '$lookup', '$graphLookup', '$unionWith'];

function aggregated(call: Call, stages: readonly Document[]): Raw[] {
  const refused = stages.map((stage) => Object.keys(stage)[0]!).find((name) => REFUSED.includes(name));
  if (refused) throw new ServerError('CommandNotSupported', `${refused} is not served`, {}, 115);
  const { question, rest } = leading(stages);
  const found = find(collectionOf(call), question);
  if (rest.length === 0) return found.map(({ raw }) => raw);
  const results = new Aggregator(rest.map(untyped)).run<Document>(found.map(({ raw }) => promoted(raw)));
  return results.map((result) => encode(result, true));
}

const LEADING = ['$match', '$sort', '$skip', '$limit'];

/** The stages at the front that are a find: each at most once, in the order in which a find applies them. */
function leading(stages: readonly Document[]): { question: Question; rest: readonly Document[] } {
  let place = -1;
  const end = stages.findIndex((stage) => {
    const next = LEADING.indexOf(Object.keys(stage)[0]!);
    const follows = next > place;
    place = next;
    return !follows;
  });
  const front: Document = Object.assign({}, ...(end < 0 ? stages : stages.slice(0, end)));
  const question = {
    ...{ filter: (front['$match'] ?? {}) as Document, sort: sortOf(front['$sort']) },
    ...{ skip: numberOf(front['$skip']), limit: numberOf(front['$limit']) },
  };
  return { question, rest: end < 0 ? [] : stages.slice(end) };
}

/** `countDocuments` asks `$match` and `$group: { _id: 1, n: { $sum: 1 } }`; `$count` gives the same without `_id`. */
function counted(call: Call, stages: readonly Document[]): Raw[] | undefined {
  const [match, last] = stages;
  if (stages.length !== 2 || !match?.['$match']) return undefined;
  const name = typeof last?.['$count'] === 'string' ? last['$count'] : undefined;
  const group = last?.['$group'] ? JSON.stringify(untyped(last['$group'] as Document)) : undefined;
  if (name === undefined && group !== '{"_id":1,"n":{"$sum":1}}') return undefined;
  const n = count(collectionOf(call), match['$match'] as Document);
  return n > 0 ? [encode(name === undefined ? { _id: 1, n } : { [name]: n })] : [];
}
