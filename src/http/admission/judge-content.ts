import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../authentication.js';
import { ApiError } from '../errors/api-error.js';
import type { OperationSpec } from '../operation.js';
import type { RateLimits } from '../rate-limits.js';
import { CORRELATION_ID } from '../request.js';
import { refuseTooLarge } from '../validation/print-content.js';
import { UUID } from '../validation/text-rules.js';
import { requestValidator } from '../validation/validate-request.js';
import { countByKey } from './rate-control.js';

/** Same characters as a correlation id, by contract. */
const IDEMPOTENCY_KEY = CORRELATION_ID;

export interface ContentJudgeOptions {
  readonly access: () => Access;
  readonly limits: RateLimits;
}

/**
 * Judges what a request says, when its body has been read: 400 malformed, 403 authority override, 400 invalid,
 * 404 of a malformed id in the path, and last the surface's own admission.
 */
export function contentJudge({ access, limits }: ContentJudgeOptions) {
  const validate = requestValidator();

  return async function judge(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const operation = request.routeOptions.config.operation;
    if (!operation) return;
    if (request.bodyProblem) throw request.bodyProblem;
    if (operation.carriesContent)
      refuseTooLarge((request.body as { content?: unknown } | undefined)?.content);
    if (operation.surface.authorityFields.length > 0) refuseAuthority(operation, request);
    if (operation.idempotencyKey) requireIdempotencyKey(request);
    validate(operation, request);
    if (operation.params) checkParams(operation.params, request.params as Record<string, string>);
    const admission = request.principal && access()[operation.surface.name]?.admission;
    if (admission) {
      const refused = await admission(request.principal!, operation);
      if (refused !== undefined) throw refused instanceof ApiError ? refused : new ApiError(refused);
    }
    if (operation.limit?.key) await countByKey(limits, request, reply);
  };
}

function refuseAuthority({ surface }: OperationSpec, { query, body }: FastifyRequest): void {
  for (const given of [query, body]) {
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

/** Ids come in any case and go on in lower case; what cannot be an id is a resource that does not exist. */
function checkParams(expected: NonNullable<OperationSpec['params']>, params: Record<string, string>): void {
  for (const [name, parameter] of Object.entries(expected)) {
    const value = params[name] ?? '';
    const isId = typeof parameter === 'string';
    if (!(isId ? UUID : parameter.pattern).test(value))
      throw new ApiError(isId ? parameter : parameter.notFound);
    if (isId) params[name] = value.toLowerCase();
  }
}
