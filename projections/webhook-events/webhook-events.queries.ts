import { Injectable } from '@nestjs/common';
import type { PublicEventType } from '../../src/contexts/webhooks/domain/endpoint.events.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { Instant } from '../../src/kernel/time.js';
import { EventStore } from '../../src/ports/event-store.port.js';
import { documentAt } from './document-at.js';
import { payloadOf } from './payload.js';
import { Recent } from './recent.js';
import { deliveredTypeOf } from './stored-to-public.js';
import { subjectOf, type Subject } from './subjects.js';

/** A public event, ready to be sent: the same bytes whenever it is asked for. */
export interface PublicEvent {
  readonly eventId: string;
  readonly eventType: PublicEventType;
  readonly accountId: string;
  /** When it happened, and in the course of what. */
  readonly at: Instant;
  readonly correlationId: string;
  readonly body: Buffer;
}

export interface EventPlace {
  readonly stream: string;
  readonly revision: number;
}

interface Shown {
  readonly document: AccountDocument;
  readonly revision: number;
}
type AccountDocument = { readonly account_id: string };

/** An event is sent to all its webhooks at about the same time. */
const CACHED_EVENTS = 1_000;
const CACHED_DOCUMENTS = 4_000;
const CACHED_ACCOUNTS = 20_000;

/** Public events, made of the streams they happened in: a payload is never stored. */
@Injectable()
export class WebhookEventQueries {
  private readonly events = new Recent<PublicEvent>(CACHED_EVENTS);
  /** Documents by view and key as they were at a revision: the next event of a stream needs only what is new. */
  private readonly documents = new Recent<Shown>(CACHED_DOCUMENTS);

  private readonly accounts = new Recent<string>(CACHED_ACCOUNTS);

  constructor(private readonly store: EventStore) {}

  /** Undefined when nobody is told of what happened there. */
  async publicEventAt({ stream, revision }: EventPlace): Promise<PublicEvent | undefined> {
    const known = this.events.get(`${stream}@${revision}`);
    if (known) return known;
    const [event] = await this.store.load(stream, { from: revision, max: 1 });
    return event && this.publicEventOf(event);
  }

  /** For who has the stored event at hand. */
  async publicEventOf(event: RecordedEvent): Promise<PublicEvent | undefined> {
    const place = `${event.stream}@${event.revision}`;
    const known = this.events.get(place);
    if (known) return known;
    const type = deliveredTypeOf(event);
    const document = type && (await this.documentAfter(subjectOf(type), event));
    if (!type || !document) return undefined;
    const body = bytesOf(JSON.stringify(payloadOf(type, event, document)));
    const { at, correlationId } = event.metadata;
    const { account_id: accountId } = document;
    const made = { eventId: event.id, eventType: type, accountId, at, correlationId, body };
    this.events.set(place, made);
    return made;
  }

  /** Whose event it is, without making a payload: every stream told of belongs to one account for ever. */
  async accountOf(event: RecordedEvent): Promise<string | undefined> {
    const { stream } = event;
    const known = this.accounts.get(stream);
    if (known !== undefined) return known;
    const first = event.revision === 0 ? event : (await this.store.load(stream, { max: 1 }))[0];
    const { accountId } = (first?.data ?? {}) as { readonly accountId?: string };
    if (accountId !== undefined) this.accounts.set(stream, accountId);
    return accountId;
  }

  private async documentAfter(subject: Subject, event: RecordedEvent): Promise<AccountDocument | undefined> {
    const key = subject.keyOf(event);
    const name = `${subject.name}:${key}`;
    const cached = this.documents.get(name);
    const before = cached && cached.revision <= event.revision ? cached : undefined;
    if (before?.revision === event.revision) return before.document;
    const from = (before?.revision ?? -1) + 1;
    const past =
      from === event.revision
        ? [event]
        : await this.store.load(event.stream, { from, max: event.revision - from + 1 });
    const document = documentAt<AccountDocument>(subject.projection, past, key, before?.document);
    if (document) this.documents.set(name, { document, revision: event.revision });
    return document;
  }
}

/** Of its own memory: a slice of Node's pool would keep all of the pool's page for as long as it is cached. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
