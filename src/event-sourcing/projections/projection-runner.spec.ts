import { OutdatedPositionError } from '../../kernel/errors.js';
import type { Projection } from '../../kernel/projection.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import { plus } from '../../kernel/time.js';
import { NOON } from '../../../test/kit/recorded.js';
import {
  beforeTime,
  creationPositionFrom,
  creationPositionOf,
  eventPositionIn,
  rowIn,
} from './creation-order.js';
import { ProjectionRunner, type StoredDocument } from './projection-runner.js';

interface Count {
  readonly n: number;
}

const counting: Projection<Count> = {
  view: { name: 'counting', version: 1, indexes: [] },
  handles: ['Counted', 'Reset', 'Spread'],
  keysOf: ({ type }) => (type === 'Spread' ? ['x', 'y'] : ['x']),
  apply: (count, { type }) => (type === 'Reset' ? undefined : { n: (count?.n ?? 0) + 1 }),
};

const event = (place: number, revision: number, type = 'Counted') =>
  ({ type, revision, position: String(place).padStart(20, '0'), metadata: { at: NOON } }) as RecordedEvent;

const stored = (n: number, revision: number): StoredDocument => ({
  document: { n },
  revision,
  creationPosition: creationPositionOf(event(1, 0), 0),
});

function fold(before: StoredDocument | undefined, ...events: RecordedEvent[]) {
  const loads: string[] = [];
  const runner = new ProjectionRunner([counting], (_, id) => {
    loads.push(id);
    return before;
  });
  return { loads, writes: runner.fold(events) };
}

describe('folding a batch of events', () => {
  it('loads each document once and yields one write for it', () => {
    const { loads, writes } = fold(stored(5, 4), event(7, 5), event(8, 6), event(9, 7));

    expect(loads).toEqual(['x']);
    expect(writes).toEqual([
      { view: counting.view, id: 'x', before: stored(5, 4), after: { ...stored(8, 7) }, seen: 7 },
    ]);
  });

  it('ignores events that are already folded', () => {
    expect(fold(stored(5, 6), event(7, 5), event(8, 6)).writes).toEqual([]);
    expect(fold(stored(5, 6), event(8, 6), event(9, 7)).writes).toMatchObject([{ after: { revision: 7 } }]);
  });

  it('looks nothing up for the first event of a stream', () => {
    const { loads, writes } = fold(stored(5, 6), event(7, 0));

    expect(loads).toEqual([]);
    expect(writes).toMatchObject([{ before: undefined, after: { revision: 0, document: { n: 1 } } }]);
  });

  it('positions documents by their first event and an ordinal', () => {
    const { writes } = fold(undefined, event(7, 3, 'Spread'), event(8, 4));

    expect(writes.map(({ id, after }) => [id, after?.creationPosition])).toEqual([
      ['x', creationPositionOf(event(7, 3), 0)],
      ['y', creationPositionOf(event(7, 3), 1)],
    ]);
  });

  it('yields nothing for a document created and deleted within the batch', () => {
    expect(fold(undefined, event(7, 3), event(8, 4, 'Reset')).writes).toEqual([]);
    expect(fold(stored(1, 2), event(7, 3, 'Reset')).writes).toMatchObject([{ id: 'x', after: undefined }]);
    const again = fold(stored(1, 2), event(7, 3, 'Reset'), event(8, 4)).writes;
    expect(again).toMatchObject([
      { after: { document: { n: 1 }, creationPosition: creationPositionOf(event(8, 4), 0) } },
    ]);
  });

  it('yields a tombstone for such a document on request', () => {
    const runner = new ProjectionRunner([counting], () => undefined, { tombstones: true });
    const writes = runner.fold([event(7, 0), event(8, 1, 'Reset'), event(9, 2, 'Reset')]);
    expect(writes).toEqual([{ view: counting.view, id: 'x', before: undefined, after: undefined, seen: 2 }]);
    expect(runner.fold([event(7, 3, 'Reset')])).toEqual([]);
  });

  it('creates a deleted document anew, without its earlier state', () => {
    const tombstone = { document: undefined, revision: 5 };
    const runner = new ProjectionRunner([counting], () => tombstone, { tombstones: true });
    expect(runner.fold([event(7, 4), event(8, 5)])).toEqual([]);
    expect(runner.fold([event(7, 5), event(8, 6)])).toMatchObject([
      {
        before: undefined,
        after: { document: { n: 1 }, creationPosition: creationPositionOf(event(8, 4), 0) },
      },
    ]);
  });

  it('ignores events that no projection handles', () => {
    const { loads, writes } = fold(undefined, event(7, 3, 'Nothing'));
    expect([...loads, ...writes]).toEqual([]);
  });
});

describe('a creation position', () => {
  const at = (time: string, place: number, ordinal = 0) =>
    creationPositionOf({ ...event(place, 0), metadata: { at: time } }, ordinal);

  it('compares as text by time, position and ordinal', () => {
    const later = plus(NOON, 1);
    const inOrder = [at(NOON, 9), at(NOON, 10), at(NOON, 10, 2), at(later, 1), at(later, 2)];
    expect([...inOrder].reverse().sort()).toEqual(inOrder);
    expect(inOrder.filter((position) => position < beforeTime(later))).toEqual(inOrder.slice(0, 3));
    expect(() => at(NOON, 42, 10_000)).toThrow('at most 10000 documents');
  });

  it('has the position of the event, and a row of embedded stores', () => {
    expect(eventPositionIn(at(NOON, 42, 7))).toBe(event(42, 0).position);
    expect(rowIn(at(NOON, 42, 7))).toEqual({ created: Date.parse(NOON), row: 420_007 });
    expect(creationPositionFrom(rowIn(at(NOON, 42, 7)))).toBe(at(NOON, 42, 7));
  });

  it('is refused in the form of earlier releases', () => {
    expect(() => rowIn('000000000000000000420007')).toThrow(OutdatedPositionError);
  });
});
