/** Facts about the call that every error of a client carries. */
export interface Tried {
  /** Number of requests that were sent. */
  readonly attempts: number;
  /** Of `jobs.create` and `jobs.retry`: repeat the call with it, and no second job is made (except after a restore). */
  readonly idempotencyKey?: string;
}

/** The body of an error, the same on both surfaces. */
export interface ErrorBody<Code extends string = string> {
  readonly code: Code;
  readonly message: string;
  readonly retryable: boolean;
  readonly request_id: string;
  readonly correlation_id: string;
}

/** Any error of a client. None contains a credential. */
export abstract class RemotePrintingError extends Error {
  readonly attempts: number;
  readonly idempotencyKey?: string;

  constructor(message: string, { attempts, idempotencyKey }: Tried, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.attempts = attempts;
    if (idempotencyKey !== undefined) this.idempotencyKey = idempotencyKey;
  }
}

/** The service refused the call. */
export class ApiError<Code extends string = string> extends RemotePrintingError {
  readonly code: Code;
  readonly retryable: boolean;
  readonly requestId: string;
  readonly correlationId: string;

  constructor(
    readonly status: number,
    body: ErrorBody<Code>,
    tried: Tried,
  ) {
    super(`${body.code}: ${body.message}`, tried);
    this.code = body.code;
    this.retryable = body.retryable;
    this.requestId = body.request_id;
    this.correlationId = body.correlation_id;
  }
}

/** 400, 413, 415 */
export class InvalidRequestError<Code extends string = string> extends ApiError<Code> {}
/** 401 */
export class AuthenticationError<Code extends string = string> extends ApiError<Code> {}
/** 402 */
export class PlanLimitError<Code extends string = string> extends ApiError<Code> {}
/** 403 */
export class PermissionError<Code extends string = string> extends ApiError<Code> {}
/** 404 */
export class NotFoundError<Code extends string = string> extends ApiError<Code> {}
/** 409 */
export class ConflictError<Code extends string = string> extends ApiError<Code> {}
/** 429 */
export class RateLimitError<Code extends string = string> extends ApiError<Code> {}
/** 5xx */
export class ServiceError<Code extends string = string> extends ApiError<Code> {}

/**
 * A request of `jobs.createMany` failed for the reason in `cause`. Some of its jobs may exist: call again with `jobs`,
 * which have their keys, and then with those that were not read yet. No job is made twice (except after a restore).
 */
export class UnansweredJobsError<Job = object> extends Error {
  constructor(
    readonly jobs: readonly Job[],
    cause: unknown,
  ) {
    super(`${jobs.length} jobs have no answer`, { cause });
    this.name = 'UnansweredJobsError';
  }
}

/** No answer, or not one of the service; `cause` says why. Whether a write was done is unknown. */
export class ConnectionError extends RemotePrintingError {}

/** The last attempt took longer than `timeoutMs`. Whether a write was done is unknown. */
export class TimeoutError extends RemotePrintingError {}

/** `maxWaitMs` is over and the job has not ended. */
export class WaitTimeoutError<Job = unknown> extends RemotePrintingError {
  constructor(
    message: string,
    /** As last seen. */
    readonly job: Job,
    tried: Tried,
  ) {
    super(message, tried);
  }
}

const CLASSES: Readonly<Record<number, typeof ApiError>> = {
  ...{ 400: InvalidRequestError, 413: InvalidRequestError, 415: InvalidRequestError },
  ...{ 401: AuthenticationError, 402: PlanLimitError, 403: PermissionError },
  ...{ 404: NotFoundError, 409: ConflictError, 429: RateLimitError },
};

/** The error of a status. */
export function apiError(status: number, body: ErrorBody, tried: Tried): ApiError {
  const Kind = CLASSES[status] ?? (status >= 500 ? ServiceError : ApiError);
  return new Kind(status, body, tried);
}
