import type { ErrorEntry } from '../../http/errors/api-error.js';

export type SurfaceName = 'integration' | 'partner' | 'agent' | 'operator' | 'panel';

export type Codes = { readonly [S in SurfaceName]?: string };
type Reasons = Readonly<Record<string, Codes>>;

const row = <const R extends Reasons>(entry: ErrorEntry, reasons: R) => ({ entry, reasons });
const error = <const R extends Reasons>(status: number, cause: string, reasons: R) =>
  row({ status, retryable: false, cause }, reasons);
const retryable = <const R extends Reasons>(status: number, cause: string, reasons: R) =>
  row({ status, retryable: true, cause }, reasons);
const conflict = <const R extends Reasons>(cause: string, reasons: R) => error(409, cause, reasons);
const forbidden = <const R extends Reasons>(cause: string, reasons: R) => error(403, cause, reasons);
const notFound = <const R extends Reasons>(what: string, reasons: R) =>
  error(404, `There is no such ${what}.`, reasons);
const unauthorized = <const R extends Reasons>(what: string, reasons: R) =>
  error(401, `The ${what} is missing, malformed, unknown, expired or revoked.`, reasons);

const operated = <const C extends string>(code: C) => ({ operator: code, panel: code }) as const;
/** Codes of the Integration API have prefixes, those of other surfaces none. */
const managed = <const C extends string>(code: C) =>
  ({ partner: code, agent: code, ...operated(code) }) as const;
/** Codes of the surfaces that create jobs. */
const submitted = <const I extends string, const C extends string>(integration: I, code: C) =>
  ({ integration, partner: code, operator: code }) as const;
/** Codes about the printer of a new or moved job. */
const printing = <const I extends string, const C extends string>(integration: I, code: C) =>
  ({ ...submitted(integration, code), panel: code }) as const;
const everywhere = <const I extends string, const C extends string>(integration: I, code: C) =>
  ({ integration, ...managed(code) }) as const;

const invalid = everywhere('SVC_VALIDATION_FAILED', 'INVALID_REQUEST');
const PLAN_USED_UP = "The plan's number of jobs for this month is used up.";
const SUSPENDED = 'SVC_ACCOUNT_SUSPENDED';

/**
 * Every error of the API by status: what it means, and its code on each surface for each reason. A reason is a
 * rejection of a command, a refusal of the HTTP layer, or the name of what a controller did not find.
 */
export const CATALOGUE = [
  error(400, 'The request breaks a rule of the operation.', {
    invalid,
    malformed: invalid,
    authorityOverride: {
      integration: invalid.integration,
      agent: invalid.agent,
      ...operated(invalid.panel),
    },
    EventTypesMissing: { integration: invalid.integration },
    ExpiryOutOfRange: submitted(invalid.integration, invalid.partner),
    InstallationMismatch: { agent: invalid.agent },
    PrinterKeyRepeated: { agent: invalid.agent },
    ScopesMissing: operated(invalid.panel),
    ScopeUnknown: operated(invalid.panel),
    ScopeNotForTest: { operator: invalid.operator },
  }),
  error(400, 'The new password breaks a rule.', {
    PasswordRefused: { panel: 'PASSWORD_REFUSED' },
  }),
  unauthorized('API key', {
    credentialInvalid: { integration: 'API_KEY_INVALID' },
    AccountClosed: { integration: 'API_KEY_INVALID' },
  }),
  unauthorized('credential', {
    credentialInvalid: managed('CREDENTIAL_INVALID'),
    ComputerNotFound: { agent: 'CREDENTIAL_INVALID' },
    ComputerRevoked: { agent: 'CREDENTIAL_INVALID' },
    SessionNotFound: { panel: 'CREDENTIAL_INVALID' },
  }),
  unauthorized('enrolment token', { EnrollmentTokenInvalid: { partner: 'ENROLLMENT_TOKEN_INVALID' } }),
  error(401, 'The sign-in name, the password or the link is wrong, or may not be used.', {
    SignInRefused: { panel: 'SIGN_IN_REFUSED' },
    LinkUnknown: { panel: 'SIGN_IN_REFUSED' },
    LinkUsed: { panel: 'SIGN_IN_REFUSED' },
    LinkExpired: { panel: 'SIGN_IN_REFUSED' },
    CurrentPasswordWrong: { panel: 'SIGN_IN_REFUSED' },
  }),
  error(402, PLAN_USED_UP, { PlanLimitReached: { integration: 'SVC_PLAN_LIMIT_REACHED' } }),
  forbidden('The key lacks a required scope.', {
    scopeMissing: { integration: 'API_KEY_SCOPE_INSUFFICIENT' },
  }),
  forbidden('The credential lacks a required scope.', {
    scopeMissing: managed('SCOPE_REQUIRED'),
  }),
  forbidden('The request names partner, partner_id, provider, account_id or environment.', {
    authorityOverride: { partner: 'AUTHORITY_OVERRIDE' },
  }),
  forbidden('The account is suspended.', {
    AccountSuspended: { integration: SUSPENDED, partner: SUSPENDED, panel: SUSPENDED },
  }),
  forbidden('The account may use virtual printers only.', {
    VirtualPrintersOnly: printing('SVC_VIRTUAL_PRINTERS_ONLY', 'SVC_VIRTUAL_PRINTERS_ONLY'),
  }),
  error(404, 'There is no such path.', {
    routeUnknown: everywhere('SVC_ROUTE_NOT_FOUND', 'ROUTE_NOT_FOUND'),
  }),
  notFound('account', {
    AccountNotFound: { partner: 'ACCOUNT_NOT_FOUND', ...operated('ACCOUNT_NOT_FOUND') },
  }),
  notFound('API key', { ApiKeyNotFound: operated('KEY_NOT_FOUND') }),
  notFound('computer', {
    ComputerNotFound: { integration: 'SVC_COMPUTER_NOT_FOUND', ...operated('COMPUTER_NOT_FOUND') },
  }),
  notFound('content', { ContentNotFound: { agent: 'CONTENT_NOT_FOUND', operator: 'CONTENT_NOT_FOUND' } }),
  notFound('credential', { PartnerCredentialNotFound: { operator: 'CREDENTIAL_NOT_FOUND' } }),
  notFound('delivery', {
    DeliveryNotFound: { integration: 'SVC_DELIVERY_NOT_FOUND', panel: 'DELIVERY_NOT_FOUND' },
  }),
  notFound('device', { ComputerNotFound: { partner: 'DEVICE_NOT_FOUND' } }),
  notFound('job', { JobNotFound: everywhere('SVC_JOB_NOT_FOUND', 'JOB_NOT_FOUND') }),
  notFound('lease', { LeaseNotFound: { agent: 'LEASE_NOT_FOUND' } }),
  notFound('member', { MemberNotFound: operated('MEMBER_NOT_FOUND') }),
  notFound('partner', { PartnerNotFound: { operator: 'PARTNER_NOT_FOUND' } }),
  notFound('printer', {
    PrinterNotFound: printing('SVC_PRINTER_NOT_FOUND', 'PRINTER_NOT_FOUND'),
  }),
  notFound('session', { OpenSessionNotFound: { panel: 'SESSION_NOT_FOUND' } }),
  notFound('stream', { StreamNotFound: { operator: 'STREAM_NOT_FOUND' } }),
  notFound('view', { ViewNotFound: { operator: 'VIEW_NOT_FOUND' } }),
  notFound('webhook', { WebhookNotFound: { integration: 'SVC_WEBHOOK_NOT_FOUND' } }),
  error(404, 'The document is no longer kept, or is damaged in the store.', {
    ContentNotFound: { panel: 'CONTENT_NOT_FOUND' },
  }),
  error(404, "The document is damaged in the service's store; the service has ended this attempt.", {
    ContentDamaged: { agent: 'CONTENT_DAMAGED' },
  }),
  error(404, 'The stored document does not have the hash of its job.', {
    ContentDamaged: { operator: 'CONTENT_DAMAGED' },
  }),
  error(
    404,
    'The service does not know this session, though it is newer than all it knows: its store went back in time.',
    { AgentSessionNotFound: { agent: 'SESSION_NOT_FOUND' } },
  ),
  error(405, 'The path does not take this method.', {
    methodNotAllowed: everywhere('SVC_METHOD_NOT_ALLOWED', 'METHOD_NOT_ALLOWED'),
  }),
  error(
    408,
    'The request did not arrive in time: headers within 10 seconds, the body within 60, and 32 KiB of a large body within each five.',
    { requestTimeout: everywhere('SVC_REQUEST_TIMEOUT', 'REQUEST_TIMEOUT') },
  ),
  conflict(PLAN_USED_UP, {
    PlanLimitReached: { partner: 'PLAN_LIMIT_REACHED', operator: 'PLAN_LIMIT_REACHED' },
  }),
  conflict('The Idempotency-Key was used with a different request.', {
    IdempotencyConflict: submitted('SVC_JOB_IDEMPOTENCY_CONFLICT', 'SVC_IDEMPOTENCY_CONFLICT'),
  }),
  conflict('The store went back to an earlier state and lost the event of the cursor.', {
    HistoryChanged: submitted('SVC_HISTORY_CHANGED', 'HISTORY_CHANGED'),
  }),
  conflict('No checkpoint covers this yet.', {
    NotPublishedYet: { integration: 'NOT_PUBLISHED_YET', operator: 'NOT_PUBLISHED_YET' },
  }),
  conflict('A stored event is damaged; the message names it.', {
    EventDamaged: { integration: 'EVENT_DAMAGED', operator: 'EVENT_DAMAGED' },
  }),
  conflict('The document of the job is no longer kept, or is damaged in the store.', {
    ContentNotKept: { integration: 'SVC_CONTENT_NOT_KEPT' },
  }),
  conflict('A retry could print the document twice.', {
    RetryDuplicationRisk: { integration: 'SVC_JOB_RETRY_DUPLICATION_RISK' },
  }),
  conflict('The state of the job does not allow this.', {
    JobNotCancellable: { integration: 'SVC_JOB_STATE_CONFLICT' },
    JobNotRetryable: { integration: 'SVC_JOB_STATE_CONFLICT' },
    TooManyReprints: { integration: 'SVC_JOB_STATE_CONFLICT' },
  }),
  conflict('The printer is not online or not enabled.', {
    PrinterNotReady: printing('SVC_PRINTER_NOT_READY', 'PRINTER_NOT_READY'),
  }),
  conflict('The printer cannot take this content type.', {
    ContentTypeNotSupported: submitted('SVC_CONTENT_TYPE_NOT_SUPPORTED', 'CONTENT_TYPE_NOT_SUPPORTED'),
  }),
  conflict("The computer's Agent is too old for options.", {
    AgentTooOld: submitted('SVC_AGENT_TOO_OLD', 'AGENT_TOO_OLD'),
  }),
  conflict('The printer cannot apply an option of the job.', {
    OptionNotSupported: submitted('SVC_OPTION_NOT_SUPPORTED', 'OPTION_NOT_SUPPORTED'),
  }),
  conflict('The account has 20 webhooks already.', {
    WebhookLimitReached: { integration: 'SVC_WEBHOOK_LIMIT_REACHED' },
  }),
  conflict('Another webhook has this URL.', {
    WebhookDuplicate: { integration: 'SVC_WEBHOOK_DUPLICATE' },
  }),
  conflict('The webhook is paused.', {
    WebhookPaused: { integration: 'SVC_WEBHOOK_PAUSED' },
  }),
  conflict('A recovery of the webhook is running, or one of the account is being counted.', {
    RecoveryRunning: { integration: 'SVC_RECOVERY_RUNNING' },
  }),
  conflict('The missed events could not be counted in ten seconds.', {
    RecoveryTooLarge: { integration: 'SVC_RECOVERY_TOO_LARGE' },
  }),
  conflict('Only deliveries in retry_scheduled or dead_letter are tried again.', {
    DeliveryStateConflict: { integration: 'SVC_DELIVERY_STATE_CONFLICT' },
  }),
  conflict('The account is closed.', {
    AccountClosed: { partner: 'ACCOUNT_CLOSED' },
  }),
  conflict('The account is closed; that is final.', { AccountClosed: operated('ACCOUNT_CLOSED') }),
  conflict('The lease lapsed, was released or belongs to an older attempt.', {
    LeaseLost: { agent: 'LEASE_LOST' },
    LeaseNotReleasable: { agent: 'LEASE_LOST' },
    JobNotAccepted: { agent: 'LEASE_LOST' },
    LateResultNotKept: { agent: 'LEASE_LOST' },
  }),
  conflict('The job expired.', { JobExpired: { agent: 'JOB_EXPIRED' } }),
  conflict('A newer session of this computer exists.', {
    SessionReplaced: { agent: 'SESSION_REPLACED' },
  }),
  conflict('The credential ends in more than 30 days.', {
    CredentialNotDue: { agent: 'CREDENTIAL_NOT_DUE' },
  }),
  conflict('The state of the resource does not allow this.', {
    ComputerRevoked: operated('STATE_CONFLICT'),
    TooManyAddedPrinters: operated('STATE_CONFLICT'),
    AlertChannelsMissing: { panel: 'STATE_CONFLICT' },
    TooManyAlerts: { panel: 'STATE_CONFLICT' },
  }),
  conflict('The account has, or had, a member of this name.', { NameTaken: operated('NAME_TAKEN') }),
  conflict('The last owner cannot be removed or get a lower role.', {
    LastOwner: operated('LAST_OWNER'),
  }),
  conflict('The account has 100 members.', {
    MemberLimitReached: operated('MEMBER_LIMIT_REACHED'),
  }),
  conflict('Another account or partner has this slug.', {
    SlugTaken: { operator: 'SLUG_TAKEN' },
  }),
  conflict('Timers and webhooks could act on events that are only half there.', {
    WorkerRunning: { operator: 'WORKER_RUNNING' },
  }),
  conflict('The stream holds other events here than those to be imported.', {
    StreamDiffers: { operator: 'STREAM_DIFFERS' },
  }),
  error(413, 'The decoded content is over the limit of the service or of the plan.', {
    contentTooLarge: everywhere('SVC_CONTENT_TOO_LARGE', 'CONTENT_TOO_LARGE'),
    ContentTooLarge: submitted('SVC_CONTENT_TOO_LARGE', 'CONTENT_TOO_LARGE'),
  }),
  error(413, 'The request body is over the limit of its operation.', {
    payloadTooLarge: everywhere('SVC_PAYLOAD_TOO_LARGE', 'PAYLOAD_TOO_LARGE'),
  }),
  error(415, 'Bodies are application/json in UTF-8, without Content-Encoding.', {
    unsupportedMediaType: everywhere('SVC_UNSUPPORTED_MEDIA_TYPE', 'UNSUPPORTED_MEDIA_TYPE'),
  }),
  error(422, 'content_hash is not that of the job.', {
    ContentMismatch: { agent: 'CONTENT_MISMATCH', operator: 'CONTENT_MISMATCH' },
  }),
  retryable(429, 'Too many requests in this minute.', {
    rateLimited: everywhere('RATE_LIMIT_EXCEEDED', 'RATE_LIMIT_EXCEEDED'),
  }),
  error(431, 'More than 16 KiB of headers.', {
    headersTooLarge: everywhere('SVC_HEADERS_TOO_LARGE', 'HEADERS_TOO_LARGE'),
  }),
  error(500, 'Something failed inside the service.', {
    internal: everywhere('SVC_INTERNAL_ERROR', 'INTERNAL_ERROR'),
  }),
  retryable(503, 'The service cannot answer now.', {
    unavailable: everywhere('SVC_UNAVAILABLE', 'UNAVAILABLE'),
    PrinterIdsMissing: { agent: 'UNAVAILABLE' },
  }),
  error(503, 'The public API of the account is switched off.', {
    ApiDisabled: {
      integration: 'SVC_PUBLIC_API_DISABLED',
      partner: 'PUBLIC_API_DISABLED',
      panel: 'SVC_PUBLIC_API_DISABLED',
    },
  }),
];
