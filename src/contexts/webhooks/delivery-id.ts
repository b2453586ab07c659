import { v5 } from 'uuid';

/** The same webhook and event always meet in the same delivery: telling twice writes nothing. */
export function deliveryIdOf(webhookId: string, eventId: string): string {
  return v5(eventId, webhookId);
}
