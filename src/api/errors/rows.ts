import type { ErrorEntry } from '../../http/errors/api-error.js';

export type SurfaceName = 'integration' | 'partner' | 'agent' | 'operator' | 'panel';

export type Codes = { readonly [S in SurfaceName]?: string };
type Reasons = Readonly<Record<string, Codes>>;

const row = <const R extends Reasons>(entry: ErrorEntry, reasons: R) => ({ entry, reasons });
export const error = <const R extends Reasons>(status: number, cause: string, reasons: R) =>
  row({ status, retryable: false, cause }, reasons);
export const retryable = <const R extends Reasons>(status: number, cause: string, reasons: R) =>
  row({ status, retryable: true, cause }, reasons);
export const conflict = <const R extends Reasons>(cause: string, reasons: R) => error(409, cause, reasons);
export const forbidden = <const R extends Reasons>(cause: string, reasons: R) => error(403, cause, reasons);
export const notFound = <const R extends Reasons>(what: string, reasons: R) =>
  error(404, `There is no such ${what}.`, reasons);
export const unauthorized = <const R extends Reasons>(what: string, reasons: R) =>
  error(401, `The ${what} is missing, malformed, unknown, expired or revoked.`, reasons);

export const operated = <const C extends string>(code: C) => ({ operator: code, panel: code }) as const;
/** Codes of the Integration API have prefixes, those of other surfaces none. */
export const managed = <const C extends string>(code: C) =>
  ({ partner: code, agent: code, ...operated(code) }) as const;
/** Codes of the surfaces that create jobs. */
export const submitted = <const I extends string, const C extends string>(integration: I, code: C) =>
  ({ integration, partner: code, operator: code }) as const;
/** Codes about the printer of a new or moved job. */
export const printing = <const I extends string, const C extends string>(integration: I, code: C) =>
  ({ ...submitted(integration, code), panel: code }) as const;
export const everywhere = <const I extends string, const C extends string>(integration: I, code: C) =>
  ({ integration, ...managed(code) }) as const;
