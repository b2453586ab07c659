import { ARRAY, pathOf, valueAt, type Path, type Raw } from '../bson/raw.js';
import { NULL, orderedAt, type Ordered } from '../bson/order.js';
import { notServed } from '../server-error.js';

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

const MAX_INTERNED = 4096;

/** What a document is found by in one index. Lists in indexed fields are not served. */
export class IndexKeys {
  private readonly known: Map<Ordered, Ordered>[];

  constructor(private readonly parts: readonly KeyPart[]) {
    this.known = parts.map(() => new Map());
  }

  of(raw: Raw): Ordered[] {
    return this.parts.map(({ path }, n) => this.interned(n, onlyValue(raw, path)));
  }

  /** Fields of few values (an account, a status) are kept in memory once. */
  private interned(part: number, value: Ordered): Ordered {
    const known = this.known[part]!;
    const same = known.get(value);
    if (same !== undefined) return same;
    if (known.size < MAX_INTERNED) known.set(value, value);
    return value;
  }
}

/** What an index or a sort knows of a document; what is missing counts as null. */
export function onlyValue(raw: Raw, path: Path): Ordered {
  const value = valueAt(raw, path);
  if (value?.type === ARRAY) throw notServed('a list in an index or a sort');
  return value ? orderedAt(raw, value) : NULL;
}
