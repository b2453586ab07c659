import { metadata } from '../../../../test/kit/recorded.js';
import { positionFromNumber } from '../../../event-sourcing/write/event-codec.js';
import { Tail } from './tail.js';

const event = (place: number) => ({
  id: String(place),
  stream: 'job-1',
  revision: place,
  position: positionFromNumber(place),
  type: 'JobQueued',
  data: {},
  metadata,
});
const placesAfter = (tail: Tail, place: number | undefined) =>
  tail.after(place === undefined ? undefined : positionFromNumber(place))?.map(({ revision }) => revision);

describe('following the newest events', () => {
  it('hands out what comes right after the place it is asked about', () => {
    const tail = new Tail();
    tail.add([event(4), event(5)]);
    tail.add([event(6)]);
    expect(placesAfter(tail, 4)).toEqual([5, 6]);
    expect(placesAfter(tail, 6)).toBeUndefined();
  });

  it('says that it does not know when something may be missing', () => {
    const tail = new Tail();
    tail.add([event(4)]);
    expect(placesAfter(tail, 2)).toBeUndefined();
    tail.add([event(5), event(7)]);
    expect(placesAfter(tail, 4)).toBeUndefined();
    tail.add([event(1)]);
    expect(placesAfter(tail, undefined)).toBeUndefined();
  });

  it('keeps what follows a gap, for whoever has read up to it', () => {
    const tail = new Tail();
    tail.add([event(4), event(9), event(10)]);
    expect(placesAfter(tail, 8)).toEqual([9, 10]);
  });

  it('lets go of everything when too much waits', () => {
    const tail = new Tail();
    tail.add(Array.from({ length: 1_500 }, (_, n) => event(n)));
    tail.add(Array.from({ length: 1_500 }, (_, n) => event(1_500 + n)));
    expect(placesAfter(tail, 0)).toBeUndefined();
  });
});
