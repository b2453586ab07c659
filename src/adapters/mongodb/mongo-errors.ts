import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  MongoSystemError,
  MongoTopologyClosedError,
} from 'mongodb';
import { UnavailableError } from '../../ports/event-store.port.js';

/**
 * Server errors that say nothing of the request itself: no primary, shutting down, stepping down, out of time, lost
 * its cursor or its lock, majority not reached, not let in. Source: error_codes.yml of the server.
 */
const PASSING = new Set([
  6, 7, 13, 18, 24, 43, 46, 50, 64, 79, 89, 91, 100, 112, 133, 134, 175, 189, 202, 237, 262, 276, 9001, 10058,
  10107, 11600, 11601, 11602, 13435, 13436,
]);
const DUPLICATE_KEY = 11000;

/** Runs a call of the driver. @throws UnavailableError when the store cannot be used now, bugs as they are */
export async function calling<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw translated(error);
  }
}

/** Another document has this `_id`. Any other unique index would be a bug of ours: the code alone does not tell. */
export function isIdTaken(error: unknown): boolean {
  const { code, errmsg, message } = error as { code?: number; errmsg?: string; message?: string };
  return code === DUPLICATE_KEY && / index: _id_ /.test(errmsg ?? message ?? '');
}

/** Does it again when somebody else inserted the same `_id` meanwhile: then it finds what it would have made. */
export async function upserting<T>(upsert: () => Promise<T>): Promise<T> {
  try {
    return await upsert();
  } catch (error) {
    if (!isIdTaken(error)) throw error;
    return upsert();
  }
}

function translated(error: unknown): unknown {
  if (!(error instanceof MongoError) || !isPassing(error)) return error;
  const message = `MongoDB cannot be used now: ${error.message}`;
  return new UnavailableError(message, neverSent(error) ? 'not_written' : 'unknown', { cause: error });
}

function isPassing(error: MongoError): boolean {
  if (error.hasErrorLabel('RetryableWriteError') || error.hasErrorLabel('SystemOverloadedError')) return true;
  if (error instanceof MongoBulkWriteError) return isPassingBulk(error);
  if (error instanceof MongoServerError) return PASSING.has(Number(error.code));
  return (
    error instanceof MongoNetworkError ||
    error instanceof MongoSystemError ||
    error instanceof MongoOperationTimeoutError ||
    error instanceof MongoNotConnectedError ||
    error instanceof MongoTopologyClosedError ||
    // Not exported classes: pool closed, client closed, waited too long for a connection.
    /^Mongo(PoolClosed|PoolCleared|ClientClosed|WaitQueueTimeout|CursorExhausted)/.test(error.name)
  );
}

function isPassingBulk({ writeErrors, code, result }: MongoBulkWriteError): boolean {
  const errors = [writeErrors].flat();
  if (errors.length > 0) return errors.every((one) => PASSING.has(one.code));
  return PASSING.has(Number(code)) || result.getWriteConcernError() !== undefined;
}

function neverSent(error: MongoError): boolean {
  return error instanceof MongoServerSelectionError || error instanceof MongoNotConnectedError;
}
