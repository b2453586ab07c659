import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoSystemError,
  MongoTopologyClosedError,
} from 'mongodb';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Milliseconds } from '../../../kernel/time.js';
import { withTimeout } from '../../../async/deadline.js';
import { retry } from '../../../async/retry.js';
import { UnavailableError } from '../../../kernel/errors.js';

/** Server errors independent of the request. source: error_codes.yml of the server */
const PASSING = new Set([
  6, 7, 13, 18, 24, 43, 46, 50, 64, 79, 89, 91, 100, 112, 133, 134, 175, 187, 189, 202, 237, 262, 276, 9001,
  10058, 10107, 11600, 11601, 11602, 13435, 13436, 14031,
]);
const ATTEMPTS = 5;
const PAUSE_MS: Milliseconds = 10;
const SOCKET_ERROR =
  /^(EPIPE|ECONN[A-Z]+|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ERR_STREAM_\w+)$/;
const DUPLICATE_KEY = 11000;
const NOT_A_REPLICA_SET = 123;

/** Limit for a call, including retries and server selection; most calls take milliseconds. */
export const CALL_MS: Milliseconds = 4_000;
/** Limit for calls that create or drop collections and indexes. */
export const SLOW_CALL_MS: Milliseconds = 20_000;
/** Overrides the client's socket timeout of a few seconds. The driver's types omit the option. */
export const LONG_CALL: object = { socketTimeoutMS: SLOW_CALL_MS + 500 };

/**
 * The driver limits no whole call (7.8 ignores `timeoutMS`). May still take effect. @throws UnavailableError
 */
export async function calling<T>(call: () => Promise<T>, ms: Milliseconds = CALL_MS): Promise<T> {
  try {
    return await withTimeout(ms, 'MongoDB', call);
  } catch (error) {
    throw translated(error);
  }
}

interface ServerAnswer {
  readonly code?: number;
  readonly keyPattern?: object;
  readonly errmsg?: string;
  readonly message?: string;
}

/** Checks the index too: a duplicate in any other index is a bug. */
export function isIdTaken(error: unknown): boolean {
  const { code, keyPattern, errmsg, message } = error as ServerAnswer;
  if (code !== DUPLICATE_KEY) return false;
  if (keyPattern) return Object.keys(keyPattern).join() === '_id';
  // The driver drops the key pattern of a bulk's errors. The first index named is the real one; values follow
  // later.
  return / index: (\S+)/.exec(errmsg ?? message ?? '')?.[1] === '_id_';
}

/** A single server cannot confirm a read, and need not. */
export function isNoReplicaSet(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === NOT_A_REPLICA_SET;
}

/** The next attempt finds the winner's document. @throws UnavailableError if every attempt lost */
export async function retryUpsert<T>(upsert: () => Promise<T>): Promise<T> {
  try {
    return await retry(() => retrySocket(upsert), { when: isIdTaken, attempts: ATTEMPTS });
  } catch (error) {
    throw isIdTaken(error) ? lostEveryRace(error) : error;
  }
}

/** Covers socket errors that the driver does not retry. @param call idempotent */
export function retrySocket<T>(call: () => Promise<T>): Promise<T> {
  return retry(call, {
    when: isBrokenSocket,
    attempts: ATTEMPTS,
    wait: (failures) => sleep(failures * PAUSE_MS),
  });
}

/** Indexes of a bulk's documents whose id was taken. Rethrows any other error. */
export function takenOf(error: unknown): readonly number[] {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
  const errors = [error.writeErrors].flat();
  if (errors.length === 0 || !errors.every(isIdTaken)) throw error;
  return errors.map(({ index }) => index);
}

function lostEveryRace(cause: unknown): UnavailableError {
  return new UnavailableError('lost every race to insert a document', 'not_written', { cause });
}

function translated(error: unknown): unknown {
  if (!isBrokenSocket(error) && !(error instanceof MongoError && isPassing(error))) return error;
  const message = `MongoDB cannot be used now: ${(error as Error).message}`;
  return new UnavailableError(message, neverSent(error) ? 'not_written' : 'unknown', { cause: error });
}

/** The driver wraps no socket error of a large write, and any error without a server code in a bulk. */
function isBrokenSocket(error: unknown): boolean {
  if (error instanceof MongoBulkWriteError) {
    return [error.writeErrors].flat().length === 0 && typeof error.code !== 'number';
  }
  return !(error instanceof MongoError) && SOCKET_ERROR.test(String((error as { code?: unknown }).code));
}

function isPassing(error: MongoError): boolean {
  if (error.hasErrorLabel('RetryableWriteError') || error.hasErrorLabel('SystemOverloadedError')) return true;
  if (error instanceof MongoBulkWriteError) return isPassingBulk(error);
  if (error instanceof MongoServerError) return PASSING.has(Number(error.code));
  return (
    error instanceof MongoNetworkError ||
    error instanceof MongoSystemError ||
    error instanceof MongoNotConnectedError ||
    error instanceof MongoTopologyClosedError ||
    // Not exported classes: pool closed, client closed, waited too long for a connection.
    /^Mongo(PoolClosed|PoolCleared|ClientClosed|WaitQueueTimeout|CursorExhausted)/.test(error.name)
  );
}

/** One passing error is enough: the repeated bulk meets the others, if they last. */
function isPassingBulk({ writeErrors, code, result }: MongoBulkWriteError): boolean {
  const codes = [code, ...[writeErrors].flat().map((error) => error.code)];
  return codes.some((one) => PASSING.has(Number(one))) || result.getWriteConcernError() !== undefined;
}

function neverSent(error: unknown): boolean {
  return error instanceof MongoServerSelectionError || error instanceof MongoNotConnectedError;
}
