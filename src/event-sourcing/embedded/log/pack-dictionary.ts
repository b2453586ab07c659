const actor = (kind: string, id: string) =>
  `{"actor":{"kind":"${kind}","id":"${id}"},"correlationId":"01a0","requestId":"01a0`;
const account = '","schemaVersion":1,"accountId":"01a0';

const FIRST = [
  'LeaseLapsed\n{"leaseId":"01a0","fence":2,"reason":"session_lost","requeued":true}\n',
  'LeaseReleased\nLeaseInvalidated\nLeaseKept\nLateResultRecorded\n"late":true,"occurredAt":"',
  'JobExpired\n{}\nJobCancelled\n{"reason":"","contentUntil":"',
  'ManualReviewOpened\n{"failureCode":"handoff_uncertain","message":"","reportedCode":"","expiresAt":"',
  'JobFailed\n{"failureCode":"printer_offline","failureClass":"retryable","message":"The printer is offline',
  '","retryState":"scheduled","nextAttemptAt":"',
  'RetryScheduled\n{"retryDelaySeconds":30}\nJobRequeued\n{"reason":"automatic","retryCount":1,"expiresAt":"',
  'DeliveryRemoved\n{}\nDeliveryCancelled\n{"reason":"webhook_deleted"}\nDeliveryBecameDue\n{}\n',
  'DeliveryAttemptFailed\n{"attempt":1,"failureCode":"CONNECTION_FAILED","again":"never","nextAttemptAt":"',
  '"failureCode":"HTTP_STATUS","responseStatus":500,"failureCode":"TIMEOUT","again":"later',
  actor('process', 'webhook-retry'),
  'DeliveryCreated\n{"deliveryId":"01a0","accountId":"01a0","webhookId":"01a0","eventId":"01a0","eventType":"job.',
  'created","eventType":"job.sent_to_spooler","eventType":"job.spooler_completed","source":{"stream":"job-01a0',
  '","revision":0},"maxAttempts":8}\n',
  'DeliveryAttemptStarted\n{"attempt":1,"trigger":"schedule"}\n',
  'DeliverySucceeded\n{"attempt":1,"responseStatus":200,"durationMs":1,"responseBody":"ok"}\n',
  actor('process', 'webhook-fan-out'),
  '","causationId":"',
  actor('process', 'webhook-dispatch'),
  actor('process', 'auto-retry'),
  'ContentPurged\n{}\n',
  '{"actor":{"kind":"process","id":"content-purge"},"correlationId":"01a0","causationId":"01a0',
  'Claimed\n{"kind":"job-create","subject":"01a0","fingerprint":"","expiresAt":"2026-11-24T12:00:00.000Z"}\n',
  actor('partner', '01a0'),
  actor('member', '01a0'),
  account,
  'JobCreated\n{"jobId":"01a0","accountId":"01a0","printerId":"01a0","printerCode":"PR-","printerName":"',
  '","computerId":"01a0","computerName":"","externalId":"","title":"","contentType":"pdf","contentHash":"',
  '","contentSizeBytes":1,"copies":1,"maxAutoRetries":5,"source":"partner","expiresAt":"',
  '"contentType":"text","source":"integration',
  actor('api_key', '01a0'),
  '","at":"2026-11-24T12:00:00.000Z","schemaVersion":1}\n1\n01a0',
  'JobQueued\n{}\n\n',
  'JobLeased\n{"leaseId":"01a0","fence":1,"computerId":"01a0","sessionId":"01a0","leaseUntil":"2026-11-24T12:',
  actor('device', '01a0'),
  'JobAccepted\n{"leaseId":"01a0","fence":1,"graceUntil":"2026-11-24T12:","graceAtMost":"2026-11-24T12:',
  'HandoffStarted\n{"leaseId":"01a0","fence":1,"sessionId":"01a0","startedAt":"2026-11-24T12:',
  '","silentAt":"2026-11-24T12:',
  'JobSpooled\n{"leaseId":"01a0","fence":1,"reportId":"01a0","spoolerProvider":"cups","spoolerJobId":"',
  '","spooledAt":"2026-11-24T12:',
  'JobCompleted\n{"leaseId":"01a0","fence":1,"reportId":"01a0","spoolerProvider":"winspool',
  '","completedAt":"2026-11-24T12:00:00.000Z","contentUntil":"2026-11-24T12:00:00.000Z"}\n',
  actor('device', '01a0'),
  '","at":"2026-11-24T12:00:00.000Z","schemaVersion":1}\n',
].join('');

/**
 * Texts that events of jobs, claims and deliveries share, the commonest last, because zlib refers to near texts with
 * fewer bits. Packs name their dictionary by its place in this list: never change an entry, append a new one.
 */
export const DICTIONARIES: readonly Buffer[] = [Buffer.from(FIRST)];
