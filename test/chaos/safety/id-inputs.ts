import { bodySchema, resolved, type Schema, type Served } from './served.js';

/** An input that names a resource, a secret or a position. */
export interface IdInput {
  readonly in: 'path' | 'query' | 'header' | 'body';
  readonly name: string;
  /** Path in the body; lists are entered at their first item. */
  readonly at: readonly (string | number)[];
}

const NAMES_SOMETHING = /(_id|_key|cursor|token|credential|slug|url|secret)$|^(idempotency-key|if-.*)$/i;

/** Objects that a document leaves open, with the names that matter in them. */
const OPEN_OBJECTS: Readonly<Record<string, readonly string[]>> = {
  'reportEvents events.0': ['event_id', 'job_id', 'lease_id'],
};

/** Each item has the answer of a single create, within an answer of 200: test/surface/embedded/mixed-batches.spec.ts compares them. */
export const ANSWERED_BY_ITEM = new Set(['createPrintJobs', 'createJobs']);

/** Every id-bearing input of an operation: `format: uuid`, or a matching name. */
export function idInputs(served: Served): IdInput[] {
  const { parameters } = served.operation;
  const named = parameters.filter(({ name, schema }) => namesSomething(name, schema as Schema));
  const schema = ANSWERED_BY_ITEM.has(served.id) ? undefined : bodySchema(served);
  return [
    ...named.map(({ name, in: place }) => ({ name, in: place as IdInput['in'], at: [] })),
    ...(schema ? inside(served, schema, []) : []),
  ];
}

/** `rotate_secret` is a boolean. */
const namesSomething = (name: string, { format, type }: Schema) =>
  format === 'uuid' || (name !== 'X-Correlation-Id' && type !== 'boolean' && NAMES_SOMETHING.test(name));

function inside(served: Served, given: Schema, at: readonly (string | number)[]): IdInput[] {
  const schema = resolved(served.document, given);
  if (schema.oneOf) return schema.oneOf.flatMap((variant) => inside(served, variant, at));
  if (schema.items) return inside(served, schema.items, [...at, 0]);
  if (schema.type === 'object' && !schema.properties) return openObject(served, at);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const there = [...at, name];
    const found = namesSomething(name, property) ? [{ in: 'body' as const, name, at: there }] : [];
    return [...found, ...inside(served, property, there)];
  });
}

function openObject({ id }: Served, at: readonly (string | number)[]): IdInput[] {
  const names = OPEN_OBJECTS[`${id} ${at.join('.')}`];
  if (!names) throw new Error(`${id}: ${at.join('.')} may hold anything; say in OPEN_OBJECTS what counts`);
  return names.map((name) => ({ in: 'body', name, at: [...at, name] }));
}
