import type { agentErrors } from './agent.errors.js';
import type { RefusalKind } from './catalogue.js';
import type { integrationErrors } from './integration.errors.js';
import type { operatorErrors } from './operator.errors.js';
import type { partnerErrors } from './partner.errors.js';

export type ErrorCode =
  | keyof typeof integrationErrors
  | keyof typeof partnerErrors
  | keyof typeof agentErrors
  | keyof typeof operatorErrors;

/**
 * The only error that reaches a client as it is: a code of the surface's catalogue, or a refusal of the platform
 * that the surface translates. Messages name the field and the rule and never repeat what was sent.
 */
export class ApiError extends Error {
  constructor(
    readonly key: ErrorCode | RefusalKind,
    message?: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message ?? '');
    this.name = 'ApiError';
  }
}
