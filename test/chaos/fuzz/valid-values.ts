import fc from 'fast-check';
import type { Conformance } from '../../kit/openapi.js';
import { resolved, type Schema } from '../safety/served.js';

/** Values for fields that name a resource, by field name. */
export type Pool = (name: string) => fc.Arbitrary<unknown> | undefined;

const MAX_ITEMS = 3;
const USUAL_LENGTH = 24;

/** Printable characters of one to four bytes, including those special to a shell, a terminal, HTML or SQL. */
const unit = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'abcXYZ 019-_.:/') },
  { weight: 1, arbitrary: fc.constantFrom(...`"'\\<>&%$;{}[]()*é漢𝄞🖨\u200d\u00a0\ufeff`) },
);

/** Values allowed by a schema, and existing ones where known. */
export function valueOf(
  document: Conformance,
  given: Schema,
  name: string,
  pool: Pool,
): fc.Arbitrary<unknown> {
  const known = pool(name);
  if (known) return known;
  const schema = resolved(document, given);
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map((variant) => valueOf(document, variant, '', pool)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? 'object'].flat();
  return fc.oneof(...types.map((type) => ofType(document, type, schema, pool)));
}

function ofType(document: Conformance, type: string, schema: Schema, pool: Pool): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum, max: Math.min(schema.maximum ?? Infinity, 2 ** 31 - 1) });
    case 'number':
      return fc.double({ min: schema.minimum, max: schema.maximum, noNaN: true, noDefaultInfinity: true });
    case 'string':
      return textOf(schema);
    case 'array': {
      const { items = {}, minItems: minLength = 0, maxItems = MAX_ITEMS, uniqueItems } = schema;
      const bounds = { minLength, maxLength: Math.min(MAX_ITEMS, maxItems) };
      const item = valueOf(document, items, '', pool);
      return uniqueItems ? fc.uniqueArray(item, bounds) : fc.array(item, bounds);
    }
    case 'object':
      return objectOf(document, schema, pool);
    default:
      throw new Error(`no values for ${JSON.stringify(schema)}`);
  }
}

function objectOf(document: Conformance, { properties = {}, required = [] }: Schema, pool: Pool) {
  const fields = Object.entries(properties).map(([name, property]) => [
    name,
    valueOf(document, property, name, pool),
  ]);
  const model = Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>;
  return fc.record(model, { requiredKeys: [...required], noNullPrototype: true });
}

function textOf(schema: Schema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = USUAL_LENGTH } = schema;
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.format === 'date-time') return instants;
  if (schema.contentEncoding === 'base64') return base64;
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern), { size: 'small' });
  const usual = fc.string({
    unit,
    minLength,
    maxLength: Math.max(minLength, Math.min(maxLength, USUAL_LENGTH)),
  });
  const longest = unit.map((one) => one.repeat(maxLength));
  return maxLength > 1_000 ? usual : fc.oneof({ weight: 9, arbitrary: usual }, longest);
}

const instants = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Starts like a PDF; other printer languages may start the same way. */
const base64 = fc
  .uint8Array({ maxLength: 40 })
  .map((bytes) => Buffer.concat([Buffer.from('%PDF-1.4\n'), bytes]).toString('base64'));
