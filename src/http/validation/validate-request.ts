import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.js';
import type { OperationSpec } from '../operation.js';
import { takeContent } from './print-content.js';
import { fieldsOf, FROM_BODY, FROM_QUERY } from './field.js';

type Plain = Record<string, unknown>;

/** More than a few broken rules at once help nobody. */
const MAX_PROBLEMS = 5;

/**
 * Replaces query and body of a request by checked instances of the operation's classes; undeclared fields and
 * parameters are refused. Messages name the field and the rule, never the value.
 */
export function requestValidator() {
  return (operation: OperationSpec, request: FastifyRequest): void => {
    const problems: string[] = [];
    request.query = queryOf(operation, request.query as Plain, problems);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      request.body = bodyOf(operation, request.body, problems);
    }
    if (problems.length > 0) throw new ApiError('invalid', `${problems.slice(0, MAX_PROBLEMS).join('; ')}.`);
  };
}

function queryOf({ query }: OperationSpec, given: Plain, problems: string[]): unknown {
  const names = Object.keys(given);
  if (!query) {
    for (const name of names) problems.push(`the query parameter ${shown(name)} is not known`);
    return given;
  }
  for (const name of names) {
    if (Array.isArray(given[name]))
      throw new ApiError('invalid', `the query parameter ${shown(name)} must stand once.`);
  }
  return checked(query, given, problems, true);
}

function bodyOf(operation: OperationSpec, given: unknown, problems: string[]): unknown {
  const { body: type, bodyOptional } = operation;
  if (given === undefined && (!type || bodyOptional)) return type && checked(type, {}, problems, false);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ApiError('malformed', 'The body must be a JSON object.');
  }
  if (!type) {
    if (Object.keys(given).length > 0) problems.push('the operation takes no body');
    return undefined;
  }
  if (!operation.carriesContent) return checked(type, given as Plain, problems, false);
  const { content, ...rest } = given as Plain;
  const taken = takeContent(content, problems);
  const instance = checked(type, rest, problems, false);
  return Object.assign(instance, { content: taken });
}

/** Judges one object by a class outside of a request's own body: the items of a batch, each on its own. */
export function validated<T extends object>(
  type: Type<T>,
  given: object,
): { readonly value: T | undefined; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const value = checked(type, given as Plain, problems, false) as T;
  return problems.length > 0 ? { value: undefined, problems } : { value, problems };
}

function checked(type: Type, given: Plain, problems: string[], isQuery: boolean): object {
  refuseUndeclared(type, given, '', problems, isQuery);
  const instance = plainToInstance(type, given, { groups: [isQuery ? FROM_QUERY : FROM_BODY] }) as object;
  // A class without fields has no rules, which is no reason to refuse what fits it.
  const options = { stopAtFirstError: true, forbidUnknownValues: false };
  for (const error of validateSync(instance, options)) collect(error, '', problems);
  return instance;
}

/** Class-validator's whitelist comes too late: class-transformer drops undeclared names that objects have anyway. */
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
  for (const [item, place] of items) {
    if (typeof item === 'object' && item !== null)
      refuseUndeclared(type, item as Plain, `${place}.`, problems, false);
  }
}

function collect(error: ValidationError, parent: string, problems: string[]): void {
  const path = /^\d+$/.test(error.property)
    ? `${parent}[${error.property}]`
    : `${parent && `${parent}.`}${error.property}`;
  const [message] = Object.values(error.constraints ?? {});
  if (message) problems.push(`${path} ${error.value === undefined ? `is required and ${message}` : message}`);
  for (const child of error.children ?? []) collect(child, path, problems);
}

/** A name from outside in a message: short, and nothing that could act on a terminal. */
export const shown = (name: string) => name.slice(0, 64).replace(/[^\w.$[\]-]/g, '?');
