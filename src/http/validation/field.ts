import { applyDecorators, type Type } from '@nestjs/common';
import { Transform, Type as TypeOf } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import type { JsonSchema, Rule } from './rules.js';

interface FieldOptions {
  /** Absent values take the class's initial value. */
  readonly optional?: boolean;
  readonly nullable?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  /** Documents the class's initial value. */
  readonly default?: unknown;
  /** Overrides the schema in event bodies; false: the field is omitted. */
  readonly inEvents?: JsonSchema | false;
}

export interface FieldEntry {
  readonly rule: Rule;
  readonly options: FieldOptions;
}

const declared = new WeakMap<object, Map<string, FieldEntry>>();
const collected = new WeakMap<Type, ReadonlyMap<string, FieldEntry>>();

/** The fields of a class, inherited ones first, in the order of declaration. */
export function fieldsOf(type: Type): ReadonlyMap<string, FieldEntry> {
  const known = collected.get(type);
  if (known) return known;
  const parent = parentOf(type);
  const fields = new Map([...(parent ? fieldsOf(parent) : []), ...ownFields(type)]);
  collected.set(type, fields);
  return fields;
}

function parentOf({ prototype }: Type): Type | undefined {
  const parent = Object.getPrototypeOf(prototype as object) as { constructor: Type } | null;
  return parent?.constructor;
}

const ownFields = ({ prototype }: Type) => declared.get(prototype as object) ?? [];

/** A query contains numbers and booleans as text, a body does not. */
export const FROM_QUERY = 'query';
export const FROM_BODY = 'body';

export function Field(rule: Rule, options: FieldOptions = {}): PropertyDecorator {
  return (prototype, name) => {
    const known = declared.get(prototype) ?? new Map<string, FieldEntry>();
    declared.set(prototype, known.set(String(name), { rule, options }));
  };
}

const validatable = new WeakSet<Type>();

/**
 * Call before the first validation. class-validator looks through all classes that it knows in each validation, so it
 * does not know those of answers.
 */
export function makeValidatable(type: Type): void {
  if (validatable.has(type)) return;
  validatable.add(type);
  const parent = parentOf(type);
  if (parent) makeValidatable(parent);
  for (const [name, entry] of ownFields(type)) {
    rulesOf(entry)(type.prototype as object, name);
    if (entry.rule.nested) makeValidatable(entry.rule.nested());
  }
}

function rulesOf({ rule, options }: FieldEntry): PropertyDecorator {
  const { optional = false, nullable = false } = options;
  const absent = (value: unknown) => (optional && value === undefined) || (nullable && value === null);
  const validate = ValidateBy({
    name: 'field',
    validator: { validate: (value) => rule.accepts(value), defaultMessage: () => rule.message },
  });
  return applyDecorators(
    ...(optional || nullable ? [ValidateIf((_, value) => !absent(value))] : []),
    ...(rule.nested ? [TypeOf(rule.nested), ValidateNested()] : []),
    ...transforms(rule),
    validate,
  );
}

function transforms(rule: Rule): PropertyDecorator[] {
  const { fromText, normalise, accepts } = rule;
  const decorators: PropertyDecorator[] = [];
  if (fromText) {
    const read = ({ value }: { value: unknown }) => (typeof value === 'string' ? fromText(value) : value);
    decorators.push(Transform(read, { groups: [FROM_QUERY] }));
  }
  if (normalise) {
    decorators.push(
      Transform(({ value }: { value: unknown }) => (accepts(value) ? normalise(value as never) : value)),
    );
  }
  return decorators;
}

/** May be absent. */
export const optional = { optional: true } as const;
/** Always there, but null without a value. */
export const orNull = { nullable: true } as const;

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

/** In the order of the class, from `derived` or else the document; absent nullable fields are null. */
export function present<T extends object, D extends { readonly [K in keyof T]?: unknown }>(
  type: Type<T>,
  document: D,
  derived: Derived<T, D>,
): T {
  const values: Readonly<Record<string, unknown>> = document;
  const replaced: Readonly<Record<string, unknown>> = derived;
  const resource: Record<string, unknown> = {};
  for (const [name, { options }] of fieldsOf(type)) {
    const value = name in replaced ? replaced[name] : values[name];
    if (value !== undefined && value !== null) resource[name] = value;
    else if (options.nullable) resource[name] = null;
  }
  return resource as T;
}
