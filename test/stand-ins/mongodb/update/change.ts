import { Aggregator } from 'mingo/aggregator';
import { ObjectId } from 'bson';
import { encode, promoted, typed, untyped, type Document } from '../bson/compose.js';
import { ARRAY, DOCUMENT, idElement, withId, type Raw, type Value } from '../bson/raw.js';
import { conditionsOf } from '../query/conditions.js';
import { notServed, ServerError } from '../server-error.js';
import { COMPARING } from './comparisons.js';
import { setField } from './fields.js';
import { applyOperators, checkOperators } from './operators.js';

/** What an update statement makes of a document: of one that is there, or of the fields a filter fixes. */
export type Change = (old: Raw, isNew: boolean) => Raw;

/** https://www.mongodb.com/docs/manual/reference/command/update/#std-label-update-command-u */
export function changeOf(statement: Raw, value: Value, isMulti = false): Change {
  if (value.type === ARRAY)
    return byPipeline(Object.values(typed(withValue(statement, value))) as Document[]);
  if (value.type !== DOCUMENT)
    throw new ServerError('FailedToParse', 'Update argument must be an object or array');
  const update = statement.subarray(value.at, value.at + statement.readInt32LE(value.at));
  const isReplacement = update[4] === 0 || update[5] !== 0x24;
  if (isReplacement && isMulti)
    throw new ServerError('FailedToParse', 'multi update is not supported for replacement-style update');
  return isReplacement ? byReplacement(update) : byOperators(typed(update));
}

const withValue = (statement: Raw, { at }: Value) => statement.subarray(at, at + statement.readInt32LE(at));

/** The `_id` stays; naming another is refused. mongod: ObjectReplacementExecutor (src/mongo/db/update). */
function byReplacement(replacement: Raw): Change {
  const own = idElement(replacement);
  return (old) => {
    const id = idElement(old);
    if (id && own && !id.equals(own)) throw immutable();
    const kept = id ?? own;
    return kept ? withId(replacement, kept) : Buffer.from(replacement);
  };
}

function byOperators(update: Document): Change {
  checkOperators(update);
  return (old, isNew) => {
    const document = typed(old);
    applyOperators(document, update, isNew);
    return keepingId(old, encode(document));
  };
}

const STAGES = /^\$(addFields|set|unset|project|replaceRoot|replaceWith)$/;

/** By mingo, but with MongoDB's comparisons. `$$NOW` is one time for the statement. */
const byPipeline = (stages: readonly Document[]): Change => {
  const pipeline = stages.map(untyped);
  const refused = pipeline.map((stage) => Object.keys(stage)[0]!).find((name) => !STAGES.test(name));
  if (refused !== undefined) throw notServed(refused);
  return (old) =>
    keepingId(
      old,
      encode(new Aggregator(pipeline, { context: COMPARING }).run<Document>([promoted(old)])[0]!, true),
    );
};

function keepingId(old: Raw, changed: Raw): Raw {
  const id = idElement(old);
  const now = idElement(changed);
  if (id && now && !id.equals(now)) throw immutable();
  return id ? withId(changed, id) : changed;
}

const immutable = () =>
  new ServerError(
    'ImmutableField',
    "After applying the update, the (immutable) field '_id' was found to have been altered",
  );

/** An upsert begins with the fields that the filter fixes to one value, and an ObjectId if nothing names the `_id`. */
export function upserted(filter: Document, change: Change): Raw {
  const start: Document = {};
  for (const { path, operator, operand } of conditionsOf(filter)) {
    if (operator === '$eq') setField(start, path, operand);
  }
  const made = change(encode(start), true);
  return idElement(made) ? made : withId(made, encode({ _id: new ObjectId() }).subarray(4, -1));
}
