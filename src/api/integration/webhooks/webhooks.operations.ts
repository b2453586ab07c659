import type { OperationSpec } from '../../../http/operation.js';
import { integration } from '../integration.surface.js';
import {
  CreateWebhookBody,
  DeliveryIdBody,
  ListWebhooksBody,
  UpdateWebhookBody,
  WebhookIdBody,
} from '../integration.requests.js';
import { Webhook } from '../../resources/webhook.resource.js';
import {
  DeliveryAnswer,
  UpdatedWebhookAnswer,
  WebhookAnswer,
  WebhookDelivery,
  WebhookList,
  WebhookSecretAnswer,
} from './webhook.answers.js';

const surface = integration;
const scopes = ['webhooks:write'];
/** Errors for the state of the account. */
const ADMISSION = ['SVC_ACCOUNT_SUSPENDED', 'SVC_PUBLIC_API_DISABLED'] as const;
const { example: webhook } = Webhook;

export const listWebhooks: OperationSpec = {
  id: 'listWebhooks',
  surface,
  route: 'POST /v1/svc-list-webhooks',
  summary: 'List webhooks',
  tag: 'Webhooks',
  description:
    'All active and paused webhooks and all event types; the fields of the body filter the deliveries alone.',
  scopes: ['webhooks:read'],
  limit: { perMinute: 120 },
  body: ListWebhooksBody,
  requestExample: { limit: 50 },
  success: {
    status: 200,
    description: 'Webhooks, deliveries and event types.',
    type: WebhookList,
    codes: ['SVC_OK'],
  },
  errors: ADMISSION,
};

export const createWebhook: OperationSpec = {
  id: 'createWebhook',
  surface,
  route: 'POST /v1/svc-create-webhook',
  summary: 'Create a webhook',
  tag: 'Webhooks',
  description: 'The signing secret is shown in this answer and never again.',
  scopes,
  limit: { perMinute: 30 },
  body: CreateWebhookBody,
  requestExample: {
    url: webhook.url,
    event_types: webhook.event_types,
    description: webhook.description,
  },
  success: {
    status: 201,
    description: 'The webhook is active.',
    type: WebhookSecretAnswer,
    codes: ['SVC_WEBHOOK_CREATED'],
  },
  errors: [...ADMISSION, 'SVC_WEBHOOK_LIMIT_REACHED', 'SVC_WEBHOOK_DUPLICATE'],
};

export const updateWebhook: OperationSpec = {
  id: 'updateWebhook',
  surface,
  route: 'POST /v1/svc-update-webhook',
  summary: 'Update a webhook',
  tag: 'Webhooks',
  description:
    'Changes, pauses or resumes the webhook, or rotates its secret. At least one field beside `webhook_id`; all of ' +
    'it happens, or nothing. With `rotate_secret` the new secret ' +
    'signs at once and is shown in this answer and never again; the one before signs too for 24 hours.',
  scopes,
  limit: { perMinute: 60 },
  body: UpdateWebhookBody,
  requestExample: {
    webhook_id: webhook.webhook_id,
    event_types: webhook.event_types,
    rotate_secret: true,
  },
  success: {
    status: 200,
    description: 'The webhook as it is now.',
    type: UpdatedWebhookAnswer,
    codes: ['SVC_WEBHOOK_UPDATED'],
  },
  errors: [...ADMISSION, 'SVC_WEBHOOK_NOT_FOUND', 'SVC_WEBHOOK_DUPLICATE'],
};

export const deleteWebhook: OperationSpec = {
  id: 'deleteWebhook',
  surface,
  route: 'POST /v1/svc-delete-webhook',
  summary: 'Delete a webhook',
  tag: 'Webhooks',
  description: 'Cancels its pending deliveries.',
  scopes,
  limit: { perMinute: 60 },
  body: WebhookIdBody,
  requestExample: { webhook_id: webhook.webhook_id },
  success: {
    status: 200,
    description: 'The webhook is deleted.',
    type: WebhookAnswer,
    codes: ['SVC_WEBHOOK_DELETED'],
    example: { webhook: { ...webhook, status: 'deleted' } },
  },
  errors: [...ADMISSION, 'SVC_WEBHOOK_NOT_FOUND'],
};

export const testWebhook: OperationSpec = {
  id: 'testWebhook',
  surface,
  route: 'POST /v1/svc-test-webhook',
  summary: 'Send a test event',
  tag: 'Webhooks',
  description:
    'Whatever event types the webhook wants. Answers after the first attempt; a failed one is repeated.',
  scopes,
  limit: { perMinute: 30 },
  body: WebhookIdBody,
  requestExample: { webhook_id: webhook.webhook_id },
  success: {
    status: 200,
    description: 'The delivery, after its first attempt.',
    type: DeliveryAnswer,
    codes: ['SVC_WEBHOOK_TESTED'],
  },
  errors: [...ADMISSION, 'SVC_WEBHOOK_NOT_FOUND', 'SVC_WEBHOOK_PAUSED'],
};

export const retryWebhookDelivery: OperationSpec = {
  id: 'retryWebhookDelivery',
  surface,
  route: 'POST /v1/svc-retry-webhook',
  summary: 'Retry a webhook delivery',
  tag: 'Webhooks',
  description:
    'From `retry_scheduled` it is the next attempt of the schedule; from `dead_letter` it is one more.',
  scopes,
  limit: { perMinute: 30 },
  body: DeliveryIdBody,
  requestExample: { delivery_id: WebhookDelivery.example.delivery_id },
  success: {
    status: 200,
    description: 'The delivery, after the attempt.',
    type: DeliveryAnswer,
    codes: ['SVC_DELIVERY_RETRIED'],
  },
  errors: [
    ...ADMISSION,
    'SVC_WEBHOOK_NOT_FOUND',
    'SVC_DELIVERY_NOT_FOUND',
    'SVC_WEBHOOK_PAUSED',
    'SVC_DELIVERY_STATE_CONFLICT',
  ],
};
