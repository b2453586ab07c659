import {
  PUBLIC_EVENTS,
  type PublicEventType,
  type SubjectName,
  subjectOf,
} from '../../contexts/webhooks/index.js';
import { eventFieldsOf, eventSchemaOf } from '../../http/openapi/schemas.js';
import type { Instant } from '../../kernel/time.js';
import { Computer } from './computer.resource.js';
import { jobExamples, PrintJob } from './print-job.resource.js';
import { Printer } from './printer.resource.js';
import { Webhook } from './webhook.resource.js';

const RESOURCES = { job: PrintJob, computer: Computer, printer: Printer, webhook: Webhook } as const;

export interface EventBody {
  readonly contract: 'svc_webhook_event_v1';
  readonly event_id: string;
  readonly event_type: PublicEventType;
  readonly created_at: Instant;
  /** Revision in the resource's stream, by which receivers order. */
  readonly sequence: number;
  readonly account_id: string;
  readonly environment: 'live';
  readonly data: Readonly<Partial<Record<SubjectName, object>>>;
}

/** Event types that lists of changes show: a test of a webhook concerns its receiver only. */
export const CHANGE_TYPES = (Object.keys(PUBLIC_EVENTS) as PublicEventType[]).filter(
  (type) => type !== 'webhook.test',
);

interface Occurrence {
  readonly id: string;
  readonly revision: number;
  readonly at: Instant;
  readonly accountId: string;
}

/** @param resource as shown by the API right after the event; the body omits fields not set by events */
export function eventBody(type: PublicEventType, event: Occurrence, resource: object): EventBody {
  const subject = subjectOf(type);
  const values = resource as Readonly<Record<string, unknown>>;
  const fields = eventFieldsOf(RESOURCES[subject]).map(([name]) => [name, values[name]] as const);
  return {
    contract: 'svc_webhook_event_v1',
    event_id: event.id,
    event_type: type,
    created_at: event.at,
    sequence: event.revision,
    account_id: event.accountId,
    environment: 'live',
    data: { [subject]: Object.fromEntries(fields.filter(([, value]) => value !== undefined)) },
  };
}

/** One line about an event type in listWebhooks, OpenAPI and the docs. */
export interface CatalogueEntry {
  readonly event_type: PublicEventType;
  readonly description: string;
  /** JSON Schema 2020-12 of the body. */
  readonly schema: object;
  readonly example: EventBody;
}

/** Statuses that differ from the second word of the event type. */
const STATUS: Readonly<Partial<Record<PublicEventType, string>>> = {
  'computer.registered': 'pending',
  'printer.detected': 'offline',
  'printer.updated': 'online',
};

/** Every public event type once, in the order of the contract. */
export const EVENT_CATALOGUE: readonly CatalogueEntry[] = Object.entries(PUBLIC_EVENTS).map(
  ([type, description]) => {
    const event_type = type as PublicEventType;
    return { event_type, description, schema: schemaOf(event_type), example: exampleOf(event_type) };
  },
);

function schemaOf(type: PublicEventType): object {
  const subject = subjectOf(type);
  const properties = {
    contract: { const: 'svc_webhook_event_v1' },
    event_id: { type: 'string', format: 'uuid' },
    event_type: { const: type },
    created_at: { type: 'string', format: 'date-time' },
    sequence: { type: 'integer', minimum: 0 },
    account_id: { type: 'string', format: 'uuid' },
    environment: { const: 'live' },
    data: {
      type: 'object',
      required: [subject],
      properties: { [subject]: eventSchemaOf(RESOURCES[subject]) },
    },
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: type,
    description: PUBLIC_EVENTS[type],
    type: 'object',
    required: Object.keys(properties),
    properties,
  };
}

function exampleOf(type: PublicEventType): EventBody {
  const resource = resourceAfter(type);
  const event = {
    id: '019aa000-0000-7000-8000-0000000000e5',
    revision: 1,
    at: resource.updated_at,
    accountId: '019aa000-0000-7000-8000-0000000000a1',
  };
  return eventBody(type, event, resource);
}

function resourceAfter(type: PublicEventType): { readonly updated_at: Instant } {
  const subject = subjectOf(type);
  const word = type.slice(subject.length + 1);
  if (subject === 'job') return jobExamples[word as keyof typeof jobExamples];
  if (subject === 'webhook') return Webhook.example;
  return { ...RESOURCES[subject].example, ...{ status: STATUS[type] ?? word } };
}

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
    description:
      'Standard Webhooks 1.0, separated by spaces: `v1,` by the secret, after a rotation two; `v1a,` by the key of ' +
      'GET /.well-known/jwks.json (Ed25519).',
    example: `v1,${'A'.repeat(43)}= v1a,${'A'.repeat(86)}==`,
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
