import {
  POSITION_DIGITS,
  type EventMetadata,
  type Position,
  type RecordedEvent,
} from '../../kernel/recorded-event.js';
import type { NewEvent } from '../ports/event-store.port.js';
import type { StoredText } from '../ports/stored-texts.port.js';
import { CorruptEventError, EventTooLargeError, type ExpectedRevision } from '../../kernel/errors.js';

export type EncodedEvent = Pick<StoredText, 'data' | 'metadata'>;

/** Events of one append share their metadata: most often it is that of the event before. */
let lastEncoded: { readonly metadata: EventMetadata; readonly text: string } | undefined;
let lastDecoded: { readonly metadata: EventMetadata; readonly text: string } | undefined;

export function encodeEvent({ data, metadata }: NewEvent): EncodedEvent {
  if (lastEncoded?.metadata !== metadata) lastEncoded = { metadata, text: JSON.stringify(metadata) };
  return { data: JSON.stringify(data), metadata: lastEncoded.text };
}

/** @throws CorruptEventError */
export function decodeEvent(row: StoredText): RecordedEvent {
  const { id, stream, revision, position, type } = row;
  try {
    const metadata = metadataOf(row.metadata);
    return { id, stream, revision, position, type, data: JSON.parse(row.data) as object, metadata };
  } catch (cause) {
    throw new CorruptEventError(stream, revision, position, { cause });
  }
}

function metadataOf(text: string): EventMetadata {
  if (lastDecoded?.text !== text)
    lastDecoded = { text, metadata: Object.freeze(JSON.parse(text)) as EventMetadata };
  return lastDecoded.metadata;
}

export function positionFromNumber(place: number | bigint): Position {
  return String(place).padStart(POSITION_DIGITS, '0');
}

/** Of the first event of an append. */
export function firstRevision(expected: ExpectedRevision): number {
  return expected === 'no_stream' ? 0 : expected + 1;
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
