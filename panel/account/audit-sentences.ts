import type { AuditEntry } from '../../sdk/src/generated/panel.js';

/** What somebody did, by the type of the stored event; `$` stands for whom or what it was done to. */
const SENTENCES: Readonly<Record<string, string>> = {
  AccountOpened: 'opened the account',
  AccountRenamed: 'renamed the account',
  AccountSuspended: 'suspended the account',
  AccountResumed: 'resumed the account',
  AccountClosed: 'closed the account',
  EnvironmentSwitched: 'switched the API on or off',
  PlanChanged: 'changed the plan',
  ApiKeyCreated: 'created the key $',
  ApiKeyRevoked: 'revoked the key $',
  EnrollmentCreated: 'made a token to connect a computer',
  ComputerDisabled: 'disabled the computer $',
  ComputerEnabled: 'enabled the computer $',
  ComputerRevoked: 'revoked the computer $',
  ComputerRenamed: 'renamed the computer $',
  PrinterAdded: 'added a printer to $',
  AddedPrinterRemoved: 'removed an added printer from $',
  PrinterUpdated: 'changed the printer $',
  WebhookCreated: 'created the webhook $',
  WebhookUpdated: 'changed the webhook $',
  WebhookSecretRotated: 'made a new secret for the webhook $',
  WebhookPaused: 'paused the webhook $',
  WebhookResumed: 'made the webhook $ active',
  WebhookDeleted: 'deleted the webhook $',
  WebhookTestRequested: 'tested the webhook $',
  WebhookRecoveryStarted: 'had missed events sent to the webhook $',
  MemberInvited: 'invited $',
  MemberPasswordSet: 'chose a password for $',
  MemberRoleChanged: 'changed the role of $',
  MemberSessionsEnded: 'signed out $ everywhere',
  MemberAlertsChosen: 'chose the alerts of $',
  MemberThemeChosen: 'chose the colours for $',
  MemberRemoved: 'removed $',
  PanelLinkIssued: 'made a sign-in link for $',
  PanelLinkUsed: 'used a sign-in link',
  PanelLinkNoticesDismissed: 'dismissed the notices about links',
  SessionOpened: 'signed in',
  SessionEnded: 'ended a session',
  DocumentOpened: 'opened the document of $',
  AccountVisited: 'saw the account as its viewers do',
  AccountLeft: 'left the account',
  SignInFailed: 'failed to sign in as $',
  SignInsFailed: 'failed to sign in as $',
  OperatorOpenedDocument: 'opened the document of $',
  OperatorReadStream: 'read the stream $',
  JobCreated: 'sent the job $',
  JobCancelled: 'cancelled the job $',
  JobRequeued: 'had the job $ printed again',
  JobReprinted: 'reprinted the job $',
  JobMoved: 'moved the job $ to another printer',
};

/** The sentence around the subject; without an `after` the subject is not named. */
export interface AuditSentence {
  readonly before: string;
  readonly after?: string;
}

/** The types of stored events that have a sentence. */
export const TOLD = Object.keys(SENTENCES);

/** An event that is newer than the page is shown by its type. */
export function sentenceOf(action: string): AuditSentence {
  const [before, after] = (SENTENCES[action] ?? `did ${action} to $`).split('$');
  return { before: before!, ...(after !== undefined && { after }) };
}

/** What kind of actor a name is of; empty for a name that says it, as that of a key without a name. */
export function kindBefore({ kind, name }: AuditEntry['actor']): string {
  if (kind === 'operator' && name !== 'operator') return 'operator ';
  return kind === 'api_key' && !name.startsWith('key …') ? 'key ' : '';
}

const PAGES: Readonly<Partial<Record<AuditEntry['subject']['kind'], (id: string) => string>>> = {
  job: (id) => `/jobs/${id}`,
  webhook: (id) => `/webhooks/${id}`,
  computer: () => '/devices',
  printer: (id) => `/devices/printers/${id}`,
  api_key: () => '/keys',
};

/** Address of the page that shows the subject, if there is one. */
export const pageOf = ({ kind, id }: AuditEntry['subject']): string | undefined => PAGES[kind]?.(id);
