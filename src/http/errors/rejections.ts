import type { Rejection } from '../../kernel/decider.js';
import { ApiError, type ErrorCode } from './api-error.js';

/** A surface's error for each rejection of a context. The type is complete: a new code fails the build. */
export type RejectionTable<R extends Rejection> = {
  readonly [C in R['code']]: ErrorCode | ((rejection: Extract<R, { code: C }>) => ApiError);
};

export function refusalOf<R extends Rejection>(table: RejectionTable<R>, rejection: R): ApiError {
  const entry = table[rejection.code as R['code']];
  return typeof entry === 'function'
    ? entry(rejection as Extract<R, { code: R['code'] }>)
    : new ApiError(entry);
}
