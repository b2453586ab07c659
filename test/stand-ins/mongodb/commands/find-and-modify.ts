import { isTrue, typed, type Document } from '../bson/compose.js';
import { field, type Raw } from '../bson/raw.js';
import { find } from '../query/finding.js';
import { sortOf } from '../query/plan.js';
import { projection } from '../query/projection.js';
import { notServed } from '../server-error.js';
import { changeOf } from '../update/change.js';
import { RawDocument } from '../bson/compose.js';
import { madeOf, type Handler } from './call.js';
import { changed, upsert } from './writing.js';

const UPDATE = Buffer.from('update');

/** https://www.mongodb.com/docs/manual/reference/command/findAndModify/ */
export const findAndModify: Handler = (call) => {
  const { args } = call.command;
  const collection = madeOf(call);
  const filter = (args['query'] ?? {}) as Document;
  const [stored] = find(collection, { filter, sort: sortOf(args['sort']), skip: 0, limit: 1 });
  if (isTrue(args['remove'])) throw notServed('findAndModify that removes');
  const statement = call.command.body;
  const change = changeOf(statement, field(statement, UPDATE)!);
  if (stored) {
    const before = stored.raw;
    changed(call, collection, stored, change);
    const value = shown(isTrue(args['new']) ? stored.raw : before, args);
    return { lastErrorObject: { n: 1, updatedExisting: true }, value, ok: 1 };
  }
  if (!isTrue(args['upsert']))
    return { lastErrorObject: { n: 0, updatedExisting: false }, value: null, ok: 1 };
  const made = upsert(call, collection, filter, change);
  const lastErrorObject = { n: 1, updatedExisting: false, upserted: typed(made.raw)['_id'] };
  return { lastErrorObject, value: isTrue(args['new']) ? shown(made.raw, args) : null, ok: 1 };
};

const shown = (raw: Raw, args: Document): RawDocument =>
  new RawDocument(projection((args['fields'] ?? {}) as Document)(raw));
