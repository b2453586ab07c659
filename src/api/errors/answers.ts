import {
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  type PasswordProblem,
} from '../../contexts/members/index.js';
import type { UnsupportedOption } from '../../contexts/jobs/index.js';
import { ApiError, type ErrorCode, type ErrorEntry, type RefusalKind } from '../../http/errors/api-error.js';
import { CATALOGUE, type Codes, type SurfaceName } from './catalogue.js';

type Rows = (typeof CATALOGUE)[number]['reasons'];
type CodesIn<R> = R extends unknown ? R[keyof R] : never;
type Answered<R, S extends SurfaceName> = R extends unknown
  ? { [C in keyof R]: R[C] extends Readonly<Record<S, string>> ? C : never }[keyof R]
  : never;

/** Every code that a surface can answer. */
export type CodeOf<S extends SurfaceName> = Extract<CodesIn<Rows>, Readonly<Record<S, string>>>[S];
type ReasonOf<S extends SurfaceName> = Answered<Rows, S> & string;
type Reason = Rows extends infer R ? (R extends unknown ? keyof R : never) : never;

declare module '../../http/errors/api-error.js' {
  interface SurfaceCodes {
    api: { [S in SurfaceName]: CodeOf<S> }[SurfaceName];
  }
}

const PROBLEMS: Readonly<Record<PasswordProblem, string>> = {
  length: `The password must have ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters.`,
  repetition: 'The password must have at least five different characters.',
  name: 'The password must not contain your name or that of the account.',
  common: 'Many people use this password. Choose another one.',
};

const VALUES_NAMED = 20;

function unsupportedText({ option, allowed }: UnsupportedOption): string {
  if (allowed.length === 0) return `The printer cannot apply options.${option}.`;
  const more = allowed.length > VALUES_NAMED ? ', …' : '';
  return `The printer can apply options.${option} only as ${allowed.slice(0, VALUES_NAMED).join(', ')}${more}.`;
}

/** Messages of rejections that say more than the cause in the catalogue. */
const MESSAGES = {
  AlertChannelsMissing: 'Choose a channel first.',
  ContentTooLarge: ({ maxBytes }: { maxBytes: number }) =>
    `The document must have at most ${maxBytes} bytes on this plan.`,
  CurrentPasswordWrong: 'The current password is wrong.',
  DeliveryStateConflict: ({ status }: { status: string }) =>
    `Only deliveries in retry_scheduled or dead_letter are tried again; this one is ${status}.`,
  EventTypesMissing: 'event_types must not be empty.',
  ExpiryOutOfRange: 'expires_at must be in the future and at most 30 days away.',
  HistoryChanged:
    'The store went back to an earlier state and lost the event of this cursor: ask with after=now, read the lists, ' +
    'then follow from that cursor.',
  InstallationMismatch: 'installation_id must be the enrolled one.',
  JobNotAccepted: 'The job has not been accepted under this lease.',
  JobNotCancellable: ({ status }: { status: string }) => `A job that is ${status} cannot be cancelled.`,
  JobNotRetryable: ({ status }: { status: string }) =>
    `A job that is ${status} cannot be retried; see can_retry.`,
  LeaseNotReleasable: 'The job has been accepted: report not_submitted to give it back.',
  LinkExpired: 'This link has expired. Ask for a new one.',
  LinkUsed: 'This link was used. Ask for a new one.',
  OptionNotSupported: ({ unsupported }: { unsupported: readonly UnsupportedOption[] }) =>
    unsupported.map(unsupportedText).join(' '),
  PasswordRefused: ({ problem }: { problem: PasswordProblem }) => PROBLEMS[problem],
  PlanLimitReached: ({ jobsPerMonth }: { jobsPerMonth: number }) =>
    `The plan's ${jobsPerMonth} jobs of this month are used up.`,
  PrinterKeyRepeated: 'printers must have different printer_key values.',
  RetryDuplicationRisk: ({ status }: { status: string }) =>
    `A job that is ${status} may be printed; a retry could print it twice.`,
  ScopeNotForTest: 'scopes of a test credential must be diagnostics:read alone.',
  TooManyReprints: 'The job was printed again 100 times.',
  TooManyAlerts: 'A member gets at most sixty messages an hour.',
  TooManyAddedPrinters: 'A computer has at most 100 printers that were added.',
  ScopesMissing: 'scopes must name at least one scope.',
  ScopeUnknown: ({ scope }: { scope: string }) =>
    `scopes must hold only scopes of the catalogue, and ${scope} is none.`,
} as const satisfies Readonly<Partial<Record<Reason, string | ((rejection: never) => string)>>>;

type Shown<C> = C extends keyof typeof MESSAGES
  ? (typeof MESSAGES)[C] extends (rejection: infer R) => string
    ? R
    : unknown
  : unknown;

/** The rejections that the catalogue answers in the column of a surface. */
export type Answerable<S extends SurfaceName> = {
  [C in ReasonOf<S>]: { readonly code: C } & Shown<C>;
}[ReasonOf<S>];

/** The column of a surface: its errors by code, and its code for each reason. Each refusal must have one. */
export function columnOf<S extends SurfaceName>(surface: RefusalKind extends ReasonOf<S> ? S : never) {
  const errors: Record<string, ErrorEntry> = {};
  const refusals: Record<string, string> = {};
  for (const { entry, reasons } of CATALOGUE) {
    for (const [reason, { [surface]: code }] of Object.entries<Codes>(reasons)) {
      if (code === undefined) continue;
      errors[code] = entry;
      refusals[reason] = code;
    }
  }
  return { errors, refusals: refusals as Readonly<Record<RefusalKind, string>> };
}

const CODES: Readonly<Record<SurfaceName, Readonly<Record<string, string>>>> = {
  integration: columnOf('integration').refusals,
  partner: columnOf('partner').refusals,
  agent: columnOf('agent').refusals,
  operator: columnOf('operator').refusals,
  panel: columnOf('panel').refusals,
};

export function refusalOf<S extends SurfaceName>(surface: S, rejection: Answerable<S>): ApiError {
  const { code } = rejection as { readonly code: keyof typeof MESSAGES };
  const message: string | ((rejection: never) => string) | undefined = MESSAGES[code];
  const text = typeof message === 'function' ? message(rejection as never) : message;
  return new ApiError(CODES[surface][code] as ErrorCode, text);
}

type Outcome<S extends SurfaceName> =
  { readonly ok: true } | { readonly ok: false; readonly rejection: Answerable<S> };

/** The outcome of a command that was accepted. @throws ApiError of its rejection */
export function orRefuse<S extends SurfaceName, O extends Outcome<S>>(
  surface: S,
  outcome: O,
): Extract<O, { readonly ok: true }> {
  if (!outcome.ok) throw refusalOf(surface, outcome.rejection);
  return outcome as Extract<O, { readonly ok: true }>;
}
