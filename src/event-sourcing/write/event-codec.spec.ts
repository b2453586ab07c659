import type { EventMetadata } from '../../kernel/recorded-event.js';
import { decodeEvent, encodeEvent } from './event-codec.js';

const metadata: EventMetadata = {
  actor: { kind: 'operator', id: 'operator' },
  correlationId: 'correlation-1',
  at: '2026-11-21T12:00:00.000Z',
  schemaVersion: 1,
};
const event = { id: 'event-1', type: 'Renamed', data: { first: 'Ada', last: 'L' }, metadata };
const place = {
  id: 'event-1',
  stream: 'person-1',
  revision: 3,
  position: '00000000000000000007',
  type: 'Renamed',
};

describe('encoding and decoding an event', () => {
  it('returns the stored event', () => {
    expect(decodeEvent({ ...place, ...encodeEvent(event) })).toEqual({ ...place, ...event });
  });

  it('keeps the metadata of each event separate', () => {
    const other = { ...event, metadata: { ...metadata, correlationId: 'correlation-2' } };
    const texts = [event, other, event].map(encodeEvent);

    expect(texts.map((text) => decodeEvent({ ...place, ...text }).metadata)).toEqual([
      metadata,
      other.metadata,
      metadata,
    ]);
  });
});
