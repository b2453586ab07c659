import { type CatalogueEntry, EVENT_CATALOGUE } from './event-catalogue.js';

interface DeliveryHeader {
  readonly description: string;
  readonly example: string;
  readonly required?: boolean;
  readonly schema?: object;
}

const version = { const: 'v1' };
const hex = { pattern: '^v1=[0-9a-f]{64}$' };
const seconds = { pattern: '^[0-9]+$' };
const someHex = `v1=${'0'.repeat(64)}`;

/** Headers of a delivery (docs/webhooks.md), besides the event type. */
const HEADERS: Readonly<Record<string, DeliveryHeader>> = {
  'X-Svc-Event-Id': {
    description: 'The same over all attempts, and for all webhooks of the account: de-duplicate by it.',
    example: '019aa000-0000-7000-8000-0000000000e5',
    schema: { format: 'uuid' },
  },
  'X-Svc-Delivery-Id': {
    description: 'This event to this webhook; the same over all attempts.',
    example: '019aa000-0000-5000-8000-0000000000e4',
    schema: { format: 'uuid' },
  },
  'X-Svc-Timestamp': {
    description: 'Unix seconds of this attempt; refuse what is more than 5 minutes off.',
    example: '1795262400',
    schema: seconds,
  },
  'X-Svc-Signature': {
    description:
      'HMAC-SHA256 under the secret over X-Svc-Timestamp, X-Svc-Event-Id, X-Svc-Version, X-Svc-API-Version, ' +
      'X-Svc-Event-Schema-Version and the raw body, joined by dots.',
    example: someHex,
    schema: hex,
  },
  'X-Svc-Signature-Previous': {
    description: 'For 24 hours after a rotation: the same under the secret before.',
    example: someHex,
    schema: hex,
    required: false,
  },
  'X-Svc-Version': { description: 'Version of the service.', example: '2.0.59' },
  'X-Svc-API-Version': { description: 'Contract version.', example: 'v1', schema: version },
  'X-Svc-Event-Schema-Version': { description: 'Version of the bodies.', example: 'v1', schema: version },
  'X-Svc-Secret-Version': {
    description: 'Which of the secrets signed.',
    example: '1',
    schema: { pattern: '^[1-9][0-9]*$' },
  },
  'webhook-id': { description: 'Standard Webhooks 1.0.', example: '019aa000-0000-7000-8000-0000000000e5' },
  'webhook-timestamp': { description: 'Standard Webhooks 1.0.', example: '1795262400', schema: seconds },
  'webhook-signature': {
    description: 'Standard Webhooks 1.0: one signature, after a rotation two.',
    example: `v1,${'A'.repeat(43)}=`,
  },
};

/** The `webhooks` of an OpenAPI 3.1 document: every event of the catalogue as sent to receivers. */
export function eventWebhooks(): Record<string, unknown> {
  return Object.fromEntries(EVENT_CATALOGUE.map((entry) => [entry.event_type, { post: received(entry) }]));
}

function received({ event_type: type, description, schema, example }: CatalogueEntry) {
  return {
    operationId: receiverName(type),
    summary: type,
    description,
    security: [],
    parameters: [
      header('X-Svc-Event', { description: 'The event type.', example: type, schema: { const: type } }),
      ...Object.entries(HEADERS).map(([name, each]) => header(name, each)),
    ],
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      '200': { description: 'Taken. Any other 2xx says the same; anything else is tried again.' },
      '410': { description: 'Pauses the webhook.' },
    },
  };
}

function header(name: string, { description, example, required = true, schema }: DeliveryHeader) {
  return { name, in: 'header', required, description, schema: { type: 'string', ...schema }, example };
}

/** `receiveJobSentToSpooler` for `job.sent_to_spooler`. */
function receiverName(type: string): string {
  return `receive${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
}
