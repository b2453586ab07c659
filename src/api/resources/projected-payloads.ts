import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { computersProjection } from '../../../projections/computers/computers.projection.js';
import { jobViewProjection } from '../../../projections/job-view/job-view.projection.js';
import { printersProjection } from '../../../projections/printers/printers.projection.js';
import { webhookEndpointsProjection } from '../../../projections/webhook-endpoints/webhook-endpoints.projection.js';
import {
  deliveredTypeOf,
  type EventPlace,
  type PublicEvent,
  type SubjectName,
  subjectOf,
  WebhookPayloads,
} from '../../contexts/webhooks/index.js';
import { documentAt, EventStore, type StoredDocument } from '../../event-sourcing/index.js';
import { idOf } from '../../kernel/ids.js';
import type { AnyProjection } from '../../kernel/projection.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import { computerResource } from './computer.resource.js';
import { eventBody } from './event-catalogue.js';
import { jobResource } from './print-job.resource.js';
import { printerResource } from './printer.resource.js';
import { webhookResource } from './webhook.resource.js';

/** The document of an event's resource, with its presenter. */
interface Subject {
  readonly projection: AnyProjection;
  keyOf(event: RecordedEvent): string;
  show(document: never, at: Instant): object;
}

type OwnedDocument = { readonly account_id: string };

interface KnownDocument extends StoredDocument {
  readonly document: OwnedDocument;
}

const streamId = ({ stream }: RecordedEvent) => idOf(stream);
const printerId = ({ data }: RecordedEvent) => (data as { readonly printerId: string }).printerId;
const webhookId = ({ data }: RecordedEvent) => (data as { readonly webhookId: string }).webhookId;

const SUBJECTS: Readonly<Record<SubjectName, Subject>> = {
  job: { projection: jobViewProjection, keyOf: streamId, show: jobResource },
  computer: {
    projection: computersProjection,
    keyOf: streamId,
    show: (document) => computerResource(document, undefined),
  },
  printer: {
    projection: printersProjection,
    keyOf: printerId,
    show: (document) => printerResource(document, undefined),
  },
  webhook: {
    projection: webhookEndpointsProjection,
    keyOf: webhookId,
    show: (document) => webhookResource(document),
  },
};

/** All webhooks of an event render it at about the same time. */
const CACHED_EVENTS = 1_000;
const CACHED_DOCUMENTS = 4_000;
const CACHED_ACCOUNTS = 20_000;

/** Folds the streams of events into documents and renders them with the presenters of the API. */
@Injectable()
export class ProjectedPayloads extends WebhookPayloads {
  private readonly events = new LRUCache<string, PublicEvent>({ max: CACHED_EVENTS });
  /** Events that the fan-out has just read. */
  private readonly sources = new LRUCache<string, RecordedEvent>({ max: CACHED_EVENTS });
  /** Documents at a revision: the next event of a stream folds only the events since. */
  private readonly documents = new LRUCache<string, KnownDocument>({ max: CACHED_DOCUMENTS });
  private readonly accounts = new LRUCache<string, string>({ max: CACHED_ACCOUNTS });

  constructor(private readonly store: EventStore) {
    super();
    store.listen({ rolledBack: () => this.invalidate() });
  }

  override async publicEventAt({ stream, revision }: EventPlace): Promise<PublicEvent | undefined> {
    const place = `${stream}@${revision}`;
    const known = this.events.get(place);
    if (known) return known;
    const event = this.sources.get(place) ?? (await this.store.load(stream, { from: revision, max: 1 }))[0];
    const rendered = event && (await this.render(event));
    if (rendered) this.events.set(place, rendered);
    return rendered;
  }

  /** A stream belongs to the account named by its first event. */
  override async accountOf(event: RecordedEvent): Promise<string | undefined> {
    const { stream, revision } = event;
    this.sources.set(`${stream}@${revision}`, event);
    const known = this.accounts.get(stream);
    if (known !== undefined) return known;
    const first = event.revision === 0 ? event : (await this.store.load(stream, { max: 1 }))[0];
    const { accountId } = (first?.data ?? {}) as { readonly accountId?: string };
    if (accountId !== undefined) this.accounts.set(stream, accountId);
    return accountId;
  }

  private invalidate(): void {
    for (const cache of [this.events, this.sources, this.documents, this.accounts]) cache.clear();
  }

  private async render(event: RecordedEvent): Promise<PublicEvent | undefined> {
    const eventType = deliveredTypeOf(event);
    if (!eventType) return undefined;
    const { projection, keyOf, show } = SUBJECTS[subjectOf(eventType)];
    const document = await this.documentAfter(event, projection, keyOf(event));
    if (!document) return undefined;
    const { id: eventId, revision } = event;
    const { at, correlationId } = event.metadata;
    const { account_id: accountId } = document;
    const resource = show(document as never, at);
    const body = bytesOf(
      JSON.stringify(eventBody(eventType, { id: eventId, revision, at, accountId }, resource)),
    );
    return { eventId, eventType, accountId, at, correlationId, body };
  }

  private async documentAfter(
    event: RecordedEvent,
    projection: AnyProjection,
    key: string,
  ): Promise<OwnedDocument | undefined> {
    const name = `${projection.view.name}:${key}`;
    const cached = this.documents.get(name);
    const before = cached && cached.revision <= event.revision ? cached : undefined;
    if (before?.revision === event.revision) return before.document;
    const from = (before?.revision ?? -1) + 1;
    const past =
      from === event.revision
        ? [event]
        : await this.store.load(event.stream, { from, max: event.revision - from + 1 });
    const after = documentAt(projection, past, key, before) as KnownDocument | undefined;
    if (after) this.documents.set(name, { ...after, revision: event.revision });
    return after?.document;
  }
}

/** Allocated separately: a slice of Node's pool would keep the whole pool page in the cache. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
