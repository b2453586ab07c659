import { isPlain, isTrue, numberOf, type Document } from '../bson/compose.js';
import { notServed } from '../server-error.js';
import { documentOf, elements, type Raw } from '../bson/raw.js';

/**
 * What a projection leaves of a document: top-level fields kept or dropped.
 * https://www.mongodb.com/docs/manual/tutorial/project-fields-from-query-results/
 */
export function projection(fields: Document): (raw: Raw) => Raw {
  const entries = Object.entries(fields);
  if (entries.length === 0) return (raw) => raw;
  if (!entries.every(([name, value]) => isSwitch(value) && !/[.$]/.test(name)))
    throw notServed('such a projection');
  const named = new Map(entries.map(([name, value]) => [name, isTrue(value)]));
  const others = entries.filter(([name]) => name !== '_id');
  const isInclusive = others.length > 0 ? isTrue(others[0]![1]) : isTrue(entries[0]![1]);
  const isKept = (name: string) => named.get(name) ?? (name === '_id' ? true : !isInclusive);
  return (raw) =>
    documentOf(
      elements(raw)
        .filter(({ name }) => isKept(name))
        .map(({ from, end }) => raw.subarray(from, end)),
    );
}

const isSwitch = (value: unknown) =>
  typeof value === 'boolean' || (!isPlain(value) && numberOf(value, NaN) >= 0);
