import { begin, written } from '../../../../test/contract/sample-appends.js';
import { FakeReadProgress, FakeReadStore } from '../../../../test/kit/fakes/read-store.js';
import { FakeRemoteEventStore } from '../../../../test/kit/fakes/remote-event-store.js';
import { Faults } from '../../../../test/kit/faults.js';
import { ManualClock } from '../../../../test/kit/manual-clock.js';
import { settled } from '../../../../test/kit/settled.js';
import { TestEventStore } from '../../../../test/kit/stores.js';
import { TooFarBehindError } from '../../../kernel/errors.js';
import type { FeedBatch, RemoteEventStore } from '../../ports/remote-event-store.port.js';
import { FollowedTypes } from './followed-types.js';
import { ProjectedEventStore } from './projected-event-store.js';

const nothing = { events: [], position: undefined } as const;
const CAUGHT_UP: FeedBatch = { ...nothing, caughtUp: true, interrupted: false };
const INTERRUPTED: FeedBatch = { ...nothing, caughtUp: false, interrupted: true };

/** A store whose subscription delivers what `deliver` is given. */
async function world({ stored = 0 } = {}) {
  const clock = new ManualClock();
  const log = new TestEventStore();
  for (let n = 0; n < stored; n++) await log.append(begin(`early-${n}`, written()));
  const read = new FakeReadStore();
  read.state = { position: undefined, epoch: 1 };
  const remote = new Faults<RemoteEventStore>(new FakeRemoteEventStore(log));
  let deliver: (batch: FeedBatch) => void = () => undefined;
  remote.distort('subscribe', async function* () {
    for (;;) yield await new Promise<FeedBatch>((resolve) => (deliver = resolve));
  });
  const store = new ProjectedEventStore(remote.port, new FakeReadProgress(read, clock), {
    ...{ clock, onError: () => undefined, types: new FollowedTypes(['NoteWritten'], []) },
  });
  await settled();
  return {
    ...{ log, store },
    deliver: async (batch: FeedBatch) => {
      deliver(batch);
      await settled();
    },
    /** Everything in the log is delivered. */
    heard: async (from = 0) => {
      const events = log.everything().slice(from);
      deliver({ ...CAUGHT_UP, events, position: events.at(-1)!.position });
      await settled();
    },
  };
}

describe('hearing of the events of all instances', () => {
  it('begins when the subscription has caught up, and anew after an interruption', async () => {
    const { store, deliver } = await world();
    expect(store.hearing()).toBeUndefined();
    await deliver(CAUGHT_UP);
    const first = store.hearing();
    expect(first).toBeDefined();
    await deliver(CAUGHT_UP);
    expect(store.hearing()).toBe(first);
    await deliver(INTERRUPTED);
    expect(store.hearing()).toBeUndefined();
    await deliver(CAUGHT_UP);

    expect(store.hearing()).toBeDefined();
    expect(store.hearing()).not.toBe(first);
  });

  it('pauses while the subscription delivers older events', async () => {
    const { store, deliver } = await world();
    await deliver(CAUGHT_UP);
    const first = store.hearing();
    await deliver({ ...CAUGHT_UP, caughtUp: false });
    expect(store.hearing()).toBeUndefined();
    expect(store.heardAfter('')).toBeUndefined();
    await deliver(CAUGHT_UP);

    expect(store.hearing()).toBe(first);
  });

  it('tells the events after a position, once the views show those from before', async () => {
    const { log, store, deliver, heard } = await world({ stored: 2 });
    await deliver(CAUGHT_UP);
    await log.append(begin('note-1', written()));
    await heard(2);
    const [first, second] = log.everything().map(({ position }) => position);
    expect(store.heardAfter(first)).toBeUndefined();
    expect(store.heardAfter(second)?.map(({ stream }) => stream)).toEqual(['note-1']);
    await deliver(INTERRUPTED);

    expect(store.heardAfter(second)).toBeUndefined();
  });

  it('tells any number of events that no view shows, and fails if it may have missed some', async () => {
    const { log, store, deliver, heard } = await world();
    await expect(store.unprojected()).rejects.toThrow(TooFarBehindError);
    await deliver(CAUGHT_UP);
    for (let n = 0; n < 1_500; n++) await log.append(begin(`note-${n}`, written()));
    await heard();

    expect(await store.unprojected()).toHaveLength(1_500);
  });
});
