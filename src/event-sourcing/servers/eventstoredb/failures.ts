import type { Append } from '../../ports/event-store.port.js';
import { MAX_APPEND_BYTES } from '../../write/event-codec.js';
import { UnansweredConnectionError } from './client.js';
import {
  ConcurrencyError,
  CorruptEventError,
  EventTooLargeError,
  UnavailableError,
} from '../../../kernel/errors.js';

/** `answered` by the server with an error; `poisoned`: the client cannot recover. */
export type FailureKind = 'answered' | 'unavailable' | 'poisoned' | 'unclassified';

const ANSWERS: ReadonlySet<unknown> = new Set([
  'wrong-expected-version',
  'maximum-append-size-exceeded',
  'stream-deleted',
  'stream-not-found',
  'access-denied',
]);

const OUTAGES: ReadonlySet<unknown> = new Set([
  'unavailable',
  'cancelled',
  'deadline-exceeded',
  'timeout',
  'not-leader',
]);

/** INVALID_ARGUMENT (a position inside a record) and RESOURCE_EXHAUSTED (a too large append). */
const INVALID_ARGUMENT = 3;
const RESOURCE_EXHAUSTED = 8;

/** CANCELLED, DEADLINE_EXCEEDED, ABORTED, UNAVAILABLE, if the client did not convert them. */
const OUTAGE_CODES: ReadonlySet<unknown> = new Set([1, 4, 10, 14]);
const OUTAGE_TEXT = /leader info|server is (too )?(busy|not ready)|write after end/i;
/** Messages of @grpc/grpc-js for a missing connection: nothing was sent. */
const NEVER_SENT = /no connection established|name resolution failed|channel has been shut down/i;
const UNDISCOVERED = /failed to discover/i;
/** The server sent a burst. source: EventStoreDB 23.10, Enumerator.AllSubscriptionFiltered */
const DROPPED = /consumer too slow/i;
/** No record begins at the position of a read. source: test/recordings/eventstoredb */
const INSIDE_RECORD = /unexpected \w*ReadAllResult: (error|InvalidPosition)/i;

/** Checks type, then code, then text, because the client does not convert every error (F12, F13). */
export function kindOf(error: unknown): FailureKind {
  const { type, code, message } = shapeOf(error);
  if (UNDISCOVERED.test(message) || error instanceof UnansweredConnectionError) return 'poisoned';
  if (ANSWERS.has(type) || error instanceof CorruptEventError) return 'answered';
  if (INSIDE_RECORD.test(message)) return 'answered';
  if (code === INVALID_ARGUMENT || code === RESOURCE_EXHAUSTED) return 'answered';
  if (OUTAGES.has(type) || OUTAGE_CODES.has(code) || error instanceof UnavailableError) return 'unavailable';
  return OUTAGE_TEXT.test(message) || NEVER_SENT.test(message) ? 'unavailable' : 'unclassified';
}

/** The server is healthy; subscribe again. */
export function isDropped(reason: unknown): boolean {
  return DROPPED.test(shapeOf(reason).message);
}

/** Of a read of the log, whose position is one of another log. */
export function isInsideRecord(failure: unknown): boolean {
  return failure instanceof UnavailableError && INSIDE_RECORD.test(failure.message);
}

export function isMissingStream(error: unknown): boolean {
  return shapeOf(error).type === 'stream-not-found';
}

/** A tombstoned stream, which accepts no more appends. The service never creates one. */
export class StreamClosedError extends Error {}

export function readFailure(error: unknown): Error {
  if (error instanceof UnavailableError || error instanceof CorruptEventError) return error;
  const { type, message } = shapeOf(error);
  if (type === 'stream-deleted') return new StreamClosedError(message, { cause: error });
  return new UnavailableError(`the event store does not answer: ${message}`, 'not_written', { cause: error });
}

export function appendFailure(error: unknown, { stream, expected }: Append): Error {
  if (error instanceof UnavailableError) return error;
  const { type, code, message, actualVersion, maxAppendSize } = shapeOf(error);
  if (type === 'wrong-expected-version') {
    return new ConcurrencyError(stream, expected, actualVersion === 'no_stream' ? -1 : Number(actualVersion));
  }
  if (type === 'maximum-append-size-exceeded')
    return new EventTooLargeError(maxAppendSize ?? MAX_APPEND_BYTES);
  if (type === 'stream-deleted') {
    return new StreamClosedError(`stream ${stream} is deleted for good`, { cause: error });
  }
  if (code === RESOURCE_EXHAUSTED || /append event size/i.test(message))
    return new EventTooLargeError(MAX_APPEND_BYTES);
  const refused = type === 'access-denied' || UNDISCOVERED.test(message) || NEVER_SENT.test(message);
  return new UnavailableError(
    `the event store does not take the append: ${message}`,
    refused ? 'not_written' : 'unknown',
    { cause: error },
  );
}

interface Shape {
  readonly message: string;
  readonly type?: string;
  readonly code?: number;
  readonly actualVersion?: bigint | 'no_stream';
  readonly maxAppendSize?: number;
}

function shapeOf(error: unknown): Shape {
  return error instanceof Error ? (error as Error & Shape) : { message: String(error) };
}
