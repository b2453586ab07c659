import type { Tracing } from '../../../kernel/tracing.js';
import type { WebhookAnswer, WebhookClient, WebhookRequest } from '../client/webhook-client.port.js';
import type { PublicEvent } from '../ports.js';

/** Sends the request in a span of the event's trace, which the receiver can continue. */
export async function sendTraced(
  tracing: Tracing,
  client: WebhookClient,
  { headers, ...request }: WebhookRequest,
  { eventType, traceparent: parent }: PublicEvent,
): Promise<WebhookAnswer> {
  const span = tracing.start({ name: 'POST webhook', kind: 'client', parent });
  const traceparent = span?.traceparent ?? parent;
  const traced = { ...headers, ...(traceparent !== undefined && { traceparent }) };
  const answer = await client.send({ ...request, headers: traced });
  const { responseStatus, failureCode } = answer;
  const outcome = { 'http.response.status_code': responseStatus, 'rps.failure_code': failureCode };
  const ids = { 'rps.event': eventType, 'rps.delivery_id': headers['x-svc-delivery-id'] };
  span?.end({ ...ids, ...outcome }, failureCode !== undefined);
  return answer;
}
