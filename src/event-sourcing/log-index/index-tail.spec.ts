import { positionFromNumber } from '../write/event-codec.js';
import { IndexTail } from './index-tail.js';

const at = positionFromNumber;
const event = (n: number) => ({ position: at(n), stream: 'note-1', revision: n, id: `event-${n}` });

describe('the tail of the log index', () => {
  it('ignores events that were stored by another instance while they were read', () => {
    const tail = new IndexTail('');
    tail.add(event(1), ['a']);
    tail.drop(at(3));
    for (const n of [2, 3, 4]) tail.add(event(n), ['a']);
    expect(tail.after('a', '', 9).map(({ revision }) => revision)).toEqual([4]);
    expect([tail.size, tail.end]).toEqual([1, at(4)]);
  });
});
