import { armed, begin, newEvent, written } from '../../../../test/contract/sample-appends.js';
import { Faults } from '../../../../test/kit/faults.js';
import { ManualClock } from '../../../../test/kit/manual-clock.js';
import { passing, settled } from '../../../../test/kit/settled.js';
import { soon } from '../../../../test/kit/polling.js';
import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import type { FeedBatch, RemoteEventStore } from '../../ports/remote-event-store.port.js';
import { FollowedTypes } from './followed-types.js';
import { ProjectedEventStore } from './projected-event-store.js';
import { FakeReadProgress, FakeReadStore } from '../../../../test/kit/fakes/read-store.js';
import { FakeRemoteEventStore } from '../../../../test/kit/fakes/remote-event-store.js';
import { TestEventStore } from '../../../../test/kit/stores.js';
import { CorruptEventError } from '../../../kernel/errors.js';

const note = (n: number) => begin(`note-${n}`, written());
const unhandled = (stream: string) => begin(stream, newEvent({ type: 'Unhandled', data: { text: '' } }));

async function world(distort?: (remote: Faults<RemoteEventStore>) => void) {
  const clock = new ManualClock();
  const log = new TestEventStore();
  const read = new FakeReadStore();
  read.state = { position: undefined, epoch: 1 };
  const remote = new Faults<RemoteEventStore>(new FakeRemoteEventStore(log));
  distort?.(remote);
  const errors: unknown[] = [];
  const received: string[] = [];
  const rung: string[] = [];
  const rollbacks: number[] = [];
  const begun: unknown[] = [];
  const store = new ProjectedEventStore(remote.port, new FakeReadProgress(read, clock), {
    onError: (error) => errors.push(error),
    types: new FollowedTypes(['NoteWritten'], ['TimerArmed']),
    restartMs: 0,
    clock,
  });
  store.listen({
    appended: (events) => rung.push(...streams(events)),
    remoteEvents: (events) => received.push(...streams(events)),
    subscribed: (head) => begun.push(head),
    rolledBack: () => rollbacks.push(log.everything().length),
  });
  await settled();
  const show = (position = log.everything().at(-1)!.position) => {
    read.state = { position, epoch: 1 };
    read.moved();
  };
  const appendAndShow = async (n: number) => {
    const appended = await log.append(note(n));
    await settled();
    show();
    await settled();
    return appended;
  };
  return { clock, log, remote, store, errors, received, rung, rollbacks, begun, show, appendAndShow };
}

const streams = (events: readonly RecordedEvent[]) => events.map(({ stream }) => stream);

/** Whether a promise is settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  await settled();
  return Promise.race([promise.then(() => true), Promise.resolve(false)]);
}

describe('appending', () => {
  it('is answered once projected', async () => {
    const { store, show } = await world();
    const answer = store.append(note(1));
    expect(await isSettled(answer)).toBe(false);
    show();

    expect((await answer).revision).toBe(0);
    await store.close();
  });

  it('is answered at once when no view handles its events', async () => {
    const { store } = await world();
    expect(await store.append(unhandled('note-1'))).toMatchObject({ revision: 0 });
    await store.close();
  });

  it('is answered after a second without projection', async () => {
    const { clock, store } = await world();
    const answer = store.appendInOrder([note(1), note(2)]);
    await passing(clock, 900);
    expect(await isSettled(answer)).toBe(false);
    await passing(clock, 100);
    expect(await answer).toHaveLength(2);
    await store.close();
  });

  it('is answered when durable, on request', async () => {
    const { store } = await world();
    expect(await store.append(note(1), { consistency: 'durable' })).toMatchObject({ revision: 0 });
    expect(await store.appendInOrder([note(2)], { consistency: 'durable' })).toHaveLength(1);
    expect(await store.appendInOrder([])).toEqual([]);
    await store.close();
  });

  it('lets the views be waited for later', async () => {
    const { store, show } = await world();
    const shown = store.untilShown((await store.append(note(1), { consistency: 'durable' })).events);
    expect(await isSettled(shown)).toBe(false);
    show();
    await shown;
    await store.close();
  });

  it("fails with the store's error without waiting", async () => {
    const { remote, store } = await world();
    remote.refuse('append');
    await expect(store.append(note(1))).rejects.toThrow('append is refused');
    await store.close();
  });
});

describe('notifying', () => {
  it('follows the projection of remote events in order, but passes raw events on at once', async () => {
    const { log, store, received: heard, rung, show } = await world();
    const first = await log.append(note(1));
    await log.append(note(2));
    await settled();
    expect([heard, rung]).toEqual([['note-1', 'note-2'], []]);
    await log.append(note(3));
    await settled();
    show(first.position);
    await settled();
    expect(rung).toEqual(['note-1']);
    show();
    await settled();

    expect(rung).toEqual(['note-1', 'note-2', 'note-3']);
    await store.close();
  });

  it('reports the position after which no event is missing', async () => {
    const { store, appendAndShow } = await world();
    const told: unknown[] = [];
    store.listen({
      appended: (events, after) => told.push([after, ...events.map(({ position }) => position)]),
    });
    const positions: string[] = [];
    for (const n of [1, 2]) positions.push((await appendAndShow(n)).position);

    expect(told).toEqual([
      ['', positions[0]],
      [positions[0], positions[1]],
    ]);
    await store.close();
  });

  it('happens after five seconds at the latest, and again after projection', async () => {
    const { clock, log, store, rung, show } = await world();
    await log.append(note(1));
    await passing(clock, 5_000);
    expect(rung).toEqual(['note-1']);
    await log.append(note(2));
    await passing(clock, 5_000);
    expect(rung).toEqual(['note-1', 'note-2']);
    show();
    await settled();

    expect(rung).toEqual(['note-1', 'note-2', 'note-1', 'note-2']);
    await store.close();
  });

  it('does not wait for the newest event when earlier ones are projected', async () => {
    const { clock, log, store, rung, show } = await world();
    const { position } = await log.append(note(1));
    await log.append(note(2));
    await settled();
    show(position);
    await passing(clock, 5_000);
    show();
    await settled();

    expect(rung).toEqual(['note-1', 'note-2', 'note-2']);
    await store.close();
  });

  it('happens at once for events that no view handles, and never for other types', async () => {
    const { log, store, received: heard, rung, show } = await world();
    await log.append(note(1));
    await settled();
    show();
    await log.append(unhandled('claim-1'));
    await log.append(begin('timer-1', armed('a', '2026-01-01')));
    await settled();

    expect([heard, rung]).toEqual([
      ['note-1', 'timer-1'],
      ['note-1', 'timer-1'],
    ]);
    await log.append(note(2));
    await settled();
    show();
    await settled();
    expect(rung).toEqual(['note-1', 'timer-1', 'note-2']);
    await store.close();
  });

  it('reaches other listeners when one fails', async () => {
    const { store, errors, rung, appendAndShow } = await world();
    store.listen({
      appended: () => {
        throw new Error('deaf');
      },
    });
    const late: string[] = [];
    store.listen({ appended: (events) => late.push(...streams(events)) });
    for (const n of [1, 2]) await appendAndShow(n);

    expect([rung, late]).toEqual([
      ['note-1', 'note-2'],
      ['note-1', 'note-2'],
    ]);
    expect(errors).toHaveLength(2);
    await store.close();
  });

  it('stops for a removed listener', async () => {
    const { log, store, show } = await world();
    const heard: string[] = [];
    const stop = store.listen({ appended: (events) => heard.push(...streams(events)) });
    stop();
    await log.append(note(1));
    await settled();
    show();
    await settled();
    expect(heard).toEqual([]);
    await store.close();
  });
});

describe('a subscription', () => {
  it('is restarted and reported when it fails', async () => {
    const {
      log,
      remote,
      store,
      errors,
      received: heard,
      show,
    } = await world((broken) => broken.distort('subscribe', failing));
    await soon(() => remote.calls('subscribe') === 2);
    expect(errors).toEqual([expect.any(CorruptEventError)]);
    await log.append(note(1));
    await settled();
    show();

    expect(heard).toEqual(['note-1']);
    await store.close();
  });

  it('buffers at most some thousand events', async () => {
    let handed = 0;
    const flood = async function* (): AsyncGenerator<FeedBatch> {
      for (; handed < 200;) yield batch((handed += 1));
    };
    const { clock, store, rung, show } = await world((remote) => remote.distort('subscribe', flood));
    await settled();
    expect(handed).toBe(40);
    await passing(clock, 5_000, 500);
    expect([handed, rung.length]).toEqual([40, 20_000]);
    show('9');
    await settled();

    expect(handed).toBe(200);
    await store.close();
  });

  it('ends with the store while the read models are stuck', async () => {
    const { clock, log, store } = await world();
    await log.append(note(1));
    await settled();
    await store.close();
    await log.append(note(2));
    await settled();

    await expect(store.append(note(3))).rejects.toThrow('closed');
    expect(clock.pending).toBe(1);
    await passing(clock, 5_000, 1_000);
    expect(clock.pending).toBe(0);
  });
});

async function* failing(): AsyncGenerator<FeedBatch> {
  yield { events: [], position: undefined, caughtUp: true, interrupted: false };
  throw new CorruptEventError('note-1', 0, '1');
}

function batch(n: number): FeedBatch {
  const position = String(n).padStart(20, '0');
  const events = Array.from(
    { length: 500 },
    () => ({ stream: 'note-1', type: 'NoteWritten', position }) as RecordedEvent,
  );
  return { events, position, caughtUp: false, interrupted: false };
}

describe('proving that the log is current', () => {
  it('succeeds on a node that accepts writes', async () => {
    const { remote, store } = await world();
    remote.refuse('writeMarker');
    await expect(store.proveCurrent()).rejects.toThrow('refused');
    await store.proveCurrent();

    expect(remote.calls('writeMarker')).toBe(2);
    await store.close();
  });
});

describe('reading unprojected events', () => {
  it('returns events that may not be projected yet', async () => {
    const { log, store, show } = await world();
    await log.append(note(1));
    show();
    expect(await store.unprojected()).toEqual([]);
    await log.append(note(2));
    await settled();

    expect(streams(await store.unprojected())).toEqual(['note-2']);
    await store.close();
  });

  it('skips any number of events that no view handles', async () => {
    const { log, store, show } = await world();
    await log.append(note(1));
    show();
    for (let n = 0; n <= 1_000; n++) await log.append(unhandled(`claim-${n}`));
    await store.waitUntilProjected();
    expect(await store.unprojected()).toEqual([]);
    await log.append(note(2));
    await settled();

    expect(streams(await store.unprojected())).toEqual(['note-2']);
    await store.close();
  });

  it('waits for projection up to a second', async () => {
    const { clock, log, store, show } = await world();
    await store.waitUntilProjected();
    await log.append(note(1));
    const waiting = store.waitUntilProjected();
    expect(await isSettled(waiting)).toBe(false);
    show();
    await waiting;
    await log.append(note(2));
    const inVain = expect(store.waitUntilProjected()).rejects.toThrow('too far behind');
    await passing(clock, 1_000);

    await inVain;
    await store.close();
  });
});

describe('a log that was rolled back', () => {
  it('is reported, and the subscription restarts at its end', async () => {
    const { clock, log, remote, store, received: heard, rollbacks, begun } = await world();
    const { position } = await log.append(note(1));
    await settled();
    remote.distort('head', () => Promise.resolve(undefined));
    remote.distort('end', () => Promise.resolve(undefined));
    await passing(clock, 6_000, 500);
    await soon(() => remote.calls('subscribe') === 2);
    expect(rollbacks).toEqual([1]);
    expect(begun).toEqual([undefined, position]);
    await settled();
    await log.append(note(2));
    await soon(() => heard.length === 2);

    expect(heard).toEqual(['note-1', 'note-2']);
    await store.close();
  });

  it('delays no notification by lost events', async () => {
    const { clock, log, remote, store, rung, show } = await world((broken) =>
      broken.distort('subscribe', lostEvent),
    );
    await passing(clock, 2_500, 500);
    expect(rung).toEqual(['note-lost']);
    await passing(clock, 4_000, 500);
    await soon(() => remote.calls('subscribe') === 2);
    await passing(clock, 2_500, 500);
    await log.append(note(1));
    await settled();
    show();
    await settled();

    expect(rung).toEqual(['note-lost', 'note-1']);
    await store.close();
  });
});

/** Delivers an event beyond the end of the log, then nothing until the subscription is ended. */
async function* lostEvent(feed: AsyncIterable<FeedBatch>): AsyncGenerator<FeedBatch> {
  const [event] = batch(99).events;
  yield { ...batch(99), events: [{ ...event!, stream: 'note-lost' }] };
  for await (const given of feed) if (given.interrupted) yield given;
}
