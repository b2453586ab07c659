import type { PublicEventType } from '../../src/contexts/webhooks/domain/endpoint.events.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { Instant } from '../../src/kernel/time.js';
import { subjectOf, type SubjectName } from './subjects.js';

/** The body of a delivery. */
export interface WebhookPayload {
  readonly contract: 'svc_webhook_event_v1';
  readonly event_id: string;
  readonly event_type: PublicEventType;
  readonly created_at: Instant;
  /** Revision in the resource's stream: receivers order by it. */
  readonly sequence: number;
  readonly account_id: string;
  readonly environment: 'live';
  readonly data: Readonly<Partial<Record<SubjectName, object>>>;
}

/** @param document as it was right after the event */
export function payloadOf(
  type: PublicEventType,
  event: RecordedEvent,
  document: { readonly account_id: string },
): WebhookPayload {
  const { name, show } = subjectOf(type);
  const { at } = event.metadata;
  return {
    contract: 'svc_webhook_event_v1',
    event_id: event.id,
    event_type: type,
    created_at: at,
    sequence: event.revision,
    account_id: document.account_id,
    environment: 'live',
    data: { [name]: show(document as never, at) },
  };
}
