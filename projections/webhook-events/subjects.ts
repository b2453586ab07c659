import type { PublicEventType } from '../../src/contexts/webhooks/domain/endpoint.events.js';
import { idOf } from '../../src/kernel/ids.js';
import type { AnyProjection } from '../../src/kernel/projection.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { Instant } from '../../src/kernel/time.js';
import { computerResource, type ComputerResource } from '../computers/computer-resource.js';
import { computersProjection } from '../computers/computers.projection.js';
import { jobResource } from '../job-view/job-resource.js';
import { jobViewProjection } from '../job-view/job-view.projection.js';
import { printerResource, type PrinterResource } from '../printers/printer-resource.js';
import { printersProjection } from '../printers/printers.projection.js';
import { webhookEndpointsProjection } from '../webhook-endpoints/webhook-endpoints.projection.js';
import { webhookResource } from '../webhook-endpoints/webhook-resource.js';

export type SubjectName = 'job' | 'computer' | 'printer' | 'webhook';

/** What an event is about: which document shows it, and how. */
export interface Subject {
  readonly name: SubjectName;
  readonly projection: AnyProjection;
  keyOf(event: RecordedEvent): string;
  /** The resource as the API showed it at that moment, as far as events alone say. */
  show(document: never, at: Instant): object;
}

const ofStream = ({ stream }: RecordedEvent) => idOf(stream);
const named =
  (field: 'printerId' | 'webhookId') =>
  ({ data }: RecordedEvent) =>
    (data as Record<typeof field, string>)[field];

const SUBJECTS: Readonly<Record<SubjectName, Subject>> = {
  job: { name: 'job', projection: jobViewProjection, keyOf: ofStream, show: jobResource },
  computer: {
    name: 'computer',
    projection: computersProjection,
    keyOf: ofStream,
    show: (document) => withoutHeartbeat(computerResource(document, undefined)),
  },
  printer: {
    name: 'printer',
    projection: printersProjection,
    keyOf: named('printerId'),
    show: (document) => withoutHeartbeat(printerResource(document, undefined)),
  },
  webhook: {
    name: 'webhook',
    projection: webhookEndpointsProjection,
    keyOf: named('webhookId'),
    show: (document) => webhookResource(document),
  },
};

export function subjectOf(type: PublicEventType): Subject {
  return SUBJECTS[type.slice(0, type.indexOf('.')) as SubjectName];
}

/** A heartbeat is no event: what it was at that moment nobody knows later, and null would say "never". */
function withoutHeartbeat({ last_seen_at: _, ...resource }: ComputerResource | PrinterResource): object {
  return resource;
}
