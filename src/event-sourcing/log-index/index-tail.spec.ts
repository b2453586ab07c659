import { positionFromNumber } from '../write/event-codec.js';
import { IndexTail } from './index-tail.js';

const at = positionFromNumber;
const event = (n: number) => ({ position: at(n), stream: 'note-1', revision: n, id: `event-${n}` });

const add = (tail: IndexTail, mark: ReturnType<typeof event>, owners: readonly string[]) =>
  tail.add(mark, tail.find(mark.stream) ?? tail.open(mark.stream, owners));

describe('the tail of the log index', () => {
  it('ignores events that were stored by another instance while they were read', () => {
    const tail = new IndexTail('');
    add(tail, event(1), ['a']);
    tail.drop(at(3));
    for (const n of [2, 3, 4]) add(tail, event(n), ['a']);
    expect(tail.after('a', '', 9).map(({ revision }) => revision)).toEqual([4]);
    expect([tail.size, tail.end]).toEqual([1, at(4)]);
  });
});
