import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { validateSync, type ValidationError } from 'class-validator';
import { CHECKED, keepsItsRules } from './checking-plan.js';
import { fieldsOf, FROM_BODY, FROM_QUERY } from './field.js';
import { isPrintContent, takeContent } from './print-content.js';
import { instanceFrom } from './reading-plan.js';

type Plain = Record<string, unknown>;

/** Messages of the broken rules: they name the field and the rule, never the value. */
export class BrokenRules extends Error {
  constructor(readonly rules: readonly string[]) {
    super(rules.join('; '));
  }
}

/**
 * Creates a validated instance of a request class from a query or a JSON object; refuses undeclared names.
 * Without a class, no value is allowed.
 * @throws BrokenRules
 */
export class ValidationPipe implements PipeTransform<unknown, unknown> {
  transform(given: unknown, { type, metatype }: Pick<ArgumentMetadata, 'type' | 'metatype'>): unknown {
    const broken: string[] = [];
    const value = metatype ? checked(metatype as Type, given as Plain, broken, type === 'query') : undefined;
    if (!metatype) broken.push(...rulesWithoutClass(type, Object.keys(given as Plain)));
    if (broken.length > 0) throw new BrokenRules(broken);
    return value;
  }
}

function rulesWithoutClass(type: ArgumentMetadata['type'], names: readonly string[]): readonly string[] {
  if (type === 'query') return names.map((name) => `the query parameter ${shown(name)} is not known`);
  return names.length > 0 ? ['the operation takes no body'] : [];
}

/** Validates one object by a class: an item of a batch. */
export function validated<T extends object>(
  type: Type<T>,
  given: object,
): { readonly value: T | undefined; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const value = checked(type, given as Plain, problems, false) as T;
  return problems.length > 0 ? { value: undefined, problems } : { value, problems };
}

function checked(type: Type, given: Plain, problems: string[], isQuery: boolean): object {
  if (!isPrintContent(fieldsOf(type).get('content')?.rule)) return instanceOf(type, given, problems, isQuery);
  // Hides document bytes from class-transformer, which would copy them one by one.
  const { content, ...rest } = given;
  const taken = takeContent(content, problems);
  return Object.assign(instanceOf(type, rest, problems, isQuery), { content: taken });
}

function instanceOf(type: Type, given: Plain, problems: string[], isQuery: boolean): object {
  refuseUndeclared(type, given, '', problems, isQuery);
  const instance = instanceFrom(type, given, isQuery ? FROM_QUERY : FROM_BODY);
  if (!keepsItsRules(instance)) problems.push(...rulesBrokenBy(instance));
  return instance;
}

/** Runs before class-transformer, which drops undeclared names that every object has (`toString`). */
function refuseUndeclared(
  type: Type,
  given: Plain,
  path: string,
  problems: string[],
  isQuery: boolean,
): void {
  const fields = fieldsOf(type);
  for (const name of Object.keys(given)) {
    const rule = fields.get(name)?.rule;
    if (!rule) problems.push(`${path}${shown(name)} is not a known ${isQuery ? 'query parameter' : 'field'}`);
    else if (rule.nested) refuseInside(rule.nested(), given[name], `${path}${name}`, problems);
  }
}

function refuseInside(type: Type, value: unknown, path: string, problems: string[]): void {
  const items = Array.isArray(value)
    ? value.map((item: unknown, i) => [item, `${path}[${i}]`] as const)
    : [[value, path] as const];
  for (const [item, location] of items) {
    if (typeof item === 'object' && item !== null)
      refuseUndeclared(type, item as Plain, `${location}.`, problems, false);
  }
}

/** The messages of class-validator. */
export function rulesBrokenBy(instance: object): readonly string[] {
  const problems: string[] = [];
  for (const error of validateSync(instance, CHECKED)) collect(error, '', problems);
  return problems;
}

function collect(error: ValidationError, parent: string, problems: string[]): void {
  const path = /^\d+$/.test(error.property)
    ? `${parent}[${error.property}]`
    : `${parent && `${parent}.`}${error.property}`;
  const [message] = Object.values(error.constraints ?? {});
  if (message) problems.push(`${path} ${error.value === undefined ? `is required and ${message}` : message}`);
  for (const child of error.children ?? []) collect(child, path, problems);
}

/** A client's field name in a message: shortened, without characters that affect a terminal. */
export const shown = (name: string) => name.slice(0, 64).replace(/[^\w.$[\]-]/g, '?');
