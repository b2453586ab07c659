import type { EncodedEvent } from './event-codec.js';
import { EventTooLargeError } from '../../kernel/errors.js';

/** The default limit of an EventStoreDB append up to v25.0, kept by every store alike. */
export const MAX_APPEND_BYTES = 1_048_576;

/** @throws EventTooLargeError; RangeError for an append without events. */
export function refuseUnfit(events: readonly EncodedEvent[]): void {
  if (events.length === 0) throw new RangeError('an append holds at least one event');
  let bytes = 0;
  for (const { data, metadata } of events) bytes += Buffer.byteLength(data) + Buffer.byteLength(metadata);
  if (bytes > MAX_APPEND_BYTES) throw new EventTooLargeError(MAX_APPEND_BYTES);
}
