/** From sysexits.h; docs/operations.md lists the remedy for each. */
export const EX_USAGE = 64;
export const EX_UNAVAILABLE = 69;
export const EX_SOFTWARE = 70;
export const EX_IOERR = 74;
export const EX_TEMPFAIL = 75;
export const EX_CONFIG = 78;

export interface Refusal {
  readonly code: number;
  readonly sentence: string;
}
