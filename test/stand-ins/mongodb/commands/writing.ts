import { typed, type Document } from '../bson/compose.js';
import { field, type Raw } from '../bson/raw.js';
import { documentIn, flagIn, NAMES } from '../update/statement.js';
import { everything, find } from '../query/finding.js';
import { sortOf } from '../query/plan.js';
import { ServerError } from '../server-error.js';
import type { Collection } from '../storage/collection.js';
import type { Stored } from '../storage/stored.js';
import { changeOf, upserted, type Change } from '../update/change.js';
import { collectionOf, madeOf, type Call, type Handler } from './call.js';

const { Q, U, UPSERT, MULTI, LIMIT, SORT } = NAMES;

/** Each statement by itself; an ordered batch ends at its first error. https://www.mongodb.com/docs/manual/reference/command/update/ */
function eachStatement(call: Call, carryOut: (statement: Raw, index: number) => void): Document {
  const isOrdered = call.command.args['ordered'] !== false;
  const writeErrors: Document[] = [];
  for (const [index, statement] of call.command.payload.entries()) {
    try {
      carryOut(statement, index);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      writeErrors.push(error.writeError(index));
      if (isOrdered) break;
    }
  }
  return writeErrors.length > 0 ? { writeErrors, ok: 1 } : { ok: 1 };
}

export const insert: Handler = (call) => {
  const collection = madeOf(call);
  let n = 0;
  const reply = eachStatement(call, (document) => {
    collection.insert(document);
    n++;
  });
  return { n, ...reply };
};

export const update: Handler = (call) => {
  const collection = madeOf(call);
  const upsertedIds: Document[] = [];
  let n = 0;
  let nModified = 0;
  const reply = eachStatement(call, (statement, index) => {
    const done = updateOne(call, collection, statement);
    n += done.matched;
    nModified += done.modified;
    if (!done.inserted) return;
    n++;
    upsertedIds.push({ index, _id: typed(done.inserted.raw)['_id'] });
  });
  return { n, nModified, ...(upsertedIds.length > 0 && { upserted: upsertedIds }), ...reply };
};

function updateOne(call: Call, collection: Collection, statement: Raw) {
  const filter = documentIn(statement, Q);
  const value = field(statement, U);
  if (!value) throw new ServerError('FailedToParse', "BSON field 'update.updates.u' is missing");
  const isMulti = flagIn(statement, MULTI);
  const change = changeOf(statement, value, isMulti);
  const found = find(collection, {
    ...{ filter, sort: sortOf(documentIn(statement, SORT)) },
    ...{ skip: 0, limit: isMulti ? 0 : 1 },
  });
  let modified = 0;
  for (const stored of found) if (changed(call, collection, stored, change)) modified++;
  const inserted =
    found.length === 0 && flagIn(statement, UPSERT) ? upsert(call, collection, filter, change) : undefined;
  return { matched: found.length, modified, inserted };
}

/** What stays as it was counts as matched, not as modified. */
export const changed = (call: Call, collection: Collection, stored: Stored, change: Change): boolean =>
  writing(call, () => {
    const raw = change(stored.raw, false);
    if (raw.equals(stored.raw)) return false;
    collection.replace(stored, raw);
    return true;
  });

export const upsert = (call: Call, collection: Collection, filter: Document, change: Change): Stored =>
  writing(call, () => {
    const raw = upserted(filter, change);
    if (call.faults.losesRace()) throw collection.duplicateId(raw);
    return collection.insert(raw);
  });

function writing<T>({ command }: Call, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    throw error.during(command.name === 'update' ? 'update' : 'findAndModify');
  }
}

export const remove: Handler = (call) => {
  const collection = collectionOf(call);
  let n = 0;
  const reply = eachStatement(call, (statement) => {
    const limit = flagIn(statement, LIMIT) ? 1 : 0;
    const found = find(collection, { ...everything(documentIn(statement, Q)), limit });
    for (const stored of found) collection!.remove(stored);
    n += found.length;
  });
  return { n, ...reply };
};
