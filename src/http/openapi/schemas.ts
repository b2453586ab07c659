import type { Type } from '@nestjs/common';
import { type FieldEntry, fieldsOf } from '../validation/field.js';
import type { JsonSchema, Rule } from '../validation/rules.js';

/** The schemas of a document: each class once, closed against undeclared properties. */
export class Components {
  readonly #schemas = new Map<string, { type: Type; schema: JsonSchema }>();

  schemas(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#schemas].map(([name, { schema }]) => [name, schema]));
  }

  /** Returns a reference to the class's schema and adds the schema to the document. */
  ref(type: Type): JsonSchema {
    const known = this.#schemas.get(type.name);
    if (known && known.type !== type) throw new Error(`two classes of the API are called ${type.name}`);
    if (!known) {
      const entry = { type, schema: {} as JsonSchema };
      this.#schemas.set(type.name, entry);
      entry.schema = this.objectOf(type);
    }
    return { $ref: `#/components/schemas/${type.name}` };
  }

  /** The schema of one field, with description, default and example. */
  fieldSchema({ rule, options }: FieldEntry): JsonSchema {
    const schema = this.ruleSchema(rule);
    const { description, example } = options;
    return {
      ...(options.nullable ? nullable(schema) : schema),
      ...(description && { description }),
      ...(options.default !== undefined && { default: options.default }),
      ...(example !== undefined && { examples: [example] }),
    };
  }

  private ruleSchema(rule: Rule): JsonSchema {
    if (rule.list) return { ...rule.schema, items: this.ruleSchema(rule.list) };
    return rule.nested ? this.ref(rule.nested()) : rule.schema;
  }

  private objectOf(type: Type): JsonSchema {
    const fields = [...fieldsOf(type)];
    return {
      type: 'object',
      properties: Object.fromEntries(fields.map(([name, entry]) => [name, this.fieldSchema(entry)])),
      required: fields.filter(([, { options }]) => !options.optional).map(([name]) => name),
      additionalProperties: false,
    };
  }
}

function nullable(schema: JsonSchema): JsonSchema {
  if (schema.$ref || schema.oneOf || schema.anyOf) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    ...(schema.type && { type: [schema.type, 'null'].flat() }),
    ...(schema.enum && { enum: [...schema.enum, null] }),
  };
}

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

export function eventFieldsOf(type: Type): readonly (readonly [string, FieldEntry])[] {
  return [...fieldsOf(type)].filter(([, { options }]) => options.inEvents !== false);
}

function promised({ rule, options }: FieldEntry): JsonSchema {
  const schema = options.inEvents || promisedBy(rule);
  return options.nullable ? { ...schema, type: [schema.type!, 'null'].flat() } : schema;
}

function promisedBy(rule: Rule): JsonSchema {
  if (rule.list) return { type: 'array', items: promisedBy(rule.list) };
  return rule.nested ? eventSchemaOf(rule.nested()) : withoutLengths(rule.schema);
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

const SAMPLE_UUID = '019a8f3e-5b7c-7d21-9c44-0a1b2c3d4e5f';
const SAMPLE_TIME = '2026-11-21T12:00:00.000Z';

export const SAMPLE_IDS = { request_id: SAMPLE_UUID, correlation_id: 'order-4711.print' };

/** An example of a class or schema: its own, or that of its fields, or the simplest valid value. */
export function sampleOf(of: Type | JsonSchema): unknown {
  if (typeof of !== 'function') return fitting(of);
  if (Object.hasOwn(of, 'example')) return (of as { readonly example?: unknown }).example;
  return Object.fromEntries([...fieldsOf(of)].map(([name, entry]) => [name, fieldSample(entry)]));
}

function fieldSample({ rule, options }: FieldEntry): unknown {
  return options.example ?? options.default ?? ruleSample(rule);
}

function ruleSample(rule: Rule): unknown {
  if (rule.list) return [ruleSample(rule.list)];
  return rule.nested ? sampleOf(rule.nested()) : fitting(rule.schema);
}

function fitting(schema: JsonSchema): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const variant = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (variant) return fitting(variant);
  switch ([schema.type].flat()[0]) {
    case 'string':
      return textSample(schema);
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return schema.items && schema.maxItems !== 0 ? [fitting(schema.items)] : [];
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, each]) => [name, fitting(each)]),
      );
    default:
      return null;
  }
}

function textSample({ format, minLength = 0, maxLength = 16, contentEncoding }: JsonSchema): string {
  if (format === 'uuid') return SAMPLE_UUID;
  if (format === 'date-time') return SAMPLE_TIME;
  if (contentEncoding) return 'JVBERi0xLjcK';
  return 'Sample text'.slice(0, maxLength).padEnd(minLength, '.');
}
