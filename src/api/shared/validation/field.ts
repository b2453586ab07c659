import { applyDecorators, type Type } from '@nestjs/common';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import type { Rule } from './rules.js';

export interface FieldOptions {
  /** May be absent; then the class's own initial value stands. */
  readonly optional?: boolean;
  readonly nullable?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  /** Only for the document: the value is the class's initial one. */
  readonly default?: unknown;
}

export interface FieldEntry {
  readonly rule: Rule;
  readonly options: FieldOptions;
}

const declared = new WeakMap<object, Map<string, FieldEntry>>();
const collected = new WeakMap<Type, ReadonlyMap<string, FieldEntry>>();

/** The fields of a class, inherited ones first, in the order they are written. */
export function fieldsOf(type: Type): ReadonlyMap<string, FieldEntry> {
  const known = collected.get(type);
  if (known) return known;
  const parent = Object.getPrototypeOf(type.prototype as object) as { constructor: Type } | null;
  const own = declared.get(type.prototype as object) ?? [];
  const fields = new Map([...(parent ? fieldsOf(parent.constructor) : []), ...own]);
  collected.set(type, fields);
  return fields;
}

/** One field of a request or an answer: its rule serves class-validator and the OpenAPI document alike. */
export function Field(rule: Rule, options: FieldOptions = {}): PropertyDecorator {
  const { optional = false, nullable = false } = options;
  const absent = (value: unknown) => (optional && value === undefined) || (nullable && value === null);
  const validate = ValidateBy({
    name: 'field',
    validator: { validate: (value) => rule.accepts(value), defaultMessage: () => rule.says },
  });
  return applyDecorators(
    declare(rule, options),
    ...(optional || nullable ? [ValidateIf((_, value) => !absent(value))] : []),
    ...(rule.nested ? [ValidateNested()] : []),
    validate,
  );
}

function declare(rule: Rule, options: FieldOptions): PropertyDecorator {
  return (prototype, name) => {
    const known = declared.get(prototype) ?? new Map<string, FieldEntry>();
    declared.set(prototype, known.set(String(name), { rule, options }));
  };
}
