import type { ComputerEvent, ComputerEventData } from '../../src/contexts/devices/domain/computer.events.js';
import type { JobEvent, JobEventData } from '../../src/contexts/jobs/domain/job.events.js';
import type {
  EndpointEvent,
  EndpointEventData,
  PublicEventType,
} from '../../src/contexts/webhooks/domain/endpoint.events.js';

type EventData = { readonly [T in JobEvent['type']]: JobEventData<T> } & ComputerEventData &
  EndpointEventData;
type Told = PublicEventType | undefined;
type Table = {
  readonly [T in (JobEvent | ComputerEvent | EndpointEvent)['type']]: (data: EventData[T]) => Told;
};

const untold = () => undefined;

/**
 * The public event of each stored event, at most one. A job's event is
 * told when the job enters a status by it, so `job.queued` also after a lease that lapsed, and after a retry.
 */
const table: Table = {
  JobCreated: () => 'job.created',
  JobQueued: () => 'job.queued',
  JobLeased: () => 'job.leased',
  LeaseLapsed: ({ requeued }) => (requeued ? 'job.queued' : undefined),
  LeaseReleased: () => 'job.queued',
  LeaseInvalidated: untold,
  JobAccepted: () => 'job.accepted_by_agent',
  HandoffStarted: untold,
  JobSpooled: () => 'job.sent_to_spooler',
  JobCompleted: () => 'job.spooler_completed',
  JobFailed: () => 'job.failed',
  RetryScheduled: untold,
  JobRequeued: () => 'job.queued',
  ManualReviewOpened: () => 'job.manual_review',
  JobCancelled: () => 'job.cancelled',
  JobExpired: () => 'job.expired',
  LateResultRecorded: untold,
  ContentPurged: untold,
  LeaseKept: untold,

  ComputerRegistered: () => 'computer.registered',
  ComputerReenrolled: () => 'computer.pending',
  AgentSessionStarted: untold,
  ReplacedSessionCalled: untold,
  UnknownJobReported: untold,
  ComputerCameOnline: () => 'computer.online',
  ComputerWentOffline: () => 'computer.offline',
  ComputerDisabled: () => 'computer.disabled',
  // Whether it is online or offline then is an event of its own, right after it.
  ComputerEnabled: ({ status }) => (status === 'pending' ? 'computer.pending' : undefined),
  ComputerRevoked: () => 'computer.revoked',
  LostEventReported: untold,

  PrinterDetected: () => 'printer.detected',
  PrinterCameOnline: () => 'printer.online',
  PrinterWentOffline: () => 'printer.offline',
  PrinterRemoved: () => 'printer.removed',
  PrinterDisabled: () => 'printer.disabled',
  // The agent's last word alone is no property that anybody is shown here.
  PrinterUpdated: ({ changes }) => (isShown(changes) ? 'printer.updated' : undefined),

  WebhookCreated: untold,
  WebhookUpdated: untold,
  WebhookSecretRotated: untold,
  WebhookPaused: untold,
  WebhookResumed: untold,
  WebhookDeleted: untold,
  WebhookSettled: untold,
  WebhookTestRequested: () => 'webhook.test',
};

/** Stored event types that may stand for a public one. */
export const TOLD_EVENTS: readonly string[] = Object.entries(table)
  .filter(([, tell]) => tell !== untold)
  .map(([type]) => type);

/** The public event that a stored one stands for, if any. */
export function publicTypeOf(event: { readonly type: string; readonly data: object }): Told {
  if (!Object.hasOwn(table, event.type)) return undefined;
  const tell = table[event.type as keyof Table] as (data: object) => Told;
  return tell(event.data);
}

/**
 * What a delivery tells of a stored event. Earlier versions told of every `ComputerEnabled`; what they left to be
 * delivered is still sent.
 */
export function deliveredTypeOf(event: { readonly type: string; readonly data: object }): Told {
  return publicTypeOf(event) ?? (event.type === 'ComputerEnabled' ? 'computer.offline' : undefined);
}

function isShown(changes: ComputerEventData['PrinterUpdated']['changes']): boolean {
  return Object.keys(changes).some((field) => field !== 'reportedOnline');
}
