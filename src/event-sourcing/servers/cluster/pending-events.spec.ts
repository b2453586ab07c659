import { metadata } from '../../../../test/kit/recorded.js';
import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import { positionFromNumber } from '../../write/event-codec.js';
import { PendingEvents } from './projected-event-store.js';

const event = (place: number): RecordedEvent => ({
  id: String(place),
  stream: 'note-1',
  revision: place,
  position: positionFromNumber(place),
  type: 'NoteWritten',
  data: {},
  metadata,
});

describe('the position before a pending event', () => {
  let pending: PendingEvents;
  const before = (index: number) => {
    const position = pending.positionBefore(index);
    return position && Number(position);
  };
  beforeEach(() => {
    pending = new PendingEvents();
    pending.begin(positionFromNumber(10));
  });

  it('is the start of the subscription, then that of the event before', () => {
    pending.add([event(30), event(70)]);
    expect([before(0), before(1)]).toEqual([10, 30]);
  });

  it('is that of the last removed event', () => {
    pending.add([event(30), event(70)]);
    pending.drop(1);
    expect(before(0)).toBe(30);
    pending.drop(1);
    expect(before(0)).toBe(70);
  });

  it('is empty in an empty log', () => {
    pending.begin(undefined);
    pending.add([event(30)]);
    expect(pending.positionBefore(0)).toBe('');
  });

  it('is unknown while events of an earlier subscription are pending', () => {
    pending.add([event(30), event(70)]);
    pending.begin(positionFromNumber(100));
    pending.add([event(130)]);
    expect([before(0), before(2)]).toEqual([undefined, undefined]);
    pending.drop(2);
    expect(before(0)).toBeUndefined();
    pending.drop(1);
    expect(before(0)).toBe(130);
  });

  it('is the start of the next subscription once all earlier events are removed', () => {
    pending.add([event(30)]);
    pending.begin(positionFromNumber(100));
    pending.drop(1);
    expect(before(0)).toBe(100);
  });
});
