import type { RecordedEvent } from '../../kernel/recorded-event.js';
import type { ComputerEventData } from '../devices/index.js';
import type { JobEventData } from '../jobs/index.js';
import type { EndpointEventData, PublicEventType } from './domain/endpoint.events.js';

/** In the order of the contract. */
export const PUBLIC_EVENTS: Readonly<Record<PublicEventType, string>> = {
  'job.created': 'A job was accepted and its document stored.',
  'job.queued': 'A job waits for its printer: it is new, was released by an Agent, was moved, or is retried.',
  'job.leased': 'An Agent leased the job.',
  'job.accepted_by_agent': 'The Agent holds the verified document.',
  'job.sent_to_spooler': 'The spooler of the computer has the document.',
  'job.spooler_completed': 'The spooler is done. This does not prove that paper came out.',
  'job.failed': 'The job was certainly not printed; retry_state shows whether a retry follows.',
  'job.manual_review': 'The job may have been printed and waits for a manual decision.',
  'job.cancelled': 'The job was cancelled before it was printed.',
  'job.expired': 'The job expired before it was printed.',
  'computer.registered': 'A computer was enrolled for the first time.',
  'computer.pending': 'A computer was enrolled again, or enabled before its first session.',
  'computer.online': 'The Agent of the computer is calling.',
  'computer.offline':
    'The Agent of the computer has stopped calling, or was silent when the computer was enabled.',
  'computer.disabled': 'The computer was disabled by the operator.',
  'computer.revoked': 'The computer was deactivated; it needs a new enrolment.',
  'printer.detected': 'A new printer was found on a computer.',
  'printer.online': 'The printer accepts jobs.',
  'printer.offline': 'The printer, or its computer, is offline.',
  'printer.removed': 'The printer was removed from its computer.',
  'printer.disabled': 'The printer accepts no jobs, because it or its computer was disabled.',
  'printer.updated': 'Name, driver, port, default, capabilities or enabled changed.',
  'webhook.test': 'A test requested by a client.',
};

type EventData = JobEventData & ComputerEventData & EndpointEventData;
type Table = { readonly [T in keyof EventData]: (data: EventData[T]) => PublicEventType | undefined };

const unpublished = () => undefined;

/** A change of a job's status is published, so `job.queued` also follows a lapse and a retry. */
const PUBLIC_TYPES: Table = {
  JobCreated: () => 'job.created',
  JobQueued: () => 'job.queued',
  JobLeased: () => 'job.leased',
  LeaseLapsed: ({ requeued }) => (requeued ? 'job.queued' : undefined),
  LeaseReleased: () => 'job.queued',
  LeaseInvalidated: unpublished,
  JobAccepted: () => 'job.accepted_by_agent',
  HandoffStarted: unpublished,
  JobSpooled: () => 'job.sent_to_spooler',
  JobCompleted: () => 'job.spooler_completed',
  JobFailed: () => 'job.failed',
  RetryScheduled: unpublished,
  JobRequeued: () => 'job.queued',
  ManualReviewOpened: () => 'job.manual_review',
  JobCancelled: () => 'job.cancelled',
  JobExpired: () => 'job.expired',
  LateResultRecorded: unpublished,
  ContentPurged: unpublished,
  JobArchived: unpublished,
  JobReprinted: unpublished,
  JobMoved: () => 'job.queued',
  LeaseKept: unpublished,

  ComputerRegistered: () => 'computer.registered',
  ComputerReenrolled: () => 'computer.pending',
  DeviceCredentialRenewed: unpublished,
  DeviceCredentialReplaced: unpublished,
  AgentSessionStarted: unpublished,
  ReplacedSessionCalled: unpublished,
  SessionNamingNoted: unpublished,
  UnknownJobReported: unpublished,
  AgentHealthChanged: unpublished,
  ComputerCameOnline: () => 'computer.online',
  ComputerWentOffline: () => 'computer.offline',
  ComputerDisabled: () => 'computer.disabled',
  // The next event has the online or offline status.
  ComputerEnabled: ({ status }) => (status === 'pending' ? 'computer.pending' : undefined),
  ComputerRenamed: unpublished,
  ComputerRevoked: () => 'computer.revoked',
  LostEventReported: unpublished,
  InventoryDeferred: unpublished,

  PrinterDetected: () => 'printer.detected',
  PrinterCameOnline: () => 'printer.online',
  PrinterWentOffline: () => 'printer.offline',
  PrinterRemoved: () => 'printer.removed',
  PrinterDisabled: () => 'printer.disabled',
  // No resource shows the reported status of a printer.
  PrinterAdded: unpublished,
  AddedPrinterRemoved: unpublished,
  PrinterUpdated: ({ changes }) => (isShown(changes) ? 'printer.updated' : undefined),

  WebhookCreated: unpublished,
  WebhookUpdated: unpublished,
  WebhookSecretRotated: unpublished,
  WebhookPaused: unpublished,
  WebhookResumed: unpublished,
  WebhookDeleted: unpublished,
  WebhookSettled: unpublished,
  WebhookTestRequested: () => 'webhook.test',
  WebhookRecoveryStarted: unpublished,
  WebhookRecoveryAdvanced: unpublished,
  WebhookRecoveryFinished: unpublished,
};

export const PUBLISHED_EVENTS: readonly string[] = Object.entries(PUBLIC_TYPES)
  .filter(([, typeFor]) => typeFor !== unpublished)
  .map(([type]) => type);

type Stored = Pick<RecordedEvent, 'type' | 'data'>;

export function publicTypeOf({ type, data }: Stored): PublicEventType | undefined {
  if (!Object.hasOwn(PUBLIC_TYPES, type)) return undefined;
  const typeFor = PUBLIC_TYPES[type as keyof Table] as (data: object) => PublicEventType | undefined;
  return typeFor(data);
}

/** Earlier releases published every `ComputerEnabled`; their deliveries are still sent. */
export function deliveredTypeOf(event: Stored): PublicEventType | undefined {
  return publicTypeOf(event) ?? (event.type === 'ComputerEnabled' ? 'computer.offline' : undefined);
}

const NOT_SHOWN = ['reportedOnline', 'printerKey', 'deviceIdentity'];

function isShown(changes: ComputerEventData['PrinterUpdated']['changes']): boolean {
  return Object.keys(changes).some((field) => !NOT_SHOWN.includes(field));
}

export type SubjectName = 'job' | 'computer' | 'printer' | 'webhook';

export function subjectOf(type: PublicEventType): SubjectName {
  return type.slice(0, type.indexOf('.')) as SubjectName;
}
