import { refuseUnfit, type EventCodec } from '../write/event-codec.js';
import type { Append } from '../ports/event-store.port.js';
import { checksumOf } from './log/event-rows.js';
import type { WireAppend } from './writer-messages.js';
import type { ExpectedRevision } from '../../kernel/errors.js';

/** @throws EventTooLargeError */
export function wireAppendOf({ stream, expected, events }: Append, codec: EventCodec): WireAppend {
  const encoded = events.map((event) => codec.encode(event));
  refuseUnfit(encoded);
  const from = firstRevision(expected);
  return {
    stream,
    expected: from - 1,
    ids: events.map(({ id }) => id),
    types: events.map(({ type }) => type),
    data: encoded.map(({ data }) => data),
    metadata: encoded.map(({ metadata }) => metadata),
    checksums: events.map(({ id, type }, n) =>
      checksumOf({ id, stream, revision: from + n, type, ...encoded[n]! }),
    ),
  };
}

export function firstRevision(expected: ExpectedRevision): number {
  return expected === 'no_stream' ? 0 : expected + 1;
}
