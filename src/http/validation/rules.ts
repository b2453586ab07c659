import type { Type } from '@nestjs/common';
import { instant } from '../../kernel/time.js';

/** Shared by class-validator, the OpenAPI document and error messages. */
export interface Rule {
  readonly schema: JsonSchema;
  /** Ends the sentence "<field> …". */
  readonly message: string;
  readonly accepts: (value: unknown) => boolean;
  /** Returns invalid text unchanged, which is then refused. */
  readonly fromText?: (text: string) => unknown;
  /** Called with valid values only. */
  readonly normalise?: (value: never) => unknown;
  readonly nested?: () => Type;
  readonly list?: Rule;
  /**
   * Reads the given value instead of class-transformer, which would copy document bytes one by one, and adds what is
   * wrong to `problems`.
   */
  readonly readApart?: (given: unknown, problems: string[]) => unknown;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Well-formed, without control and bidirectional characters; length in code points. */
export function text(bounds: { min?: number; max: number; pattern?: RegExp; message?: string }): Rule {
  const { min = 1, max, pattern } = bounds;
  return {
    schema: { type: 'string', minLength: min, maxLength: max, ...(pattern && { pattern: pattern.source }) },
    message:
      bounds.message ??
      `must be ${min} to ${max} well-formed characters without control or bidirectional ones`,
    accepts: (value) =>
      isText(value) && hasLength(value, min, max) && isPlain(value) && (pattern?.test(value) ?? true),
  };
}

/** Text with a visible character, or empty if `min` is 0. Few JSON Schema libraries know its classes, so `pattern` says less. */
export function name({ min = 1, max }: { min?: 0 | 1 | 2; max: number }): Rule {
  const rule = text({
    min,
    max,
    pattern: min === 0 ? /^$|\S/ : /\S/,
    message: `must be ${min} to ${max} well-formed characters, not only blanks or invisible ones, without control or bidirectional ones`,
  });
  return {
    ...rule,
    accepts: (value) => rule.accepts(value) && (value === '' || VISIBLE.test(value as string)),
  };
}

/** Replaces bidirectional controls: refusing one would refuse a whole inventory. */
export function reportedText({ max }: { max: number }): Rule {
  return {
    ...text({ max, message: `must be 1 to ${max} well-formed characters without control characters` }),
    accepts: (value) => isText(value) && hasLength(value, 1, max) && isWellFormed(value),
    normalise: withoutBidirectional,
  };
}

export const uuid = (): Rule => ({
  schema: { type: 'string', format: 'uuid' },
  message: 'must be a UUID',
  accepts: (value) => isText(value) && UUID.test(value),
  normalise: (value: string) => value.toLowerCase(),
});

/** RFC 3339 in any form; normalised to an `Instant`. */
export const dateTime = (): Rule => ({
  schema: { type: 'string', format: 'date-time' },
  message: 'must be an RFC 3339 date-time with a time zone',
  accepts: (value) => isText(value) && value.length <= 40 && momentOf(value) !== undefined,
  normalise: (value: string) => instant(momentOf(value)!),
});

export const integer = (minimum: number, maximum: number): Rule => ({
  schema: { type: 'integer', minimum, maximum },
  message: `must be an integer from ${minimum} to ${maximum}`,
  accepts: (value) =>
    Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum,
  fromText: (digits) => (/^(0|[1-9][0-9]{0,14})$/.test(digits) ? Number(digits) : digits),
});

/** Any number of things. */
export const count = integer(0, Number.MAX_SAFE_INTEGER);

export const decimal = (minimum: number, maximum: number): Rule => ({
  schema: { type: 'number', minimum, maximum },
  message: `must be a number from ${minimum} to ${maximum}`,
  accepts: (value) => typeof value === 'number' && value >= minimum && value <= maximum,
});

export const boolean = (): Rule => ({
  schema: { type: 'boolean' },
  message: 'must be true or false',
  accepts: (value) => typeof value === 'boolean',
  fromText: (word) => (word === 'true' ? true : word === 'false' ? false : word),
});

export const oneOf = (...values: readonly string[]): Rule => ({
  schema: { type: 'string', enum: values },
  message: `must be one of ${values.join(', ')}`,
  accepts: (value) => isText(value) && values.includes(value),
});

export const constant = (value: string | boolean): Rule => ({
  schema: { type: typeof value, const: value },
  message: `must be ${value}`,
  accepts: (given) => given === value,
});

/** An object that is validated later. */
export const anyObject = (schema: JsonSchema = {}): Rule => ({
  schema: { type: 'object', ...schema },
  message: 'must be an object',
  accepts: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
});

export const object = (type: () => Type): Rule => ({ ...anyObject(), nested: type });

export function listOf(item: Rule, bounds: { min?: number; max: number; unique?: boolean }): Rule {
  const { min = 0, max, unique = false } = bounds;
  const distinct = unique ? ' different' : '';
  return {
    schema: {
      type: 'array',
      items: item.schema,
      minItems: min,
      maxItems: max,
      ...(unique && { uniqueItems: true }),
    },
    message: `must be a list of ${min} to ${max}${distinct} values, each of which ${item.message}`,
    accepts: (value) =>
      Array.isArray(value) &&
      value.length >= min &&
      value.length <= max &&
      value.every((each) => item.accepts(each)) &&
      (!unique || new Set(value).size === value.length),
    ...(item.normalise && { normalise: (values: never[]) => values.map((each) => item.normalise!(each)) }),
    nested: item.nested,
    list: item,
  };
}

/** A list of objects with the fields of a class, which the operation checks one by one: a wrong one spoils no other. */
export function eachApart(name: string, type: () => Type, max: number): Rule {
  const message = `must be a list of 1 to ${max} objects`;
  return {
    schema: { type: 'array', minItems: 1, maxItems: max },
    message,
    accepts: () => true,
    list: object(type),
    readApart: (given, problems) => {
      const fits = Array.isArray(given) && given.length > 0 && given.length <= max;
      return fits ? (given as unknown[]) : void problems.push(`${name} ${message}`);
    },
  };
}

/** A list of objects with the fields of a class. */
export const objects = (type: () => Type, max: number): Rule => listOf(object(type), { max });

/** Any JSON of the schema, for answers, which are not validated. */
export const shaped = (schema: JsonSchema): Rule => ({
  schema,
  message: 'must have its shape',
  accepts: () => true,
});

/** Any version, any case. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Control characters, line separators, and halves of surrogate pairs. */
const UNFIT = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** Invisible, and can make the text around it read as something else (UAX #9). */
const BIDIRECTIONAL = /\p{Bidi_Control}/gu;

/** White space, format characters, fillers (U+115F, U+3164), and the empty Braille pattern leave nothing to see. */
const VISIBLE = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** RFC 3339 with a zone. `Date.parse` refuses minutes and seconds above 59, but takes the hour 24. */
const DATE_TIME = /^\d{4}-(\d{2})-(\d{2})[Tt](?!24)\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

const isWellFormed = (text: string) => !UNFIT.test(text);

export const isPlain = (text: string) => isWellFormed(text) && text.search(BIDIRECTIONAL) < 0;

/** Keeps the length. */
const withoutBidirectional = (text: string) => text.replace(BIDIRECTIONAL, '\ufffd');

/** In code points, like JSON Schema, not in UTF-16 units. */
function hasLength(text: string, min: number, max: number): boolean {
  if (text.length > max * 2) return false;
  const count = text.length <= max && text.length > min * 2 ? text.length : [...text].length;
  return count >= min && count <= max;
}

/** Epoch milliseconds; undefined for an impossible date (30 February). */
export function momentOf(text: string): number | undefined {
  const match = DATE_TIME.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(match[1]), Number(match[2])];
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  const moment = Date.parse(text.toUpperCase());
  return Number.isNaN(moment) ? undefined : moment;
}

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | number | boolean | null;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly contentEncoding?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}
