import { encode, isTrue, numberOf, type Document } from '../bson/compose.js';
import { ordered } from '../bson/order.js';
import { conditionsOf } from '../query/conditions.js';
import { matcher } from '../query/matcher.js';
import { ServerError } from '../server-error.js';
import type { Collection } from '../storage/collection.js';
import type { IndexDefinition } from '../storage/collection-index.js';
import { keyPart } from '../storage/index-keys.js';
import { collectionName, collectionOf, documentAt, madeOf, type Call, type Handler } from './call.js';

const missing = (namespace: string) =>
  new ServerError('NamespaceNotFound', `ns does not exist: ${namespace}`);

function existing(call: Call): Collection {
  const collection = collectionOf(call);
  if (!collection) throw missing(`${call.command.db}.${collectionName(call)}`);
  return collection;
}

/** mongod 7.0: dropping what is not there succeeds. https://www.mongodb.com/docs/manual/reference/command/drop/ */
const drop: Handler = (call) => {
  const collection = collectionOf(call);
  if (!collection) return { ok: 1 };
  call.databases.drop(call.command.db, collectionName(call));
  return { nIndexesWas: collection.indexes.length + 1, ns: collection.namespace, ok: 1 };
};

const dropDatabase: Handler = ({ command: { db }, databases }) => {
  databases.dropDatabase(db);
  return { dropped: db, ok: 1 };
};

/** Names only, whatever is asked. https://www.mongodb.com/docs/manual/reference/command/listDatabases/ */
const listDatabases: Handler = ({ databases }) => ({
  databases: databases.databaseNames().map((name) => ({ name })),
  ok: 1,
});

/** https://www.mongodb.com/docs/manual/reference/command/listCollections/ */
const listCollections: Handler = (call) => {
  const { command, databases, cursors } = call;
  const matches = matcher(documentAt(call, 'filter'));
  const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' };
  const all = databases.names(command.db).map((name) => {
    const nameOnly = { name, type: 'collection' };
    const whole = { ...nameOnly, options: {}, info: { readOnly: false }, idIndex };
    return encode(isTrue(command.args['nameOnly']) ? nameOnly : whole);
  });
  return cursors.reply(`${command.db}.$cmd.listCollections`, all.filter(matches), undefined);
};

/** https://www.mongodb.com/docs/manual/reference/command/listIndexes/ */
const listIndexes: Handler = (call) => {
  const { namespace, indexes } = existing(call);
  const all = [{ v: 2, key: { _id: 1 }, name: '_id_' }, ...indexes.map(({ definition }) => definition.spec)];
  return call.cursors.reply(
    namespace,
    all.map((spec) => encode(spec)),
    undefined,
  );
};

/** https://www.mongodb.com/docs/manual/reference/command/createIndexes/ */
const createIndexes: Handler = (call) => {
  const isNew = !collectionOf(call);
  const collection = madeOf(call);
  const before = collection.indexes.length + 1;
  for (const spec of call.command.args['indexes'] as Document[]) addIndex(collection, spec);
  const after = collection.indexes.length + 1;
  const note = before === after ? { note: 'all indexes already exist' } : {};
  return {
    numIndexesBefore: before,
    numIndexesAfter: after,
    createdCollectionAutomatically: isNew,
    ...note,
    ok: 1,
  };
};

/**
 * The same again is nothing. Indexes are told apart by name and by keys, partial filter and uniqueness together
 * (IndexCatalogImpl::_doesSpecConflictWithExisting, since 5.0), and 86 is 85 here.
 */
function addIndex(collection: Collection, spec: Document): void {
  const definition = definitionOf(spec);
  const { name } = definition;
  if (name === '_id_' || keysOf(spec) === ordered({ _id: 1 })) return;
  const existing = collection.indexes.map((index) => index.definition.spec);
  const same = existing.find((one) => one['name'] === name || signatureOf(one) === signatureOf(spec));
  if (!same) return collection.addIndex(definition);
  if (ordered([same['name'], signatureOf(same)]) !== ordered([name, signatureOf(spec)]))
    throw new ServerError('IndexOptionsConflict', `An index like ${name} exists already`);
}

const keysOf = (spec: Document) => ordered(spec['key']);
const signatureOf = ({ key, partialFilterExpression, unique, expireAfterSeconds }: Document) =>
  ordered([key, partialFilterExpression, isTrue(unique), expireAfterSeconds]);

function definitionOf(spec: Document): IndexDefinition {
  const key = spec['key'] as Document;
  const refused = ['collation', 'wildcardProjection', 'sparse', 'hidden'].find((name) => isTrue(spec[name]));
  if (refused) throw new ServerError('CannotCreateIndex', `${refused} indexes are not served`);
  const parts = Object.entries(key).map(([name, value]) => {
    const direction = numberOf(value, NaN);
    if (!direction) throw new ServerError('CannotCreateIndex', `Values in v:2 index key pattern: ${name}`);
    return keyPart(name, direction < 0 ? -1 : 1);
  });
  const partial = spec['partialFilterExpression'] as Document | undefined;
  checkPartial(partial);
  const expires = spec['expireAfterSeconds'];
  return {
    ...{ name: String(spec['name']), parts, unique: isTrue(spec['unique']), spec: { v: 2, ...spec } },
    ...(partial && { partial }),
    ...(expires !== undefined && { expireAfterSeconds: numberOf(expires) }),
  };
}

const IN_PARTIAL = ['$eq', '$exists', '$gt', '$gte', '$lt', '$lte', '$type', '$in', '$or'];

/** https://www.mongodb.com/docs/manual/core/index-partial/#create-a-partial-index */
function checkPartial(partial: Document | undefined): void {
  for (const { operator, operand } of conditionsOf(partial ?? {})) {
    if (IN_PARTIAL.includes(operator) && (operator !== '$exists' || isTrue(operand))) continue;
    throw new ServerError('CannotCreateIndex', `Expression not supported in partial index: ${operator}`);
  }
}

/** By name, by keys, or `*`: https://www.mongodb.com/docs/manual/reference/command/dropIndexes/ */
const dropIndexes: Handler = (call) => {
  const collection = existing(call);
  const asked = call.command.args['index'];
  const nIndexesWas = collection.indexes.length + 1;
  const names = (Array.isArray(asked) ? asked : [asked]) as unknown[];
  for (const name of names) {
    const isIt = ({ definition }: { definition: IndexDefinition }) =>
      name === '*' || definition.name === name || keysOf(definition.spec) === ordered(name);
    if (name !== '*' && !collection.indexes.some(isIt))
      throw new ServerError('IndexNotFound', `index not found with name [${String(name)}]`);
    collection.dropIndexes(isIt);
  }
  return { nIndexesWas, ok: 1 };
};

export const catalog: Readonly<Record<string, Handler>> = {
  ...{ drop, dropDatabase, listDatabases, listCollections, listIndexes, createIndexes, dropIndexes },
};
