import type { ViewDefinition, ViewDocument } from '../../kernel/projection.js';
import type { Scalar } from '../ports/view-store.port.js';
import { scalarOf, type Combination } from './view-index.js';

/** Fields with type, length and value, e.g. `account_id=s36:…,urgent=t,`. */
export function countKey(fields: readonly string[], values: Combination): string {
  let key = '';
  for (let n = 0; n < fields.length; n++) key += `${fields[n]}=${keyPart(values[n]!)},`;
  return key;
}

function keyPart(value: Scalar): string {
  if (typeof value === 'string') return `s${value.length}:${value}`;
  return value === null ? 'n' : value ? 't' : 'f';
}

export function forEachCountChange(
  combinations: readonly (readonly string[])[],
  before: ViewDocument | undefined,
  after: ViewDocument | undefined,
  change: (key: string, by: 1 | -1) => void,
): void {
  for (const fields of combinations) {
    if (before && after && sameValues(fields, before, after)) continue;
    if (before) change(keyOf(fields, before), -1);
    if (after) change(keyOf(fields, after), 1);
  }
}

/** Adds the total of all documents; empty for a view without totals. */
export function combinationsWithAll({ countBy }: ViewDefinition): readonly (readonly string[])[] {
  return countBy ? [[], ...countBy] : [];
}

function keyOf(fields: readonly string[], document: ViewDocument): string {
  return countKey(
    fields,
    fields.map((field) => scalarOf(document, field)),
  );
}

function sameValues(fields: readonly string[], a: ViewDocument, b: ViewDocument): boolean {
  return fields.every((field) => scalarOf(a, field) === scalarOf(b, field));
}
