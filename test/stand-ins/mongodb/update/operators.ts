import { Timestamp } from 'bson';
import { encode, isPlain, numberOf, type Document } from '../bson/compose.js';
import { ordered } from '../bson/order.js';
import { isOperators } from '../query/conditions.js';
import { matcher } from '../query/matcher.js';
import { ServerError } from '../server-error.js';
import { calculated } from './arithmetic.js';
import { fieldOf, setField, unsetField } from './fields.js';

type Operator = (document: Document, path: string, operand: unknown) => void;

/** https://www.mongodb.com/docs/manual/reference/operator/update/ */
const OPERATORS: Readonly<Record<string, Operator>> = {
  $set: setField,
  $unset: unsetField,
  $inc: (document, path, by) =>
    setField(document, path, calculated('$inc', path, fieldOf(document, path), by)),
  $mul: (document, path, by) =>
    setField(document, path, calculated('$mul', path, fieldOf(document, path), by)),
  $max: (document, path, value) => setIf(document, path, value, (a, b) => a > b),
  $min: (document, path, value) => setIf(document, path, value, (a, b) => a < b),
  $rename(document, path, name) {
    const value = fieldOf(document, path);
    if (value === undefined) return;
    unsetField(document, path);
    setField(document, String(name), value);
  },
  $currentDate(document, path, how) {
    const now = Date.now();
    const isTimestamp = isPlain(how) && how['$type'] === 'timestamp';
    setField(
      document,
      path,
      isTimestamp ? new Timestamp({ t: Math.floor(now / 1000), i: 1 }) : new Date(now),
    );
  },
  $push: push,
  $addToSet(document, path, value) {
    const list = [...listAt(document, path)];
    const each = isOperators(value) ? (value['$each'] as unknown[]) : [value];
    for (const one of each) if (!list.some((other) => ordered(other) === ordered(one))) list.push(one);
    setField(document, path, list);
  },
  $pull(document, path, wanted) {
    if (fieldOf(document, path) === undefined) return;
    const filter = isPlain(wanted) && !isOperators(wanted) ? undefined : { v: wanted };
    const matches = matcher(filter ?? (wanted as Document));
    const goes = (one: unknown) =>
      filter ? matches(encode({ v: one })) : isPlain(one) && matches(encode(one));
    setField(
      document,
      path,
      listAt(document, path).filter((one) => !goes(one)),
    );
  },
  $pop(document, path, end) {
    const list = listAt(document, path);
    setField(document, path, numberOf(end) < 0 ? list.slice(1) : list.slice(0, -1));
  },
};

/** Changes a decoded document. `$setOnInsert` counts only when the document is new. */
export function applyOperators(document: Document, update: Document, isNew: boolean): void {
  checkConflicts(Object.values(update).flatMap((fields) => Object.keys(fields as Document)));
  for (const [name, fields] of Object.entries(update)) {
    if (name === '$setOnInsert' && !isNew) continue;
    const operator = OPERATORS[name === '$setOnInsert' ? '$set' : name];
    if (!operator)
      throw new ServerError('FailedToParse', `Unknown modifier: ${name}. Expected a valid update modifier`);
    for (const [path, operand] of Object.entries(fields as Document)) {
      if (path.includes('$')) throw new ServerError('BadValue', `positional paths are not served: ${path}`);
      operator(document, path, operand);
    }
  }
}

/** No two operators may touch the same field, nor one a part of another's: UpdateNode (src/mongo/db/update/update_object_node.cpp). */
function checkConflicts(paths: readonly string[]): void {
  paths.forEach((path, n) => {
    const other = paths.find((one, m) => m !== n && (one === path || one.startsWith(`${path}.`)));
    if (other === undefined) return;
    const message = `Updating the path '${other}' would create a conflict at '${path}'`;
    throw new ServerError('ConflictingUpdateOperators', message, {}, 40);
  });
}

function setIf(document: Document, path: string, value: unknown, wins: (a: string, b: string) => boolean) {
  const current = fieldOf(document, path);
  if (current === undefined || wins(ordered(value), ordered(current))) setField(document, path, value);
}

function listAt(document: Document, path: string): readonly unknown[] {
  const list = fieldOf(document, path) ?? [];
  if (Array.isArray(list)) return list;
  throw new ServerError('BadValue', `The field '${path}' must be an array but is of another type`);
}

function push(document: Document, path: string, value: unknown): void {
  const each = isOperators(value) ? (value['$each'] as unknown[]) : [value];
  const how = isOperators(value) ? value : {};
  if ('$sort' in how) throw new ServerError('BadValue', '$push with $sort is not served');
  const list = [...listAt(document, path)];
  list.splice(numberOf(how['$position'], list.length), 0, ...each);
  const slice = '$slice' in how ? numberOf(how['$slice']) : list.length;
  setField(document, path, slice < 0 ? list.slice(slice) : list.slice(0, slice));
}
