import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { fieldsOf, FROM_BODY, FROM_QUERY, makeValidatable } from './field.js';

type Plain = Readonly<Record<string, unknown>>;
type Source = typeof FROM_QUERY | typeof FROM_BODY;

/** class-validator refuses a class without fields otherwise. */
const OPTIONS = { stopAtFirstError: true, forbidUnknownValues: false };

export function validated<T extends object>(
  type: Type<T>,
  given: object,
): { readonly value: T | undefined; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const value = readInput(type, given as Plain, FROM_BODY, problems) as T;
  return problems.length > 0 ? { value: undefined, problems } : { value, problems };
}

/** Messages name the field and the rule, never the value. Without a class no name is allowed. */
export function readInput(
  type: Type | undefined,
  given: Plain,
  source: Source,
  problems: string[],
): object | undefined {
  if (!type) return void problems.push(...rulesWithoutClass(source, Object.keys(given)));
  const declared = declaredIn(type, given, '', problems, source);
  const apart: Record<string, unknown> = {};
  for (const [name, { rule }] of fieldsOf(type)) {
    if (!rule.readApart) continue;
    apart[name] = rule.readApart(declared[name], problems);
    delete declared[name];
  }
  return Object.assign(instanceOf(type, declared, source, problems), apart);
}

function rulesWithoutClass(source: Source, names: readonly string[]): readonly string[] {
  if (source === FROM_QUERY) return names.map((name) => `the query parameter ${shown(name)} is not known`);
  return names.length > 0 ? ['the operation takes no body'] : [];
}

function instanceOf(type: Type, given: Plain, source: Source, problems: string[]): object {
  makeValidatable(type);
  const instance = plainToInstance(type, given, { groups: [source] }) as object;
  for (const error of validateSync(instance, OPTIONS)) collect(error, '', problems);
  return instance;
}

/** Before class-transformer, which drops inherited names (`toString`) and copies large undeclared values. */
function declaredIn(
  type: Type,
  given: Plain,
  path: string,
  problems: string[],
  source: Source,
): Record<string, unknown> {
  const fields = fieldsOf(type);
  const declared: Record<string, unknown> = {};
  for (const name of Object.keys(given)) {
    const rule = fields.get(name)?.rule;
    if (rule)
      declared[name] = rule.nested
        ? declaredInside(rule.nested(), given[name], path + name, problems)
        : given[name];
    else {
      const kind = source === FROM_QUERY ? 'query parameter' : 'field';
      problems.push(`${path}${shown(name)} is not a known ${kind}`);
    }
  }
  return declared;
}

function declaredInside(type: Type, value: unknown, path: string, problems: string[]): unknown {
  const inside = (item: unknown, location: string) => {
    if (typeof item !== 'object' || item === null) return item;
    const declared = declaredIn(type, item as Plain, `${location}.`, problems, FROM_BODY);
    return Array.isArray(item) ? item : declared; // An array in place of an object breaks a rule of its own.
  };
  return Array.isArray(value) ? value.map((item, i) => inside(item, `${path}[${i}]`)) : inside(value, path);
}

function collect(error: ValidationError, parent: string, problems: string[]): void {
  const path = /^\d+$/.test(error.property)
    ? `${parent}[${error.property}]`
    : `${parent && `${parent}.`}${error.property}`;
  const [message] = Object.values(error.constraints ?? {});
  if (message) problems.push(`${path} ${error.value === undefined ? `is required and ${message}` : message}`);
  for (const child of error.children ?? []) collect(child, path, problems);
}

/** Shortened, without characters that affect a terminal. */
export const shown = (name: string) => name.slice(0, 64).replace(/[^\w.$[\]-]/g, '?');
