import type { CreationPosition, Position } from './recorded-event.js';

/** The first append to a stream, or the revision of its last event. There is no "any". */
export type ExpectedRevision = 'no_stream' | number;

/** Loads of the stream that begin after this error show what it lost against. */
export class ConcurrencyError extends Error {
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    /** Revision of the last stored event, -1 for none. */
    readonly actual: number,
  ) {
    super(`stream ${stream}: expected ${expected}, found ${actual}`);
  }
}

/** The store cannot be used now. `unknown`: it may have been written; repeat with the same event ids. */
export class UnavailableError extends Error {
  constructor(
    message: string,
    readonly outcome: 'not_written' | 'unknown' = 'unknown',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A page of a list was asked for with a position of an earlier release, which had no time. */
export class OutdatedPositionError extends Error {
  constructor(position: CreationPosition) {
    super(`position ${position} is of an earlier release`);
  }
}

/** It is not known which stored events the read models lack. */
export class TooFarBehindError extends UnavailableError {
  constructor() {
    super('the read models are too far behind', 'not_written');
  }
}

/** The store is damaged, or its disk fails: it can be neither read nor written, and the process has to end. */
export class StoreDamagedError extends UnavailableError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, 'unknown', options);
  }
}

/** The files of an archive belong to the instances, so each needs all of them. */
export class NoArchiveError extends UnavailableError {
  constructor() {
    super('events of this store are in an archive: set ARCHIVE_DIR to its folder', 'not_written');
  }
}

/** The hash store has not what its progress says, or it is damaged: everything is computed anew. */
export class MissingHashesError extends UnavailableError {
  constructor(key: string) {
    super(`the hash store lacks ${key}`, 'not_written');
  }
}

export class EventTooLargeError extends Error {
  constructor(readonly maxBytes: number) {
    super(`an append holds at most ${maxBytes} bytes`);
  }
}

/**
 * An unreadable stored event: changed, missing between others, without valid JSON or metadata of ours, or of an
 * unsupported version.
 */
export class CorruptEventError extends Error {
  /** Undefined if the type may be damaged too. */
  readonly type: string | undefined;

  constructor(
    readonly stream: string,
    readonly revision: number,
    readonly position: Position,
    { type, ...options }: ErrorOptions & { readonly type?: string } = {},
  ) {
    super(`event ${revision} of stream ${stream} at ${position} cannot be read`, options);
    this.type = type;
  }
}

/** Also of an error that another thread sent, or of a value that is none. */
export function messageOf(error: unknown): string {
  return String((error as Partial<Error> | undefined)?.message ?? error);
}

/** Another process uses the data folder. */
export class DataDirLockedError extends Error {
  constructor(readonly dataDir: string) {
    super(`${dataDir} is in use by another process`);
  }
}
