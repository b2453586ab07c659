import { Inject, Injectable, type CanActivate, type ExecutionContext, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ACCESS, type Access, type Admission } from '../authentication.js';
import { ApiError } from '../errors/api-error.js';
import type { OperationSpec } from '../operation.js';
import { RateLimits } from './rate-limits.js';
import { CORRELATION_ID } from '../request.js';
import { refuseTooLarge } from '../validation/print-content.js';
import { UUID } from '../validation/rules.js';
import { FROM_BODY, FROM_QUERY } from '../validation/field.js';
import { readInput, shown, validated } from '../validation/read-input.js';
import type { Surface } from '../surface.js';

/** Same characters as a correlation id, by contract. */
const IDEMPOTENCY_KEY = CORRELATION_ID;
const MAX_RULES = 5;

type Plain = Record<string, unknown>;

/** Order: 400 malformed, 413, 403, 400 invalid, 404, admission (docs/decisions/038-nest-pipeline.md). */
@Injectable()
export class ContentChecks implements CanActivate {
  constructor(
    @Inject(ACCESS) private readonly access: Access,
    private readonly limits: RateLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { operation } = request;
    if (!operation) return true;
    if (request.bodyProblem) throw request.bodyProblem;
    if (operation.carriesContent) refuseTooLarge((request.body as Plain | undefined)?.['content']);
    refuseAuthority(operation.surface, [request.query, request.body]);
    if (operation.idempotencyKey) requireIdempotencyKey(request);
    this.validate(operation, request);
    if (operation.params) checkParams(operation.params, request.params as Record<string, string>);
    const refused = await this.refusal(operation, request);
    if (refused !== undefined) throw refused instanceof ApiError ? refused : new ApiError(refused);
    if (operation.limit?.key) {
      await this.limits.countByKey(request, http.getResponse<FastifyReply>());
    }
    return true;
  }

  private validate(operation: OperationSpec, request: FastifyRequest): void {
    const problems: string[] = [];
    refuseRepeated(operation, request.query as Plain);
    request.query = readInput(operation.query, request.query as Plain, FROM_QUERY, problems);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      request.body = readInput(operation.body, bodyOf(operation, request.body), FROM_BODY, problems);
    }
    if (problems.length > 0) throw invalid(problems);
  }

  private refusal(operation: OperationSpec, { principal }: FastifyRequest): ReturnType<Admission> {
    return principal && this.access[operation.surface.name]?.admission?.(principal, operation);
  }
}

/**
 * One of a list whose items are checked one by one (`eachApart`).
 * @param given an ApiError for an item whose JSON breaks a rule
 * @throws ApiError as a request with this body, for an item that is no object too
 */
export function readItem<T extends object>(type: Type<T>, given: unknown, surface: Surface): T {
  if (given instanceof ApiError) throw given;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new ApiError('invalid', 'The item must be an object.');
  refuseTooLarge((given as Plain)['content']);
  refuseAuthority(surface, [given]);
  const { value, problems } = validated(type, given);
  if (!value) throw invalid(problems);
  return value;
}

const invalid = (problems: readonly string[]) =>
  new ApiError('invalid', `${problems.slice(0, MAX_RULES).join('; ')}.`);

function refuseAuthority(surface: Surface, inputs: readonly unknown[]): void {
  for (const given of inputs) {
    if (typeof given !== 'object' || given === null) continue;
    const field = surface.authorityFields.find((name) => Object.hasOwn(given, name));
    if (field)
      throw new ApiError('authorityOverride', `${field} must not be given: the credential decides it.`);
  }
}

function requireIdempotencyKey({ headers }: FastifyRequest): void {
  const key = headers['idempotency-key'];
  if (key === undefined) throw new ApiError('invalid', 'The header Idempotency-Key is required.');
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw new ApiError('invalid', 'Idempotency-Key must be 8 to 128 characters of A-Z a-z 0-9 . _ : -');
  }
}

function refuseRepeated({ query }: OperationSpec, given: Plain): void {
  const repeated = query && Object.keys(given).find((name) => Array.isArray(given[name]));
  if (repeated !== undefined)
    throw new ApiError('invalid', `the query parameter ${shown(repeated)} must stand once.`);
}

function bodyOf({ body: type, bodyOptional }: OperationSpec, given: unknown): Plain {
  if (given === undefined && (!type || bodyOptional)) return {};
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ApiError('malformed', 'The body must be a JSON object.');
  }
  return given as Plain;
}

/** Nest answers an empty path parameter before any guard, so NUL replaces it until `checkParams`. */
export function fillEmptyParams(request: FastifyRequest, _: FastifyReply, done: () => void): void {
  const params = request.params as Record<string, string>;
  for (const name of Object.keys(params)) params[name] ||= '\0';
  done();
}

/** An invalid id is a resource that does not exist. */
function checkParams(expected: NonNullable<OperationSpec['params']>, params: Record<string, string>): void {
  for (const [name, parameter] of Object.entries(expected)) {
    const value = params[name] ?? '';
    const isId = typeof parameter === 'string';
    if (!(isId ? UUID : parameter.pattern).test(value))
      throw new ApiError(isId ? parameter : parameter.notFound);
    if (isId) params[name] = value.toLowerCase();
  }
}
