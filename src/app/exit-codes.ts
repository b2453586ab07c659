/** sysexits.h; the table of docs/operations.md says what to do about each. */
export const EX_USAGE = 64;
export const EX_UNAVAILABLE = 69;
export const EX_SOFTWARE = 70;
export const EX_IOERR = 74;
export const EX_TEMPFAIL = 75;
export const EX_CONFIG = 78;

/** Why the service does not start. */
export interface Refusal {
  readonly code: number;
  /** For stderr; one sentence, except for a list of wrong variables. */
  readonly sentence: string;
}
