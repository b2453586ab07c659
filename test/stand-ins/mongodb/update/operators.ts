import type { Document } from '../bson/compose.js';
import { ordered } from '../bson/order.js';
import { notServed, ServerError } from '../server-error.js';
import { fieldOf, setField, unsetField } from './fields.js';

/** https://www.mongodb.com/docs/manual/reference/operator/update/ */
export function checkOperators(update: Document): void {
  for (const [name, fields] of Object.entries(update)) {
    if (!['$set', '$setOnInsert', '$max', '$unset'].includes(name)) throw notServed(name);
    if (Object.keys(fields as Document).some((path) => path.includes('$')))
      throw notServed('positional paths');
  }
  checkConflicts(Object.values(update).flatMap((fields) => Object.keys(fields as Document)));
}

/** Changes a decoded document. `$setOnInsert` counts only when it is new. */
export function applyOperators(document: Document, update: Document, isNew: boolean): void {
  for (const [name, fields] of Object.entries(update)) {
    if (name === '$setOnInsert' && !isNew) continue;
    for (const [path, value] of Object.entries(fields as Document)) {
      if (name === '$unset') {
        unsetField(document, path);
        continue;
      }
      const current = name === '$max' ? fieldOf(document, path) : undefined;
      if (current === undefined || ordered(value) > ordered(current)) setField(document, path, value);
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
