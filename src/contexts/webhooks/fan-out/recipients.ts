import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import type { PublicEventType } from '../domain/endpoint.events.js';
import { subscribersTo, webhookOf, type Endpoints, type Webhook } from '../domain/endpoint.state.js';

/** Who is told of an event, given the endpoints as they were then. A test goes to the webhook under test alone. */
export function recipientsOf(
  event: Pick<RecordedEvent, 'data'>,
  type: PublicEventType,
  endpoints: Endpoints,
): readonly Webhook[] {
  if (type !== 'webhook.test') return subscribersTo(endpoints, type);
  const webhook = webhookOf(endpoints, (event.data as { readonly webhookId: string }).webhookId);
  return webhook?.status === 'active' ? [webhook] : [];
}
