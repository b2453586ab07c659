import type { Type } from '@nestjs/common';
import { plainToInstance, TransformationType, type TransformFnParams } from 'class-transformer';
import { defaultMetadataStorage as storage } from 'class-transformer/cjs/storage.js';
import { fieldsOf, type FROM_BODY, type FROM_QUERY } from './field.js';

type Plain = Readonly<Record<string, unknown>>;
type Read = (value: unknown, given: Plain) => unknown;
type Source = typeof FROM_QUERY | typeof FROM_BODY;

/** Returns what `plainToInstance` makes of an object without undeclared names. */
type ReadingPlan = (given: Plain) => object;

const type = TransformationType.PLAIN_TO_CLASS;
/** Classes whose values class-transformer converts in its own way. */
const CONVERTED: ReadonlySet<unknown> = new Set([String, Number, Boolean, Date, Buffer, Map, Set, Array]);

const plans = { query: new WeakMap<Type, ReadingPlan>(), body: new WeakMap<Type, ReadingPlan>() };

/** An instance of the class with the values of its fields converted and normalised. */
export function instanceFrom(of: Type, given: Plain, source: Source): object {
  let plan = plans[source].get(of);
  if (!plan) plans[source].set(of, (plan = readingPlan(of, source) ?? library(of, source)));
  return plan(given);
}

const library =
  (of: Type, source: Source): ReadingPlan =>
  (given) =>
    plainToInstance(of, given, { groups: [source] }) as object;

/**
 * The conversions that class-transformer's decorators declare for a class, looked up once; undefined if one of
 * them needs what a plan cannot do, such as `@Expose`.
 */
export function readingPlan(of: Type, source: Source): ReadingPlan | undefined {
  if (storage.getExposedMetadatas(of).length + storage.getExcludedMetadatas(of).length > 0) return undefined;
  const fields = new Map<string, Read>();
  for (const name of fieldsOf(of).keys()) {
    const read = name in (of.prototype as object) ? undefined : fieldReader(of, name, source);
    if (!read) return undefined;
    fields.set(name, read);
  }
  return (given) => {
    const instance = new of() as Record<string, unknown>;
    for (const name of Object.keys(given)) {
      const read = fields.get(name);
      if (read) instance[name] = read(given[name], given);
    }
    return instance;
  };
}

function fieldReader(of: Type, key: string, source: Source): Read | undefined {
  const read = valueReader(of, key, source);
  const transforms = storage
    .findTransformMetadatas(of, key, type)
    .filter(({ options: { groups } }) => !groups || groups.includes(source))
    .map(({ transformFn }) => transformFn as (params: TransformFnParams) => unknown);
  if (!read || transforms.length === 0) return read;
  const options = { groups: [source] };
  return (given, obj) => {
    let value = read(given, obj);
    for (const transform of transforms) value = transform({ value, key, obj, type, options });
    return value;
  };
}

function valueReader(of: Type, name: string, source: Source): Read | undefined {
  const nested = storage.findTypeMetadata(of, name);
  if (!nested) return (value) => (isObject(value) ? plainToInstance(Object, value) : value);
  const { typeFunction, reflectedType, options } = nested;
  const isSpecial = options.discriminator || reflectedType === Map || reflectedType === Set;
  if (isSpecial || typeFunction.length > 0) return undefined;
  const item = typeFunction() as Type;
  if (CONVERTED.has(item)) return undefined;
  const typed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(typed);
    return isObject(value) ? instanceFrom(item, value, source) : value;
  };
  return typed;
}

const isObject = (value: unknown): value is Plain => typeof value === 'object' && value !== null;
