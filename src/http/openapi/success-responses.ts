import type { Type } from '@nestjs/common';
import { successes, type OperationSpec, type Success } from '../operation.js';
import type { Components } from './components.js';
import { headersOf } from './headers.js';
import type { JsonSchema } from './json-schema.js';
import { SAMPLE_IDS, sampleOf } from './samples.js';

export function successResponses(operation: OperationSpec, components: Components): Record<string, unknown> {
  return Object.fromEntries(
    successes(operation).map((success) => [String(success.status), response(operation, success, components)]),
  );
}

function response(operation: OperationSpec, success: Success, components: Components) {
  const own = Object.entries(success.headers ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return {
    description: success.description,
    headers: { ...headersOf(operation), ...Object.fromEntries(own) },
    ...contentOf(operation, success, components),
  };
}

function contentOf(operation: OperationSpec, success: Success, components: Components) {
  if (success.media) return { content: { [success.media]: { schema: {} } } };
  if (!success.type) return {};
  const item = typeof success.type === 'function' ? components.ref(success.type) : success.type;
  const schema = envelopeSchema(operation, success, dataSchema(success, item));
  const example = {
    code: success.codes?.[0] ?? 'OK',
    ...(operation.surface.messages && { message: success.description }),
    data: dataSample(success),
    ...SAMPLE_IDS,
  };
  return { content: { 'application/json': { schema, example } } };
}

function envelopeSchema({ surface }: OperationSpec, { codes }: Success, data: JsonSchema): JsonSchema {
  const properties = {
    code: { type: 'string', ...(codes && { enum: codes }) },
    ...(surface.messages && { message: { type: 'string' } }),
    data,
    request_id: { type: 'string', format: 'uuid' },
    correlation_id: { type: 'string' },
  };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const count: JsonSchema = { type: 'integer', minimum: 0 };

function dataSchema({ list }: Success, item: JsonSchema): JsonSchema {
  if (!list) return item;
  const items: JsonSchema = { type: 'array', items: item };
  const properties: Record<string, JsonSchema> =
    list === 'page'
      ? { items, count, total: count, limit: { type: 'integer', minimum: 1, maximum: 100 }, offset: count }
      : { items, has_more: { type: 'boolean' }, next_cursor: { type: ['string', 'null'] } };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function dataSample({ type, list, example }: Success): unknown {
  const one = example ?? sampleOf(type as Type | JsonSchema);
  if (list === 'page') return { items: [one], count: 1, total: 1, limit: 25, offset: 0 };
  if (list === 'cursor') return { items: [one], has_more: false, next_cursor: null };
  return one;
}
