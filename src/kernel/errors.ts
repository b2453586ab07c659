import type { Position } from './recorded-event.js';

/** The revision of the stream's last event. There is no "any". */
export type ExpectedRevision = 'no_stream' | number;

/** Later loads of the stream show the event that won. */
export class ConcurrencyError extends Error {
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    /** -1 for an empty stream. */
    readonly actual: number,
  ) {
    super(`stream ${stream}: expected ${expected}, found ${actual}`);
  }
}

/** `unknown`: the write may be stored; repeat it with the same event ids. */
export class UnavailableError extends Error {
  constructor(
    message: string,
    readonly outcome: 'not_written' | 'unknown' = 'unknown',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The store can be neither read nor written: the process must end. */
export class StoreDamagedError extends UnavailableError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, 'unknown', options);
  }
}

export class EventTooLargeError extends Error {
  constructor(readonly maxBytes: number) {
    super(`an append holds at most ${maxBytes} bytes`);
  }
}

/** Changed, missing between others, not JSON, without our metadata, or of an unsupported version. */
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

export class DataDirLockedError extends Error {
  constructor(readonly dataDir: string) {
    super(`${dataDir} is in use by another process`);
  }
}
