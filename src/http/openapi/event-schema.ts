import type { Type } from '@nestjs/common';
import { fieldsOf, type FieldEntry } from '../validation/field.js';
import type { JsonSchema } from './json-schema.js';

/**
 * Schema of a resource in an event body. It states only what stays true within v1: it allows new fields, and
 * lengths of texts may change unless the field says otherwise (`inEvents`).
 */
export function eventSchemaOf(type: Type): JsonSchema {
  const fields = eventFieldsOf(type);
  const always = fields.filter(([, { options }]) => options.nullable || !options.optional);
  const sometimes = fields.filter((field) => !always.includes(field));
  return {
    type: 'object',
    required: always.map(([name]) => name),
    properties: Object.fromEntries([...always, ...sometimes].map(([name, entry]) => [name, promised(entry)])),
  };
}

/** Fields in the body of an event. */
export function eventFieldsOf(type: Type): readonly (readonly [string, FieldEntry])[] {
  return [...fieldsOf(type)].filter(([, { options }]) => options.inEvents !== false);
}

function promised({ rule, options }: FieldEntry): JsonSchema {
  const schema = options.inEvents || withoutLengths(rule.schema);
  return options.nullable ? { ...schema, type: [schema.type!, 'null'].flat() } : schema;
}

function withoutLengths(schema: JsonSchema): JsonSchema {
  const { type, format, pattern, minimum, maximum = Infinity } = schema;
  if (schema.const !== undefined) return { const: schema.const };
  if (schema.enum) return { enum: schema.enum };
  return {
    type,
    ...(format && { format }),
    ...(pattern && { pattern }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum < Number.MAX_SAFE_INTEGER && { maximum }),
  };
}
