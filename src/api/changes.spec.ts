import type { EventStore, LogIndex } from '../event-sourcing/index.js';
import type { Cursors } from '../http/cursors.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';
import { ManualClock } from '../../test/kit/manual-clock.js';
import { ChangeCursors } from './change-cursors.js';
import { Changes, type ChangesReader } from './changes.js';
import type { ProjectedPayloads } from './resources/projected-payloads.js';

const reader: ChangesReader = {
  owner: 'account',
  surface: 'integration',
  isWanted: () => true,
  show: () => ({}),
  isStillValid: () => Promise.resolve(true),
  payer: 'account',
  holder: 'account',
  hasLeft: () => false,
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

describe('reading a long page', () => {
  /** Of an index with 200 events of each owner, whose reads answer when they are let go. */
  function longIndex() {
    const begun: string[] = [];
    const waiting: (() => void)[] = [];
    const events = Array.from({ length: 200 }, (_, n) => String(n).padStart(4, '0')).map((position) => {
      const event = { stream: 's', revision: 0, id: position, position, metadata: { at: start.at } };
      return event as unknown as RecordedEvent;
    });
    const after = async (owner: string, position: string, max: number) => {
      begun.push(owner);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return events.filter((event) => event.position > position).slice(0, max);
    };
    const index = { end: '0199', after, listen: () => () => undefined } as unknown as LogIndex;
    const store = { listen: () => () => undefined } as unknown as EventStore;
    const changesAt = (entries: readonly RecordedEvent[]) =>
      Promise.resolve(entries.map((event) => ({ event, change: {} })));
    const cursors = { after: (_: object, { position }: RecordedEvent) => ({ ...start, position }) };
    const changes = new Changes(
      index,
      cursors as unknown as ChangeCursors,
      { changesAt } as unknown as ProjectedPayloads,
      store,
      new ManualClock(),
    );
    /** Ends the reads under way, and lets the next begin. */
    const go = async () => {
      for (const end of waiting.splice(0)) end();
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    };
    return { changes, begun, go };
  }

  const first = { ...start, position: '' };
  const readers = (payer: string) => ({ ...reader, owner: payer, payer });

  it('is one read of the account at a time, in parts between which other accounts read', async () => {
    const { changes, begun, go } = longIndex();
    const pages = [200, 199, 198].map((limit) => changes.read(readers('many'), first, limit));
    await go();
    const other = changes.read(readers('other'), first, 1);
    expect(begun).toEqual(['many']);
    await go();
    expect(begun).toEqual(['many', 'other', 'many']);
    for (let part = 0; part < 20; part++) await go();
    expect((await other).items).toHaveLength(1);
    expect((await Promise.all(pages)).map(({ items }) => items.length)).toEqual([200, 199, 198]);
  });

  it('ends once the client is gone', async () => {
    const { changes, begun, go } = longIndex();
    let isGone = false;
    const page = changes.read({ ...readers('many'), hasLeft: () => isGone }, first, 200);
    await go();
    isGone = true;
    await go();
    await go();
    expect(await page).toMatchObject({ hasMore: true });
    expect(begun.length).toBeLessThan(3);
  });
});
