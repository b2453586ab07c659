import type { Type } from '@nestjs/common';
import { fieldsOf, type FieldEntry } from '../validation/field.js';
import type { JsonSchema, Rule } from '../validation/rules.js';

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
