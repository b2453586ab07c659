import type { Document } from './bson/compose.js';

/** Codes and names: https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml */
export const CODES = {
  BadValue: 2,
  FailedToParse: 9,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  CursorNotFound: 43,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  IndexOptionsConflict: 85,
  TransactionTooOld: 225,
  NotWritablePrimary: 10107,
  DuplicateKey: 11000,
  NotPrimaryNoSecondaryOk: 13435,
  DocumentTooLargeAfterUpdate: 17419,
} as const;

export type CodeName = keyof typeof CODES;

/** What a command answers instead of `ok: 1`, or a statement of a batch in `writeErrors`. */
export class ServerError extends Error {
  constructor(
    readonly codeName: string,
    message: string,
    /** For example `keyPattern` and `keyValue`. */
    readonly details: Document = {},
    readonly code: number = CODES[codeName as CodeName] ?? 8,
    readonly labels: readonly string[] = [],
  ) {
    super(message);
  }

  /** What goes wrong while documents are written carries these words in front: advanceExecutor, write_ops_exec.cpp. */
  during(operation: 'update' | 'findAndModify'): ServerError {
    const message = `Plan executor error during ${operation} :: caused by :: ${this.message}`;
    return new ServerError(this.codeName, message, this.details, this.code, this.labels);
  }

  /** https://www.mongodb.com/docs/manual/reference/method/db.runCommand/#response */
  reply(): Document {
    const labels = this.labels.length > 0 ? { errorLabels: this.labels } : {};
    return {
      ok: 0,
      errmsg: this.message,
      code: this.code,
      codeName: this.codeName,
      ...this.details,
      ...labels,
    };
  }

  /** https://www.mongodb.com/docs/manual/reference/command/update/#output */
  writeError(index: number): Document {
    return { index, code: this.code, ...this.details, errmsg: this.message };
  }
}

/** What MongoDB can do and no test needs is refused rather than imitated: NotImplemented, which mongod does not answer. */
export const notServed = (what: string): ServerError =>
  new ServerError('NotImplemented', `the stand-in does not serve ${what}`, {}, 238);
