import {
  MongoBulkWriteError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerError,
  type WriteError,
} from 'mongodb';
import { calling, isIdTaken, takenOf } from './mongo-errors.js';
import { UnavailableError } from '../../../kernel/errors.js';

const ID_TAKEN = {
  code: 11000,
  errmsg: 'E11000 duplicate key error collection: rps.v index: _id_ dup key: { _id: "a" }',
};
const NOT_PRIMARY = { code: 10107, errmsg: 'not primary' };
const DAMAGED = { code: 2, errmsg: 'bad value' };

/** As the driver makes it: the first write error gives the code and message. */
function bulkError(...errors: readonly { code: number; errmsg: string }[]): MongoBulkWriteError {
  const writeErrors = errors.map((error, index) => ({ ...error, index }) as WriteError);
  const result = { getWriteConcernError: () => undefined } as MongoBulkWriteError['result'];
  return new MongoBulkWriteError({ message: errors[0]!.errmsg, code: errors[0]!.code, writeErrors }, result);
}

const serverError = (answer: object) => new MongoServerError({ message: 'refused', ...answer });

describe('recognising a taken id', () => {
  it('uses the key pattern of the answer', () => {
    const text = { code: 11000, errmsg: ID_TAKEN.errmsg };

    expect(isIdTaken(serverError({ ...text, errmsg: 'Duplicate key', keyPattern: { _id: 1 } }))).toBe(true);
    expect(isIdTaken(serverError({ ...text, keyPattern: { n: 1 } }))).toBe(false);
    expect(isIdTaken(serverError({ ...text, keyPattern: { _id: 1, n: 1 } }))).toBe(false);
  });

  it('uses the index name, never a value, if the driver drops the key pattern', () => {
    const value = '" index: _id_ dup key: "';
    const errmsg = `E11000 duplicate key error collection: rps.v index: n_1 dup key: { n: ${value} }`;

    expect(isIdTaken(bulkError(ID_TAKEN))).toBe(true);
    expect(isIdTaken({ code: 11000, errmsg })).toBe(false);
  });

  it('is false for every other error', () => {
    expect(isIdTaken(serverError({ code: 2, keyPattern: { _id: 1 } }))).toBe(false);
  });
});

describe('a bulk that fails in part', () => {
  it('names the documents whose id was taken', () => {
    expect(takenOf(bulkError(ID_TAKEN, ID_TAKEN))).toEqual([0, 1]);
  });

  it.each([
    ['first', bulkError(NOT_PRIMARY, ID_TAKEN)],
    ['last', bulkError(ID_TAKEN, NOT_PRIMARY)],
  ])('is unavailable when a passing error is the %s of several', async (_, error) => {
    await expect(calling(async () => takenOf(error))).rejects.toThrow(UnavailableError);
  });

  it('is rethrown if no error passes', async () => {
    const error = bulkError(ID_TAKEN, DAMAGED);

    await expect(calling(async () => takenOf(error))).rejects.toBe(error);
  });
});

describe('a server without disk space', () => {
  it('is unavailable', async () => {
    const full = serverError({ code: 14031, codeName: 'OutOfDiskSpace' });

    await expect(calling(() => Promise.reject(full))).rejects.toThrow(UnavailableError);
    await expect(
      calling(() => Promise.reject(bulkError({ code: 14031, errmsg: 'disk full' }))),
    ).rejects.toThrow(UnavailableError);
  });
});

describe('a call without an answer', () => {
  it.each([
    ['may have been carried out', new MongoNetworkError('connection closed'), 'unknown'],
    ['was not, if it was never sent', new MongoNotConnectedError('not connected'), 'not_written'],
  ])('%s', async (_, error, outcome) => {
    await expect(calling(() => Promise.reject(error))).rejects.toMatchObject({ outcome });
  });
});
