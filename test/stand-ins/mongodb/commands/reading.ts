import type { Long } from 'bson';
import { encode, isTrue, numberOf, untyped, type Document } from '../bson/compose.js';
import type { Raw } from '../bson/raw.js';
import { count, find } from '../query/finding.js';
import { sortOf } from '../query/plan.js';
import { projection } from '../query/projection.js';
import { notServed, ServerError } from '../server-error.js';
import { collectionName, collectionOf, documentAt, type Call, type Handler } from './call.js';

const namespaceOf = (call: Call) => `${call.command.db}.${collectionName(call)}`;

/** https://www.mongodb.com/docs/manual/reference/command/find/: `hint`, `collation` and read concern change nothing here. */
export const findCommand: Handler = (call) => {
  const { args } = call.command;
  const limit = numberOf(args['limit']);
  const skip = numberOf(args['skip']);
  const found = find(collectionOf(call), {
    filter: documentAt(call, 'filter'),
    sort: sortOf(args['sort']),
    skip,
    limit: Math.abs(limit),
  });
  const project = projection(documentAt(call, 'projection'));
  const documents = call.faults.isCutOff ? [] : found.map(({ raw }) => project(raw));
  const isSingle = isTrue(args['singleBatch']) || limit < 0;
  return call.cursors.reply(namespaceOf(call), documents, args['batchSize'], isSingle);
};

export const getMore: Handler = ({ command: { args }, cursors, streams }) => {
  const id = args['getMore'] as Long;
  return streams.more(id, args['maxTimeMS']) ?? cursors.more(id, args['batchSize']);
};

export const killCursors: Handler = ({ command: { args }, cursors, streams }) => {
  const ids = args['cursors'] as Long[];
  streams.kill(ids);
  return cursors.kill(ids);
};

/**
 * Counts and change streams alone are served: `$match`, `$limit` and `$group`, as `countDocuments` asks, or
 * `$changeStream`. An unknown stage is 40324, as mongod answers.
 */
export const aggregate: Handler = (call) => {
  const { args } = call.command;
  const stages = args['pipeline'] as Document[];
  const watching = stages.length === 1 ? stages[0]!['$changeStream'] : undefined;
  if (watching) return call.streams.begin(call, watching as Document);
  const batchSize = (args['cursor'] as Document | undefined)?.['batchSize'];
  return call.cursors.reply(namespaceOf(call), counted(call, stages), batchSize);
};

const STAGES = ['$match', '$limit', '$group'];

function counted(call: Call, stages: readonly Document[]): Raw[] {
  const names = stages.map((stage) => Object.keys(stage)[0]!);
  const unknown = names.find((name) => !STAGES.includes(name));
  if (unknown !== undefined)
    throw new ServerError('UnknownStage', `Unrecognized pipeline stage name: '${unknown}'`, {}, 40324);
  const group = JSON.stringify(untyped((stages.at(-1)?.['$group'] ?? {}) as Document));
  const limit = stages.find((stage) => '$limit' in stage)?.['$limit'] as number | undefined;
  const asked = STAGES.filter((name) => name !== '$limit' || limit !== undefined);
  if (names.join() !== asked.join() || group !== '{"_id":1,"n":{"$sum":1}}')
    throw notServed('an aggregation other than countDocuments');
  const n = Math.min(count(collectionOf(call), stages[0]!['$match'] as Document), limit ?? Infinity);
  return n > 0 ? [encode({ _id: 1, n })] : [];
}
