import { fieldsOf } from '../validation/field.js';
import { type OperationSpec, REST } from '../operation.js';
import type { Components } from './schemas.js';
import { sampleOf } from './samples.js';

const KEY_PATTERN = '^[A-Za-z0-9._:-]{8,128}$';

const correlationId = {
  name: 'X-Correlation-Id',
  in: 'header',
  required: false,
  description: `Echoed in X-Svc-Correlation-Id when it matches ${KEY_PATTERN}; otherwise one is made.`,
  schema: { type: 'string' },
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'The same key with the same request gives the same result.',
  schema: { type: 'string', pattern: KEY_PATTERN, minLength: 8, maxLength: 128 },
  example: 'order-4711-print-1',
};

export function parametersOf(operation: OperationSpec, components: Components): unknown[] {
  const path = Object.entries(operation.params ?? {}).map(([name, parameter]) => ({
    name: name === REST ? 'rest' : name,
    in: 'path',
    required: true,
    schema:
      typeof parameter === 'string'
        ? { type: 'string', format: 'uuid' }
        : { type: 'string', pattern: parameter.pattern.source },
  }));
  const query = operation.query ? [...fieldsOf(operation.query)] : [];
  const further = Object.entries(operation.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
  return [
    ...path,
    ...query.map(([name, entry]) => ({
      name,
      in: 'query',
      required: !entry.options.optional,
      ...(entry.options.description && { description: entry.options.description }),
      schema: components.fieldSchema(entry),
    })),
    correlationId,
    ...(operation.idempotencyKey ? [idempotencyKey] : []),
    ...further,
  ];
}

export function requestBodyOf({ body, bodyOptional, requestExample }: OperationSpec, components: Components) {
  if (!body) return undefined;
  return {
    required: !bodyOptional,
    content: {
      'application/json': { schema: components.ref(body), example: requestExample ?? sampleOf(body) },
    },
  };
}
