import type { Type } from '@nestjs/common';
import { fieldsOf } from './field.js';

/** Fields that may be absent or null. */
type Optional<T> = {
  [K in keyof T]-?: undefined extends T[K] ? K : null extends T[K] ? K : never;
}[keyof T];

/** Values for the fields of a resource, and whatever else its document holds. */
export type ValuesOf<T> = Omit<Readonly<T>, Optional<T>> & {
  readonly [K in Optional<T>]?: T[K] | undefined;
};

/**
 * Picks the fields of a resource class, in the order of the class, and nothing else. Without a value a nullable
 * field is null, and an optional one is left out.
 */
export function present<T extends object>(type: Type<T>, values: ValuesOf<T>): T {
  const resource: Record<string, unknown> = {};
  for (const [name, { options }] of fieldsOf(type)) {
    const value = (values as Record<string, unknown>)[name] ?? (options.nullable ? null : undefined);
    if (value !== undefined) resource[name] = value;
  }
  return resource as T;
}
