export type { Keyless } from './batches.js';
export type { ChangesOptions, CursorStore } from './changes.js';
export { pdf, raw, text, type Content } from './content.js';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  PlanLimitError,
  RateLimitError,
  RemotePrintingError,
  ServiceError,
  TimeoutError,
  UnansweredJobsError,
  WaitTimeoutError,
} from './errors.js';
export type { List } from './lists.js';
export type { Restored } from './submissions.js';
export type { CallOptions, KeyedOptions } from './transport.js';
export type { Ended, Outcome, WaitOptions } from './waiting.js';
