import { ARRAY, elements, pathOf, valuesAt, type Path, type Raw } from '../bson/raw.js';
import { EMPTY_ARRAY, NULL, orderedAt, type Ordered } from '../bson/order.js';

export interface KeyPart {
  readonly name: string;
  readonly path: Path;
  readonly direction: 1 | -1;
}

export const keyPart = (name: string, direction: 1 | -1): KeyPart => ({
  name,
  path: pathOf(name),
  direction,
});

const MOST_INTERNED = 4096;

/** What a document is found by in one index: a list has one key for each of its values. */
export class IndexKeys {
  private readonly known: Map<Ordered, Ordered>[];

  constructor(private readonly parts: readonly KeyPart[]) {
    this.known = parts.map(() => new Map());
  }

  of(raw: Raw): Ordered[][] {
    let keys: Ordered[][] = [[]];
    this.parts.forEach((part, n) => {
      const values = valuesOf(raw, part.path).map((value) => this.interned(n, value));
      keys = values.length === 1 ? appended(keys, values[0]!) : values.flatMap((v) => appended(keys, v));
    });
    return keys;
  }

  /** Fields of few values (an account, a status) are kept in memory once. */
  private interned(part: number, value: Ordered): Ordered {
    const known = this.known[part]!;
    const same = known.get(value);
    if (same !== undefined) return same;
    if (known.size < MOST_INTERNED) known.set(value, value);
    return value;
  }
}

const appended = (keys: readonly Ordered[][], value: Ordered) =>
  keys.length === 1 && keys[0]!.length === 0 ? [[value]] : keys.map((key) => [...key, value]);

/** mongod: what is missing is indexed as null, a list by its values (https://www.mongodb.com/docs/manual/core/indexes/index-types/index-multikey/). */
function valuesOf(raw: Raw, path: Path): readonly Ordered[] {
  const values = valuesAt(raw, path);
  if (values.length === 0) return [NULL];
  if (values.length === 1 && values[0]!.type !== ARRAY) return [orderedAt(raw, values[0]!)];
  const all = values.flatMap((value) => {
    if (value.type !== ARRAY) return [orderedAt(raw, value)];
    const inside = elements(raw, value.at);
    return inside.length === 0 ? [EMPTY_ARRAY] : inside.map((one) => orderedAt(raw, one));
  });
  return [...new Set(all)];
}
