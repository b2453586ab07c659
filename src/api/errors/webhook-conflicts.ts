import { conflict } from './rows.js';

/** Rows of the catalogue about webhooks and their deliveries. */
export const WEBHOOK_CONFLICTS = [
  conflict('The account has 20 webhooks already.', 'Delete one first.', {
    WebhookLimitReached: { integration: 'SVC_WEBHOOK_LIMIT_REACHED' },
  }),
  conflict('Another webhook has this URL.', 'Update that webhook.', {
    WebhookDuplicate: { integration: 'SVC_WEBHOOK_DUPLICATE' },
  }),
  conflict('The webhook is paused.', 'Make it active first.', {
    WebhookPaused: { integration: 'SVC_WEBHOOK_PAUSED' },
  }),
  conflict(
    'A recovery of the webhook is running, or one of the account is being counted.',
    'Wait for it; listWebhooks shows its progress.',
    { RecoveryRunning: { integration: 'SVC_RECOVERY_RUNNING' } },
  ),
  conflict(
    'The missed events could not be counted in ten seconds.',
    'Shorten the interval, or leave dry_run out.',
    { RecoveryTooLarge: { integration: 'SVC_RECOVERY_TOO_LARGE' } },
  ),
  conflict('Only deliveries in retry_scheduled or dead_letter are tried again.', 'Read the delivery.', {
    DeliveryStateConflict: { integration: 'SVC_DELIVERY_STATE_CONFLICT' },
  }),
];
