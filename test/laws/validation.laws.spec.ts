import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { CHECKED, checkingPlan, keepsItsRules } from '../../src/http/validation/checking-plan.js';
import { fieldsOf, FROM_BODY, FROM_QUERY, type FieldEntry } from '../../src/http/validation/field.js';
import { instanceFrom, readingPlan } from '../../src/http/validation/reading-plan.js';
import type { JsonSchema, Rule } from '../../src/http/validation/rules.js';
import { rulesBrokenBy } from '../../src/http/validation/validation.pipe.js';
import { requestClasses } from '../kit/request-classes.js';

const SOURCES = [FROM_QUERY, FROM_BODY] as const;
const CLASSES = requestClasses().map((type) => [type.name, type] as const);

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    '0',
    '01',
    '7',
    '-1',
    '1e3',
    'true',
    'TRUE',
    'x\u0000',
    'a\ud800',
    '\u202eb',
  ),
  fc.constantFrom<unknown>([], {}, [[]], [null], [{}], { toString: 1 }, { valueOf: { length: 0 } }, [
    'a',
    'a',
  ]),
  fc.constantFrom<unknown>(-0, 0, 1, 20, 0.5, -1, 1e21, Number.MAX_SAFE_INTEGER, true, false),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Of an exported event. */
const METADATA = {
  at: '2026-11-21T12:00:00.000Z',
  schemaVersion: 1,
  correlationId: 'order-4711',
  actor: { kind: 'operator', id: 'olga' },
};

const times = fc
  .tuple(fc.date({ noInvalidDate: true }), fc.constantFrom('Z', 'z', '+02:00', '-23:59', ''))
  .map(([date, zone]) => date.toISOString().slice(0, -1) + zone);

function textOf({ format, pattern, minLength = 0, maxLength = 300 }: JsonSchema): fc.Arbitrary<unknown> {
  if (format === 'uuid')
    return fc.oneof(
      fc.uuid(),
      fc.uuid().map((id) => id.toUpperCase()),
    );
  if (format === 'date-time') return times;
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength + 1, 300) });
}

function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom<unknown>(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.type === 'string') return textOf(schema);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type !== 'integer')
    return fc.oneof(fc.constant(METADATA), fc.dictionary(fc.string(), fc.jsonValue()));
  const integer = fc.integer({ min: schema.minimum!, max: schema.maximum! });
  return fc.oneof({ weight: 4, arbitrary: integer }, { weight: 1, arbitrary: integer.map(String) });
}

function valid(rule: Rule): fc.Arbitrary<unknown> {
  if (rule.list) return fc.array(valid(rule.list), { maxLength: 4 });
  return rule.nested ? objectOf(rule.nested()) : fitting(rule.schema);
}

/** Mostly valid, so that an object with all its fields often is. */
const valueOf = ({ rule, options: { nullable } }: FieldEntry): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 12, arbitrary: valid(rule) },
    { weight: nullable ? 2 : 0, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: odd },
  );

function objectOf(type: Type): fc.Arbitrary<object> {
  const fields = [...fieldsOf(type)];
  const required = fields.filter(([, { options }]) => !options.optional).map(([name]) => name);
  const values = Object.fromEntries(fields.map(([name, entry]) => [name, valueOf(entry)]));
  return fc.oneof(
    { weight: 4, arbitrary: fc.record(values, { requiredKeys: required }) },
    { weight: 1, arbitrary: fc.record(values, { requiredKeys: [] }) },
  );
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Objects with other names are refused before, and only the rules of the declared ones are named. */
const isDeclared = (type: Type, given: object): boolean =>
  Object.entries(given).every(([name, value]) => {
    const rule = fieldsOf(type).get(name)?.rule;
    const items = rule?.nested ? ([value] as unknown[]).flat() : [];
    return rule && items.every((item) => !isObject(item) || isDeclared(rule.nested!(), item));
  });

describe.each(CLASSES)('the plans of %s', (_, type) => {
  it('exist', () => {
    for (const source of SOURCES) expect(readingPlan(type, source)).toBeDefined();
    expect(checkingPlan(type)).toBeDefined();
  });

  it.each(SOURCES)('agree with the libraries on every %s', (source) => {
    fc.assert(
      fc.property(objectOf(type), (given) => {
        const instance = instanceFrom(type, given as Record<string, unknown>, source);
        const expected = plainToInstance(type, structuredClone(given), { groups: [source] }) as object;
        if (isDeclared(type, given)) expect(instance).toStrictEqual(expected);
        expect(keepsItsRules(instance)).toBe(validateSync(expected, CHECKED).length === 0);
        expect(rulesBrokenBy(instance)).toEqual(rulesBrokenBy(expected));
      }),
    );
  });
});
