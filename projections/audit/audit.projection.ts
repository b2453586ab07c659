import type { AccountEvent, ApiKeyEvent } from '../../src/contexts/accounts/domain/account.events.js';
import type { ComputerEvent } from '../../src/contexts/devices/domain/computer.events.js';
import type { EnrollmentEvent } from '../../src/contexts/devices/domain/enrollment.events.js';
import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import type {
  AccessEvent,
  AccessEventData,
  FailedSource,
  PanelLinkEvent,
  SessionEvent,
} from '../../src/contexts/members/domain/session.events.js';
import type { MemberEvent } from '../../src/contexts/members/domain/member.events.js';
import type { EndpointEvent } from '../../src/contexts/webhooks/domain/endpoint.events.js';
import { idOf } from '../../src/kernel/ids.js';
import { typesOf, type Projection } from '../../src/kernel/projection.js';
import type { Recorded } from '../../src/kernel/recorded-event.js';
import { auditView, type AuditDocument, type AuditedSource, type AuditSubject } from './audit.js';

type Audited =
  | Exclude<AccountEvent, { type: 'AccountSettled' }>
  | ApiKeyEvent
  | Extract<EnrollmentEvent, { type: 'EnrollmentCreated' }>
  | Extract<
      ComputerEvent,
      {
        type:
          | 'ComputerDisabled'
          | 'ComputerEnabled'
          | 'ComputerRevoked'
          | 'ComputerRenamed'
          | 'PrinterAdded'
          | 'AddedPrinterRemoved'
          | 'PrinterUpdated';
      }
    >
  | Exclude<EndpointEvent, { type: 'WebhookSettled' | 'WebhookRecoveryAdvanced' | 'WebhookRecoveryFinished' }>
  | MemberEvent
  | PanelLinkEvent
  | SessionEvent
  | AccessEvent
  | Extract<JobEvent, { type: 'JobCreated' | 'JobCancelled' | 'JobRequeued' | 'JobReprinted' | 'JobMoved' }>;

type SubjectOf = (event: Recorded<Audited>) => AuditSubject;

const ofStream =
  (kind: AuditSubject['kind']): SubjectOf =>
  ({ stream }) => ({ kind, id: idOf(stream) });
const ofField =
  (kind: AuditSubject['kind'], field: string): SubjectOf =>
  ({ data }) => ({ kind, id: (data as unknown as Readonly<Record<string, string>>)[field]! });

const account = ofStream('account');
const apiKey = ofStream('api_key');
const computer = ofStream('computer');
const session = ofStream('session');
const job = ofStream('job');
const member = ofField('member', 'memberId');
const webhook = ofField('webhook', 'webhookId');

/** The member, or the account if no member is known. */
function ofAttempted({ data, metadata }: Recorded<Audited>): AuditSubject {
  const { memberId } = data as AccessEventData['SignInFailed' | 'SignInsFailed'];
  return memberId === undefined
    ? { kind: 'account', id: metadata.accountId! }
    : { kind: 'member', id: memberId };
}

export const AUDITED: Readonly<Record<Audited['type'], SubjectOf>> = {
  AccountOpened: account,
  AccountRenamed: account,
  AccountSuspended: account,
  AccountResumed: account,
  AccountClosed: account,
  EnvironmentSwitched: account,
  PlanChanged: account,
  ApiKeyCreated: apiKey,
  ApiKeyRevoked: apiKey,
  EnrollmentCreated: ofStream('enrollment'),
  ComputerDisabled: computer,
  ComputerEnabled: computer,
  ComputerRevoked: computer,
  ComputerRenamed: computer,
  PrinterAdded: computer,
  AddedPrinterRemoved: computer,
  PrinterUpdated: ofField('printer', 'printerId'),
  WebhookCreated: webhook,
  WebhookUpdated: webhook,
  WebhookSecretRotated: webhook,
  WebhookPaused: webhook,
  WebhookResumed: webhook,
  WebhookDeleted: webhook,
  WebhookTestRequested: webhook,
  WebhookRecoveryStarted: webhook,
  MemberInvited: member,
  MemberPasswordSet: member,
  MemberRoleChanged: member,
  MemberSessionsEnded: member,
  MemberAlertsChosen: member,
  MemberThemeChosen: member,
  MemberRemoved: member,
  PanelLinkIssued: ofStream('member'),
  PanelLinkUsed: ofStream('member'),
  PanelLinkNoticesDismissed: ofStream('member'),
  SessionOpened: session,
  SessionEnded: session,
  DocumentOpened: ofField('job', 'jobId'),
  AccountVisited: ofField('account', 'accountId'),
  AccountLeft: ofField('account', 'accountId'),
  SignInFailed: ofAttempted,
  SignInsFailed: ofAttempted,
  OperatorOpenedDocument: ofField('job', 'jobId'),
  OperatorReadStream: ofField('stream', 'stream'),
  JobCreated: job,
  JobCancelled: job,
  JobRequeued: job,
  JobReprinted: job,
  JobMoved: job,
};

/** Events of older releases do not name the account, so they are not shown. */
export const auditProjection: Projection<AuditDocument, Audited> = {
  view: auditView,
  handles: typesOf(AUDITED),
  keysOf: ({ id, metadata }) => (metadata.accountId === undefined ? [] : [id]),

  apply(_document, event) {
    const { id, type, metadata } = event;
    const { at, actor, requestId, accountId } = metadata;
    return {
      event_id: id,
      account_id: accountId!,
      recorded_at: at,
      actor: { kind: actor.kind, id: actor.id },
      action: type,
      subject: AUDITED[type](event),
      ...(requestId !== undefined && { request_id: requestId }),
      ...signInOf(event),
    };
  },
};

function signInOf({ type, data }: Recorded<Audited>) {
  if (type === 'SignInsFailed') return { failures: data.count, sources: data.sources.map(sourceOf) };
  if (type !== 'SessionOpened' && type !== 'SignInFailed' && type !== 'AccountVisited') return {};
  const { address, userAgent } = data;
  return {
    ...(address !== undefined && { address }),
    ...(userAgent !== undefined && { user_agent: userAgent }),
    ...(type === 'SignInFailed' && { failures: data.count }),
    ...(type === 'SessionOpened' && data.linkBy && { link_by: data.linkBy }),
    ...(type === 'SessionOpened' && data.user.kind === 'member' && { session_of: data.user.memberId }),
  };
}

const sourceOf = ({ by, address, count, firstAt, lastAt }: FailedSource): AuditedSource => ({
  ...{ by, address: address ?? null, count },
  ...{ first_at: firstAt, last_at: lastAt },
});
