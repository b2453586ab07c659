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

  it('is where the subscription began, then that of the event before', () => {
    pending.add([event(30), event(70)]);
    expect([before(0), before(1)]).toEqual([10, 30]);
  });

  it('is that of the last dropped event', () => {
    pending.add([event(30), event(70)]);
    pending.drop(1);
    expect(before(0)).toBe(30);
    pending.drop(1);
    expect(before(0)).toBe(70);
  });

  it('is empty in a log that was empty', () => {
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

  it('is where the next subscription began once all events of the earlier one are dropped', () => {
    pending.add([event(30)]);
    pending.begin(positionFromNumber(100));
    pending.drop(1);
    expect(before(0)).toBe(100);
  });
});
