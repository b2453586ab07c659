import type { EventMetadata } from '../../kernel/recorded-event.js';
import { EventCodec } from './event-codec.js';

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
    const codec = new EventCodec();

    expect(codec.decode({ ...place, ...codec.encode(event) })).toEqual({ ...place, ...event });
  });

  it('upcasts old data to the newest version', () => {
    const codec = new EventCodec({
      Renamed: [(data) => ({ name: Object.values(data).join(' ') }), (data) => ({ ...data, renamed: true })],
    });
    const decoded = codec.decode({ ...place, ...codec.encode(event) });

    expect(decoded.data).toEqual({ name: 'Ada L', renamed: true });
    expect(decoded.metadata).toEqual({ ...metadata, schemaVersion: 3 });
  });

  it('keeps data of the newest version', () => {
    const codec = new EventCodec({ Renamed: [() => ({ lifted: true })] });
    const newest = { ...event, metadata: { ...metadata, schemaVersion: 2 } };

    expect(codec.decode({ ...place, ...codec.encode(newest) }).data).toEqual(event.data);
  });

  it('keeps the metadata of each event separate', () => {
    const codec = new EventCodec();
    const other = { ...event, metadata: { ...metadata, correlationId: 'correlation-2' } };
    const texts = [event, other, event].map((one) => codec.encode(one));

    expect(texts.map((text) => codec.decode({ ...place, ...text }).metadata)).toEqual([
      metadata,
      other.metadata,
      metadata,
    ]);
  });
});
