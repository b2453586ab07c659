import { appendFailure, isMissingStream, kindOf, readFailure, StreamClosedError } from './failures.js';
import {
  ConcurrencyError,
  CorruptEventError,
  EventTooLargeError,
  UnavailableError,
} from '../../../kernel/errors.js';

const typed = (type: string, more: object = {}) => Object.assign(new Error(type), { type, ...more });
const coded = (code: number, text: string) => Object.assign(new Error(text), { code });
const append = { stream: 'note-1', expected: 3, events: [] };

describe('classifying a failure', () => {
  it.each([
    ['answered', typed('wrong-expected-version')],
    ['answered', typed('access-denied')],
    ['answered', typed('stream-not-found')],
    ['answered', new CorruptEventError('note-1', 0, '1')],
    ['answered', coded(3, '3 INVALID_ARGUMENT: Trying to read from an invalid position.')],
    ['answered', coded(8, '8 RESOURCE_EXHAUSTED: Maximum record size exceeded')],
    ['unavailable', typed('unavailable')],
    ['unavailable', coded(14, '14 UNAVAILABLE: read ECONNRESET')],
    ['unavailable', typed('not-found', { message: '5 NOT_FOUND: Leader info available', code: 5 })],
    ['unavailable', typed('not-leader')],
    ['unavailable', typed('cancelled')],
    ['unavailable', new UnavailableError('the own timer')],
    ['unavailable', coded(14, '14 UNAVAILABLE: No connection established')],
    ['unavailable', typed('unknown', { message: '2 UNKNOWN: No leader info available in response' })],
    ['unavailable', typed('unknown', { message: 'Could not recognize Server Is Busy' })],
    ['unavailable', typed('unknown', { message: 'Could not recognize Server Is Not Ready' })],
    ['unavailable', new Error('Channel has been shut down')],
    ['poisoned', new Error('Failed to discover after 10 attempts.')],
    ['unclassified', typed('unknown')],
    ['unclassified', new TypeError('undefined is not iterable')],
    ['unclassified', 'thrown as text'],
  ])('%s: %s', (kind, error) => {
    expect(kindOf(error)).toBe(kind);
  });
});

describe('the failure of an append', () => {
  it('names the actual revision', () => {
    expect(appendFailure(typed('wrong-expected-version', { actualVersion: 5n }), append)).toEqual(
      new ConcurrencyError('note-1', 3, 5),
    );
    expect(
      appendFailure(typed('wrong-expected-version', { actualVersion: 'no_stream' }), append),
    ).toMatchObject({
      actual: -1,
    });
  });

  it('names the size limit', () => {
    const told = appendFailure(typed('maximum-append-size-exceeded', { maxAppendSize: 77 }), append);
    expect(told).toBeInstanceOf(EventTooLargeError);
    expect(told).toMatchObject({ maxBytes: 77 });
    expect(appendFailure(new Error('Maximum Append Event Size exceeded'), append)).toBeInstanceOf(
      EventTooLargeError,
    );
    const exhausted = typed('unknown', { code: 8, message: '8 RESOURCE_EXHAUSTED' });
    expect(appendFailure(exhausted, append)).toBeInstanceOf(EventTooLargeError);
  });

  it.each([
    ['not_written', coded(14, '14 UNAVAILABLE: No connection established. Last error: ECONNREFUSED')],
    ['not_written', new Error('Failed to discover after 10 attempts.')],
    ['not_written', typed('access-denied')],
    ['unknown', typed('unavailable')],
    ['unknown', typed('deadline-exceeded')],
    ['unknown', typed('not-leader')],
    ['unknown', new Error('nobody knows this')],
    ['unknown', new UnavailableError('the own timer')],
  ])('is %s after %s', (outcome, error) => {
    expect(appendFailure(error, append)).toMatchObject({ constructor: UnavailableError, outcome });
  });

  it('is not an outage for a tombstoned stream', () => {
    expect(appendFailure(typed('stream-deleted'), append)).toBeInstanceOf(StreamClosedError);
    expect(readFailure(typed('stream-deleted'))).toBeInstanceOf(StreamClosedError);
  });
});

describe('the failure of a read', () => {
  it('is an outage that wrote nothing, or a corrupt event', () => {
    const corrupt = new CorruptEventError('note-1', 0, '1');
    expect(readFailure(corrupt)).toBe(corrupt);
    expect(readFailure(typed('unavailable'))).toMatchObject({ outcome: 'not_written' });
    expect(isMissingStream(typed('stream-not-found'))).toBe(true);
    expect(isMissingStream(undefined)).toBe(false);
  });
});
