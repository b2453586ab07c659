import type { EventStore, LogIndex } from '../event-sourcing/index.js';
import type { Cursors } from '../http/cursors.js';
import { ManualClock } from '../../test/kit/manual-clock.js';
import { ChangeCursors, Changes, type ChangesReader } from './changes.js';
import type { ProjectedPayloads } from './resources/projected-payloads.js';

const reader: ChangesReader = {
  owner: 'account',
  surface: 'integration',
  isWanted: () => true,
  show: () => ({}),
  isStillValid: () => Promise.resolve(true),
};
const start = { cursor: 'sealed', position: '0002', at: '2026-11-26T12:00:00.000Z' };

/** Of an index that was read up to this position. */
function changesUpTo(end: string, endAfterwards = end) {
  const asked: string[] = [];
  const after = (_: string, position: string) => {
    asked.push(position);
    index.end = endAfterwards;
    return Promise.resolve([]);
  };
  const index = { end, after, listen: () => () => undefined };
  const events = { listen: () => () => undefined } as unknown as EventStore;
  const cursors = new ChangeCursors({} as Cursors, events);
  const changes = new Changes(
    index as unknown as LogIndex,
    cursors,
    {} as ProjectedPayloads,
    events,
    new ManualClock(),
  );
  return { changes, asked };
}

describe('reading changes again after nothing was found', () => {
  it('looks only at what has come since, with the same cursor', async () => {
    const { changes, asked } = changesUpTo('0007');
    const { next, hasMore } = await changes.read(reader, start, 100);
    await changes.read(reader, next, 100);
    expect({ next, hasMore }).toEqual({ next: { ...start, position: '0007' }, hasMore: false });
    expect(asked).toEqual(['0002', '0007']);
  });

  it('passes by nothing when the index is opened anew meanwhile', async () => {
    const { changes } = changesUpTo('0009', '0003');
    expect((await changes.read(reader, start, 100)).next.position).toBe('0003');
  });

  it('is needed only once the index has gone on', async () => {
    for (const [end, isEnd] of [
      ['0007', true],
      ['0008', false],
    ] as const) {
      const { changes } = changesUpTo('0007', end);
      expect(changes.isEndOf((await changes.read(reader, start, 100)).next)).toBe(isEnd);
    }
  });

  it('never goes back to where the index is', async () => {
    const { changes } = changesUpTo('0001');
    expect((await changes.read(reader, start, 100)).next).toEqual(start);
  });
});

describe('opening the cursor of a wait that saw nothing', () => {
  const event = { id: 'id', position: '0002', metadata: { at: start.at } };
  /** @param period of hearing, in which the wait began */
  function opened(period: object | undefined) {
    const hearing: { period: object | undefined; loads: number } = { period, loads: 0 };
    const events = {
      hearing: () => hearing.period,
      load: async () => {
        hearing.loads++;
        return [event];
      },
    } as unknown as EventStore;
    const sealed = { open: () => 'job-1 0 id' } as unknown as Cursors;
    const cursors = new ChangeCursors(sealed, events);
    cursors.keep(reader, { ...start, position: '0007' }, cursors.period);
    return { hearing, open: (of = reader) => cursors.open(of, start.cursor) };
  }

  it('goes on where it ended, without reading an event', async () => {
    const { hearing, open } = opened({});
    expect(await open()).toEqual({ ...start, position: '0007' });
    expect(hearing.loads).toBe(0);
  });

  it('reads its event again after an interruption, in which the log may have been rolled back', async () => {
    const { hearing, open } = opened({});
    hearing.period = {};
    expect(await open()).toEqual(start);
    hearing.period = undefined;
    expect(await open()).toEqual(start);
    expect(hearing.loads).toBe(2);
  });

  it('keeps nothing while events may be missed', async () => {
    expect(await opened(undefined).open()).toEqual(start);
  });

  it('is of its owner alone', async () => {
    const { hearing, open } = opened({});
    await open({ ...reader, owner: 'another' });
    expect(hearing.loads).toBe(1);
  });
});
