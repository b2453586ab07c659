import type { Type } from '@nestjs/common';
import { fieldsOf } from './field.js';

type Optional<T> = {
  [K in keyof T]-?: undefined extends T[K] ? K : null extends T[K] ? K : never;
}[keyof T];

type ValuesOf<T> = Omit<Readonly<T>, Optional<T>> & {
  readonly [K in Optional<T>]?: T[K] | undefined;
};

/** Required fields that the document lacks or has with another type. */
type Missing<T, D> = {
  [K in Exclude<keyof T, Optional<T>>]: K extends keyof D ? (D[K] extends T[K] ? never : K) : K;
}[Exclude<keyof T, Optional<T>>];

/** Values that the document lacks or that replace its own. */
type Derived<T, D> = Partial<ValuesOf<T>> & Pick<Readonly<T>, Missing<T, D>>;

interface PublicFields {
  readonly all: readonly { readonly name: string; readonly nullable: boolean }[];
  /** Template if all fields are always present. */
  readonly empty: Readonly<Record<string, null>> | undefined;
}

const known = new WeakMap<Type, PublicFields>();

function publicFields(type: Type): PublicFields {
  let fields = known.get(type);
  if (!fields) {
    const options = [...fieldsOf(type)].map(([name, field]) => ({ name, ...field.options }));
    const all = options.map(({ name, nullable = false }) => ({ name, nullable }));
    const isFixed = options.every(({ optional }) => !optional);
    fields = { all, empty: isFixed ? Object.fromEntries(all.map(({ name }) => [name, null])) : undefined };
    known.set(type, fields);
  }
  return fields;
}

/** In the order of the class, from `values` or else the document; absent nullable fields are null. */
export function present<T extends object, D extends { readonly [K in keyof T]?: unknown }>(
  type: Type<T>,
  document: D,
  derived: Derived<T, D>,
): T {
  const values: Record<string, unknown> = document;
  const replaced: Record<string, unknown> = derived;
  const { all, empty } = publicFields(type);
  return (empty ? fixed(empty, values, replaced) : flexible(all, values, replaced)) as T;
}

type Values = Readonly<Record<string, unknown>>;

function fixed(empty: Values, values: Values, replaced: Values): Values {
  const resource: Record<string, unknown> = { ...empty };
  for (const name in empty) resource[name] = values[name] ?? null;
  for (const name in replaced) resource[name] = replaced[name] ?? null;
  return resource;
}

function flexible(all: PublicFields['all'], values: Values, replaced: Values): Values {
  const resource: Record<string, unknown> = {};
  for (const { name, nullable } of all) {
    const own = replaced[name];
    const value = own === undefined && !(name in replaced) ? values[name] : own;
    if (value !== undefined && value !== null) resource[name] = value;
    else if (nullable) resource[name] = null;
  }
  return resource;
}
