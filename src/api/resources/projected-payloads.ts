import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { growingTo } from '../../kernel/cache-size.js';
import type { ComputerDocument } from '../../../projections/computers/computers.js';
import { computersProjection } from '../../../projections/computers/computers.projection.js';
import type { JobDocument } from '../../../projections/job-view/job-view.js';
import { jobViewProjection } from '../../../projections/job-view/job-view.projection.js';
import type { PrinterDocument } from '../../../projections/printers/printers.js';
import { printersProjection } from '../../../projections/printers/printers.projection.js';
import { webhookEndpointsProjection } from '../../../projections/webhook-endpoints/webhook-endpoints.projection.js';
import {
  deliveredTypeOf,
  type EventPlace,
  type PublicEvent,
  type PublicEventType,
  publicTypeOf,
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
import { type EventBody, eventBody } from './event-catalogue.js';
import { jobResource } from './print-job.resource.js';
import { printerResource } from './printer.resource.js';
import { webhookResource } from './webhook.resource.js';

/** Consecutive events of one stream, read once for several folds. */
export class StreamPart {
  /** @param events known already */
  constructor(
    private readonly store: EventStore,
    private readonly stream: string,
    private events: readonly RecordedEvent[] = [],
  ) {}

  /** Events with revisions from `from` to `to`; fewer if the stream ends before. @throws UnavailableError */
  async between(from: number, to: number): Promise<readonly RecordedEvent[]> {
    const [first, last] = [this.events[0], this.events.at(-1)];
    if (!first || !last || from < first.revision || to > last.revision) {
      const start = Math.min(from, first?.revision ?? from);
      const max = Math.max(to, last?.revision ?? to) - start + 1;
      this.events = await this.store.load(this.stream, { from: start, max });
    }
    return this.events.filter(({ revision }) => revision >= from && revision <= to);
  }
}

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

/** What an event changed, as it was right after the event. */
export type Resource =
  | { readonly subject: 'job'; readonly document: JobDocument }
  | { readonly subject: 'computer'; readonly document: ComputerDocument }
  | { readonly subject: 'printer'; readonly document: PrinterDocument; readonly computer: ComputerDocument };

/** A public event that is no test of a webhook. */
export interface PublicChange {
  readonly event: RecordedEvent;
  readonly type: PublicEventType;
  readonly resource: Resource;
}

export interface FoundEvent {
  readonly event: RecordedEvent;
  /** Absent if it is not wanted. */
  readonly change?: PublicChange;
}

/** All webhooks of an event render it at about the same time. */
const CACHED_EVENTS = 1_000;
const CACHED_DOCUMENTS = 4_000;
const CACHED_ACCOUNTS = 20_000;
/** Reads of streams under way for one caller. */
const READ_TOGETHER = 16;

/** Folds the streams of events into documents and renders them with the presenters of the API. */
@Injectable()
export class ProjectedPayloads extends WebhookPayloads {
  private readonly events = new LRUCache<string, PublicEvent>(growingTo(CACHED_EVENTS));
  /** Events that are asked for soon. */
  private readonly sources = new LRUCache<string, RecordedEvent>(growingTo(CACHED_EVENTS));
  /** Documents at a revision: the next event of a stream folds only the events since. */
  private readonly documents = new LRUCache<string, KnownDocument>(growingTo(CACHED_DOCUMENTS));
  /** Apart, so that a reader of the past leaves the newest documents to the fan-out. */
  private readonly earlier = new LRUCache<string, KnownDocument>(growingTo(CACHED_DOCUMENTS));
  private readonly accounts = new LRUCache<string, string>(growingTo(CACHED_ACCOUNTS));

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
    const known = this.accounts.get(stream);
    if (known !== undefined) return known;
    const first = revision === 0 ? event : (await this.store.load(stream, { max: 1 }))[0];
    const { accountId } = (first?.data ?? {}) as { readonly accountId?: string };
    if (accountId !== undefined) this.accounts.set(stream, accountId);
    return accountId;
  }

  override keep(event: RecordedEvent): void {
    this.sources.set(`${event.stream}@${event.revision}`, event);
  }

  /**
   * The events at these places, in order, each with what it changed if its type is wanted; undefined where the store
   * has no event. Reads each stream once. @throws UnavailableError
   */
  async changesAt(
    places: readonly EventPlace[],
    isWanted: (type: PublicEventType) => boolean,
  ): Promise<readonly (FoundEvent | undefined)[]> {
    const parts = await this.partsOf(places);
    const found: (FoundEvent | undefined)[] = [];
    for (const { stream, revision } of places) {
      const part = parts.get(stream)!;
      const [event] = await part.between(revision, revision);
      const type = event && publicTypeOf(event);
      const resource = type && isWanted(type) && (await this.resourceAfter(event, subjectOf(type), part));
      found.push(event && { event, ...(resource && { change: { event, type, resource } }) });
    }
    return found;
  }

  bodyOf({ event, type, resource: { subject, document } }: PublicChange): EventBody {
    return bodyOf(event, type, document, SUBJECTS[subject]);
  }

  private invalidate(): void {
    const { events, sources, documents, earlier, accounts } = this;
    for (const cache of [events, sources, documents, earlier, accounts]) cache.clear();
  }

  private async render(event: RecordedEvent): Promise<PublicEvent | undefined> {
    const eventType = deliveredTypeOf(event);
    if (!eventType) return undefined;
    const subject = SUBJECTS[subjectOf(eventType)];
    const document = await this.documentAfter(event, subject.projection, subject.keyOf(event));
    if (!document) return undefined;
    const {
      at,
      correlationId,
      traceparent = (document as Partial<JobDocument>).traceparent,
    } = event.metadata;
    const body = bytesOf(JSON.stringify(bodyOf(event, eventType, document, subject)));
    const accountId = document.account_id;
    return { eventId: event.id, eventType, accountId, at, correlationId, traceparent, body };
  }

  /** A part of each stream with all events at these places. */
  private async partsOf(places: readonly EventPlace[]): Promise<ReadonlyMap<string, StreamPart>> {
    const revisions = new Map<string, number[]>();
    for (const { stream, revision } of places) {
      const known = revisions.get(stream);
      if (known) known.push(revision);
      else revisions.set(stream, [revision]);
    }
    const streams = [...revisions];
    const parts = new Map<string, StreamPart>();
    for (let from = 0; from < streams.length; from += READ_TOGETHER) {
      const read = streams.slice(from, from + READ_TOGETHER).map(async ([stream, of]) => {
        const part = new StreamPart(this.store, stream, this.sourcesOf(stream, of));
        parts.set(stream, part);
        await part.between(of[0]!, of.at(-1)!);
      });
      await Promise.all(read);
    }
    return parts;
  }

  /** Events of the stream that were kept, if they are all of these and consecutive. */
  private sourcesOf(stream: string, revisions: readonly number[]): readonly RecordedEvent[] {
    const known = revisions.map((revision) => this.sources.get(`${stream}@${revision}`));
    const isWhole = revisions.at(-1)! - revisions[0]! === revisions.length - 1;
    return isWhole && known.every((event) => event !== undefined) ? known : [];
  }

  private async resourceAfter(
    event: RecordedEvent,
    subject: SubjectName,
    part: StreamPart,
  ): Promise<Resource | undefined> {
    const { projection, keyOf } = SUBJECTS[subject];
    const document = await this.documentAfter(event, projection, keyOf(event), part);
    if (!document) return undefined;
    if (subject !== 'printer') return { subject, document } as Resource;
    const computer = await this.documentAfter(event, computersProjection, streamId(event), part);
    return computer && ({ subject, document, computer } as Resource);
  }

  private async documentAfter(
    event: RecordedEvent,
    projection: AnyProjection,
    key: string,
    part = new StreamPart(this.store, event.stream, [event]),
  ): Promise<OwnedDocument | undefined> {
    const name = `${projection.view.name}:${key}`;
    const isPast = (this.documents.get(name)?.revision ?? 0) > event.revision;
    const cache = isPast ? this.earlier : this.documents;
    const cached = cache.get(name);
    const before = cached && cached.revision <= event.revision ? cached : undefined;
    if (before?.revision === event.revision) return before.document;
    const past = await part.between((before?.revision ?? -1) + 1, event.revision);
    const after = documentAt(projection, past, key, before) as KnownDocument | undefined;
    if (after) cache.set(name, { ...after, revision: event.revision });
    return after?.document;
  }
}

function bodyOf(event: RecordedEvent, type: PublicEventType, document: OwnedDocument, { show }: Subject) {
  const { id, revision } = event;
  const { at } = event.metadata;
  return eventBody(type, { id, revision, at, accountId: document.account_id }, show(document as never, at));
}

/** Allocated separately: a slice of Node's pool would keep the whole pool page in the cache. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
