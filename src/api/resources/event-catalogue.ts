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

/** The body of a delivery. */
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
