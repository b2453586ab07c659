import { v5 } from 'uuid';

/** The same webhook and event always give the same id, so a delivery is created once. */
export function deliveryIdOf(webhookId: string, eventId: string): string {
  return v5(eventId, webhookId);
}

/** Keys of an endpoint's last success, last failure, and first failure since a success in the liveness store. */
export const healthKeys = (webhookId: string) =>
  [`webhook-success:${webhookId}`, `webhook-failure:${webhookId}`, `webhook-failing:${webhookId}`] as const;
