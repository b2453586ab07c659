import { ManualClock } from '../../test/kit/manual-clock.js';
import { metadata } from '../../test/kit/recorded.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';
import type { EventStore, LogListener } from './ports/event-store.port.js';
import { LogReader } from './log-reader.js';
import { positionFromNumber } from './write/event-codec.js';

const event = (place: number, type = 'JobQueued'): RecordedEvent => ({
  id: String(place),
  stream: 'job-1',
  revision: place,
  position: positionFromNumber(place),
  type,
  data: {},
  metadata,
});
const many = (count: number, from = 0) => Array.from({ length: count }, (_, n) => event(from + n));

/** Commits reach the reader; reads of the store are counted and find nothing. */
function readerOfCommits() {
  let listener: LogListener = {};
  let storeReads = 0;
  const store = {
    listen: (added: LogListener) => {
      listener = added;
      return () => (listener = {});
    },
    readAll: () => {
      storeReads++;
      return Promise.resolve([]);
    },
  } as unknown as EventStore;
  const clock = new ManualClock();
  const reader = new LogReader(store, clock, ({ type }) => type === 'Relevant');
  return {
    reader,
    clock,
    append: (...events: RecordedEvent[]) => listener.appended?.(events),
    appendAfter: (place: number, ...events: RecordedEvent[]) =>
      listener.appended?.(events, positionFromNumber(place)),
    appendAtStart: (...events: RecordedEvent[]) => listener.appended?.(events, ''),
    rollBack: () => listener.rolledBack?.(),
    storeReads: () => storeReads,
    async positionsAfter(place: number | undefined) {
      const found = await reader.after(place === undefined ? undefined : positionFromNumber(place));
      return found.map(({ revision }) => revision);
    },
  };
}

describe('following the newest events', () => {
  let log: ReturnType<typeof readerOfCommits>;
  beforeEach(() => (log = readerOfCommits()));
  afterEach(() => log.reader.close());

  it('returns committed events without reading the store', async () => {
    log.append(event(4), event(5));
    log.append(event(6));
    expect([await log.positionsAfter(4), log.storeReads()]).toEqual([[5, 6], 0]);
  });

  it('reads the store behind the last event only after a timed-out wait', async () => {
    log.append(event(4, 'Relevant'), event(5));
    await log.positionsAfter(3);
    await log.reader.wait();
    expect([await log.positionsAfter(5), log.storeReads()]).toEqual([[], 0]);
    const waited = log.reader.wait();
    log.clock.advance(30_000);
    await waited;
    await log.positionsAfter(5);
    expect(log.storeReads()).toBe(1);
  });

  it('follows a store whose positions do not count events', async () => {
    log.appendAfter(10, event(30), event(70));
    log.appendAfter(70, event(200));
    expect([await log.positionsAfter(30), log.storeReads()]).toEqual([[70, 200], 0]);
    expect([await log.positionsAfter(200), log.storeReads()]).toEqual([[], 0]);
    log.appendAfter(200, event(230));
    expect([await log.positionsAfter(200), log.storeReads()]).toEqual([[230], 0]);
  });

  it('keeps all events of a report from the start of the log', async () => {
    log.appendAtStart(event(30), event(70));
    expect([await log.positionsAfter(10), log.storeReads()]).toEqual([[30, 70], 0]);
  });

  it('returns events reported twice only once', async () => {
    log.appendAfter(10, event(30), event(70));
    await log.positionsAfter(10);
    log.appendAfter(10, event(30), event(70), event(90));
    expect([await log.positionsAfter(70), log.storeReads()]).toEqual([[90], 0]);
  });

  it('reads the store after a gap between two reports', async () => {
    log.appendAfter(10, event(30));
    log.appendAfter(50, event(70));
    await log.positionsAfter(10);
    expect(log.storeReads()).toBe(1);
  });

  it('reads the store again after a failure', async () => {
    log.append(event(4), event(5));
    await log.positionsAfter(3);
    await log.positionsAfter(3);
    expect(log.storeReads()).toBe(1);
  });

  it('drops the events of a rolled-back log', async () => {
    log.append(event(4), event(5));
    log.rollBack();
    await log.positionsAfter(3);
    expect(log.storeReads()).toBe(1);
  });

  it('reads the store when an event may be missing', async () => {
    log.append(event(4));
    await log.positionsAfter(2);
    log.append(event(5), event(7));
    await log.positionsAfter(4);
    log.append(event(1));
    await log.positionsAfter(undefined);
    expect(log.storeReads()).toBe(3);
  });

  it('keeps the events after a gap', async () => {
    log.append(event(4), event(9), event(10));
    expect([await log.positionsAfter(8), log.storeReads()]).toEqual([[9, 10], 0]);
  });

  it('drops its buffer when too many events wait', async () => {
    log.append(...many(1_500));
    log.append(...many(1_500, 1_500));
    await log.positionsAfter(0);
    expect(log.storeReads()).toBe(1);
  });
});

describe('waiting for commits', () => {
  let log: ReturnType<typeof readerOfCommits>;
  beforeEach(() => (log = readerOfCommits()));
  afterEach(() => log.reader.close());
  /** Whether this wait is over by now. */
  const isOver = async (waited: Promise<void>) => {
    let over = false;
    void waited.then(() => (over = true));
    await new Promise((resolve) => setImmediate(resolve));
    return over;
  };

  it('wakes for a relevant event, also one committed before the wait', async () => {
    log.append(event(1, 'Relevant'));
    expect(await isOver(log.reader.wait())).toBe(true);
    expect(await isOver(log.reader.wait())).toBe(false);
  });

  it('wakes for irrelevant events once more than 256 wait', async () => {
    const waited = log.reader.wait();
    log.append(...many(256));
    expect(await isOver(waited)).toBe(false);
    log.append(event(256));
    expect(await isOver(waited)).toBe(true);
  });

  it('stops waiting when it is closed', async () => {
    const waited = log.reader.wait();
    log.reader.close();
    expect(await isOver(waited)).toBe(true);
    expect(await isOver(log.reader.wait())).toBe(true);
  });
});
