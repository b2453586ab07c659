import type { Type } from '@nestjs/common';
import { fieldsOf } from './field.js';

/** Fields that may be absent or null. */
type Optional<T> = {
  [K in keyof T]-?: undefined extends T[K] ? K : null extends T[K] ? K : never;
}[keyof T];

/** Values for the fields of a resource. */
type ValuesOf<T> = Omit<Readonly<T>, Optional<T>> & {
  readonly [K in Optional<T>]?: T[K] | undefined;
};

/** Required fields that the document lacks or has with another type. */
type Missing<T, D> = {
  [K in Exclude<keyof T, Optional<T>>]: K extends keyof D ? (D[K] extends T[K] ? never : K) : K;
}[Exclude<keyof T, Optional<T>>];

/** Values that the document lacks or that replace its own. */
type Derived<T, D> = Partial<ValuesOf<T>> & Pick<Readonly<T>, Missing<T, D>>;

/** A resource without values: null in nullable fields, undefined in optional ones. */
type Empty = Readonly<Record<string, null | undefined>>;

const known = new WeakMap<Type, Empty>();

function emptyOf(type: Type): Empty {
  let empty = known.get(type);
  if (!empty) {
    const fields = [...fieldsOf(type)];
    empty = Object.fromEntries(
      fields.map(([name, { options }]) => [name, options.nullable ? null : undefined]),
    );
    known.set(type, empty);
  }
  return empty;
}

/**
 * Picks the fields of a resource class from a derived value or else from the document, in the order of the class.
 * Without a value a nullable field is null, and an optional one is undefined, which JSON omits. Lists call it for each
 * item, so it makes no copy of the document and looks up only what is derived.
 */
export function present<T extends object, D extends { readonly [K in keyof T]?: unknown }>(
  type: Type<T>,
  document: D,
  derived: Derived<T, D>,
): T {
  const values: Record<string, unknown> = document;
  const replaced: Record<string, unknown> = derived;
  const empty = emptyOf(type);
  const resource: Record<string, unknown> = { ...empty };
  for (const name in empty) resource[name] = values[name] ?? empty[name];
  for (const name in replaced) resource[name] = replaced[name] ?? empty[name];
  return resource as T;
}
