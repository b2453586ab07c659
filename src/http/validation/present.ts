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

interface PublicField {
  readonly name: string;
  readonly nullable: boolean;
}

const known = new WeakMap<Type, readonly PublicField[]>();

function publicFields(type: Type): readonly PublicField[] {
  let fields = known.get(type);
  if (!fields) {
    fields = [...fieldsOf(type)].map(([name, { options }]) => ({
      name,
      nullable: options.nullable ?? false,
    }));
    known.set(type, fields);
  }
  return fields;
}

/**
 * Picks the fields of a resource class from a derived value or else from the document, in the order of the class.
 * Without a value a nullable field is null, and an optional one is omitted. Lists call it for each item, so it makes
 * no copy of the document.
 */
export function present<T extends object, D extends { readonly [K in keyof T]?: unknown }>(
  type: Type<T>,
  document: D,
  derived: Derived<T, D>,
): T {
  const values: Record<string, unknown> = document;
  const replaced: Record<string, unknown> = derived;
  const resource: Record<string, unknown> = {};
  for (const { name, nullable } of publicFields(type)) {
    const own = replaced[name];
    const value = own === undefined && !(name in replaced) ? values[name] : own;
    if (value !== undefined && value !== null) resource[name] = value;
    else if (nullable) resource[name] = null;
  }
  return resource as T;
}
