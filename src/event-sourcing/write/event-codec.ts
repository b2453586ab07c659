import type { EventMetadata, Position, RecordedEvent } from '../../kernel/recorded-event.js';
import type { NewEvent } from '../ports/event-store.port.js';
import { CorruptEventError, EventTooLargeError } from '../../kernel/errors.js';

/** Converts data to the next schema version. Pure. */
export type Upcaster = (data: object) => object;

/** By event type: the first converts version 1 to 2, the second 2 to 3, and so on. */
export type Upcasters = Readonly<Record<string, readonly Upcaster[]>>;

export interface EncodedEvent {
  readonly data: string;
  readonly metadata: string;
}

export interface StoredRow extends EncodedEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly type: string;
}

/** Reads every stored schema version as the newest. */
export class EventCodec {
  /** Events of one append share their metadata: most often it is that of the event before. */
  private lastEncoded: { metadata: EventMetadata; text: string } | undefined;
  private lastDecoded: { text: string; metadata: EventMetadata } | undefined;

  constructor(private readonly upcasters: Upcasters = {}) {}

  encode(event: NewEvent): EncodedEvent {
    if (this.lastEncoded?.metadata !== event.metadata) {
      this.lastEncoded = { metadata: event.metadata, text: JSON.stringify(event.metadata) };
    }
    return { data: JSON.stringify(event.data), metadata: this.lastEncoded.text };
  }

  /** @throws CorruptEventError */
  decode(row: StoredRow): RecordedEvent {
    const { id, stream, revision, position, type } = row;
    try {
      const metadata = this.metadataOf(row.metadata);
      const data = JSON.parse(row.data) as object;
      return this.lift({ id, stream, revision, position, type, data, metadata });
    } catch (cause) {
      throw new CorruptEventError(stream, revision, position, { cause });
    }
  }

  lift(event: RecordedEvent): RecordedEvent {
    const { type, data, metadata } = event;
    const steps = this.upcasters[type]?.slice(metadata.schemaVersion - 1);
    if (!steps?.length) return event;
    return {
      ...event,
      data: steps.reduce((older, upcast) => upcast(older), data),
      metadata: { ...metadata, schemaVersion: metadata.schemaVersion + steps.length },
    };
  }

  private metadataOf(text: string): EventMetadata {
    if (this.lastDecoded?.text !== text) {
      this.lastDecoded = { text, metadata: Object.freeze(JSON.parse(text)) as EventMetadata };
    }
    return this.lastDecoded.metadata;
  }
}

const POSITION_DIGITS = 20;

export function positionFromNumber(place: number | bigint): Position {
  return String(place).padStart(POSITION_DIGITS, '0');
}

/** Default limit of an EventStoreDB append up to v25.0, applied by every store. */
export const MAX_APPEND_BYTES = 1_048_576;

/** @throws EventTooLargeError; RangeError for an append without events */
export function refuseUnfit(events: readonly EncodedEvent[]): void {
  if (events.length === 0) throw new RangeError('an append holds at least one event');
  let bytes = 0;
  for (const { data, metadata } of events) bytes += Buffer.byteLength(data) + Buffer.byteLength(metadata);
  if (bytes > MAX_APPEND_BYTES) throw new EventTooLargeError(MAX_APPEND_BYTES);
}
