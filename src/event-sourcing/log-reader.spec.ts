import { ManualClock } from '../../test/kit/manual-clock.js';
import { metadata } from '../../test/kit/recorded.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';
import type { EventStore } from '../ports/event-store.port.js';
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
  let append: (events: readonly RecordedEvent[]) => void = () => undefined;
  let storeReads = 0;
  const store = {
    onAppended: (listener: typeof append) => {
      append = listener;
      return () => (append = () => undefined);
    },
    readAll: () => {
      storeReads++;
      return Promise.resolve([]);
    },
  } as unknown as EventStore;
  const reader = new LogReader(store, new ManualClock(), ({ type }) => type === 'Relevant');
  return {
    reader,
    append: (...events: RecordedEvent[]) => append(events),
    storeReads: () => storeReads,
    async placesAfter(place: number | undefined) {
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
    expect([await log.placesAfter(4), log.storeReads()]).toEqual([[5, 6], 0]);
    expect([await log.placesAfter(6), log.storeReads()]).toEqual([[], 1]);
  });

  it('reads the store when an event may be missing', async () => {
    log.append(event(4));
    await log.placesAfter(2);
    log.append(event(5), event(7));
    await log.placesAfter(4);
    log.append(event(1));
    await log.placesAfter(undefined);
    expect(log.storeReads()).toBe(3);
  });

  it('keeps the events after a gap', async () => {
    log.append(event(4), event(9), event(10));
    expect([await log.placesAfter(8), log.storeReads()]).toEqual([[9, 10], 0]);
  });

  it('drops its buffer when too many events wait', async () => {
    log.append(...many(1_500));
    log.append(...many(1_500, 1_500));
    await log.placesAfter(0);
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
