import type { PublicEventType } from '../../src/contexts/webhooks/domain/endpoint.events.js';
import type { WebhookPayload } from './payload.js';
import {
  computerExample,
  exampleIds,
  jobExamples,
  printerExample,
  webhookExample,
} from './resource-examples.js';
import {
  computerSchema,
  jobSchema,
  printerSchema,
  webhookSchema,
  type JsonSchema,
} from './resource-schemas.js';

/** One line of what listWebhooks, OpenAPI and the docs say of an event type. */
export interface CatalogueEntry {
  readonly event_type: PublicEventType;
  readonly description: string;
  /** JSON Schema 2020-12 of the body. */
  readonly schema: JsonSchema;
  readonly example: WebhookPayload;
}

const SCHEMAS = { job: jobSchema, computer: computerSchema, printer: printerSchema, webhook: webhookSchema };
type SubjectName = keyof typeof SCHEMAS;

const DESCRIPTIONS: Readonly<Record<PublicEventType, string>> = {
  'job.created': 'A job was accepted and its document stored.',
  'job.queued': 'A job waits for its printer: new, given back by an Agent, or retried.',
  'job.leased': 'An Agent took the job.',
  'job.accepted_by_agent': 'The Agent holds the verified document.',
  'job.sent_to_spooler': 'The spooler of the computer has the document.',
  'job.spooler_completed': 'The spooler is done. Nobody says that paper came out.',
  'job.failed': 'The job was certainly not printed; retry_state says whether it will be tried again.',
  'job.manual_review': 'The job may have been printed: a person has to decide.',
  'job.cancelled': 'The job was cancelled before it was printed.',
  'job.expired': 'The time of the job was over before it was printed.',
  'computer.registered': 'A computer was enrolled for the first time.',
  'computer.pending': 'A computer was enrolled again, or enabled before its Agent ever called.',
  'computer.online': 'The Agent of the computer calls.',
  'computer.offline':
    'The Agent of the computer has not called for a while, also when the computer was enabled again.',
  'computer.disabled': 'The computer was disabled by the operator.',
  'computer.revoked': 'The computer was deactivated; it needs a new enrolment.',
  'printer.detected': 'A new printer was found on a computer.',
  'printer.online': 'The printer takes jobs.',
  'printer.offline': 'The printer, or its computer, is offline.',
  'printer.removed': 'The printer is gone from its computer.',
  'printer.disabled': 'The printer takes no jobs: it, or its computer, was disabled.',
  'printer.updated': 'Name, driver, port, default, capabilities or enabled changed.',
  'webhook.test': 'A test that was asked for.',
};

/** What the status of the resource is after the event, where the name does not say it. */
const STATUS: Readonly<Record<string, string>> = {
  'computer.registered': 'pending',
  'printer.detected': 'offline',
  'printer.updated': 'online',
};

/** Every public event type once, in the order of the contract. */
export const EVENT_CATALOGUE: readonly CatalogueEntry[] = Object.entries(DESCRIPTIONS).map(
  ([type, description]) => {
    const event_type = type as PublicEventType;
    return { event_type, description, schema: schemaOf(event_type), example: exampleOf(event_type) };
  },
);

function schemaOf(type: PublicEventType): JsonSchema {
  const name = subjectName(type);
  const properties = {
    contract: { const: 'svc_webhook_event_v1' },
    event_id: { type: 'string', format: 'uuid' },
    event_type: { const: type },
    created_at: { type: 'string', format: 'date-time' },
    sequence: { type: 'integer', minimum: 0 },
    account_id: { type: 'string', format: 'uuid' },
    environment: { const: 'live' },
    data: { type: 'object', required: [name], properties: { [name]: SCHEMAS[name] } },
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: type,
    description: DESCRIPTIONS[type],
    type: 'object',
    required: Object.keys(properties),
    properties,
  };
}

function exampleOf(type: PublicEventType): WebhookPayload {
  const name = subjectName(type);
  const resource = resourceExample(name, type);
  return {
    contract: 'svc_webhook_event_v1',
    event_id: exampleIds.event,
    event_type: type,
    created_at: resource.updated_at,
    sequence: 1,
    account_id: exampleIds.account,
    environment: 'live',
    data: { [name]: resource },
  };
}

function resourceExample(name: SubjectName, type: PublicEventType): { readonly updated_at: string } {
  const word = type.slice(name.length + 1);
  if (name === 'job') return jobExamples[word as keyof typeof jobExamples];
  if (name === 'webhook') return webhookExample;
  const example = name === 'computer' ? computerExample : printerExample;
  return Object.assign({}, example, { status: STATUS[type] ?? word });
}

function subjectName(type: PublicEventType): SubjectName {
  return type.slice(0, type.indexOf('.')) as SubjectName;
}
