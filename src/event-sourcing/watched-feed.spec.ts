import { armed, begin, written } from '../../test/contract/sample-appends.js';
import { Faults } from '../../test/kit/faults.js';
import { FakeRemoteEventStore } from '../../test/kit/fakes/remote-event-store.js';
import { ManualClock } from '../../test/kit/manual-clock.js';
import { passing, settled } from '../../test/kit/settled.js';
import { TestEventStore } from '../../test/kit/stores.js';
import type { FeedBatch, RemoteEventStore } from './ports/remote-event-store.port.js';
import { watchedFeed } from './watched-feed.js';

/** A consumer of a watched feed; `consume` is called with the streams of each batch. */
async function following(
  consume: (streams: readonly string[]) => Promise<void> = async () => undefined,
  types?: readonly string[],
  broken: (remote: Faults<RemoteEventStore>) => void = () => undefined,
) {
  const clock = new ManualClock();
  const log = new TestEventStore();
  const remote = new Faults<RemoteEventStore>(new FakeRemoteEventStore(log));
  broken(remote);
  const ending = new AbortController();
  const received: string[] = [];
  let silences = 0;
  const feed = watchedFeed(remote.port, {
    ...{ clock, max: 100, signal: ending.signal, ...(types && { types }) },
    onSilent: () => silences++,
  });
  const done = (async () => {
    for await (const { events } of feed) {
      const streams = events.map(({ stream }) => stream);
      received.push(...streams);
      await consume(streams);
    }
  })();
  done.catch(() => undefined); // `stop` rejects with it.
  await settled();
  const write = (n: number, event = written()) => log.append(begin(`note-${n}`, event));
  const stop = async () => {
    ending.abort();
    await done;
  };
  return { clock, remote, received: received, write, stop, silences: () => silences };
}

describe('a watched subscription', () => {
  it('delivers each event once and ends with its signal', async () => {
    const { clock, received: heard, write, stop, silences } = await following();
    await write(1);
    await passing(clock, 20_000, 1_000);
    await write(2);
    await settled();
    await stop();

    expect(heard).toEqual(['note-1', 'note-2']);
    expect(silences()).toBe(0);
  });

  it('does not restart while its consumer is busy with a batch', async () => {
    let finish: () => void = () => undefined;
    const { clock, remote, write, stop, silences } = await following((streams) =>
      streams.length === 0 ? Promise.resolve() : new Promise((resolve) => (finish = resolve)),
    );
    await write(1);
    await settled();
    await write(2);
    await passing(clock, 30_000, 1_000);

    expect([silences(), remote.calls('subscribe')]).toEqual([0, 1]);
    finish();
    await settled();
    finish();
    await stop();
  });

  it('is not silent while the log grows by events of other types only', async () => {
    const {
      clock,
      remote,
      received: heard,
      write,
      stop,
      silences,
    } = await following(undefined, ['NoteWritten']);
    await write(1);
    await settled();
    await write(2, armed('note', '2026-01-01'));
    await passing(clock, 30_000, 1_000);
    expect([heard, silences(), remote.calls('subscribe')]).toEqual([['note-1'], 0, 1]);
    await write(3);
    await settled();
    await stop();

    expect(heard).toEqual(['note-1', 'note-3']);
  });

  it('detects an older copy as soon as the store answers after an interruption', async () => {
    const { clock, write, stop } = await following(undefined, undefined, (remote) => {
      remote.distort('subscribe', interruptedAfterEvents);
      remote.refuse('end', 2);
      for (const asked of ['end', 'writeMarker'] as const) remote.distort(asked, async () => '0');
    });
    await write(1);
    await passing(clock, 1_000, 250);

    await expect(stop()).rejects.toThrow('the event store was rolled back');
  });

  it('is not restarted while the log does not answer', async () => {
    const { clock, remote, write, stop, silences } = await following();
    await write(1);
    remote.refuse('head', 5);
    await passing(clock, 30_000, 1_000);

    expect([silences(), remote.calls('subscribe')]).toEqual([0, 1]);
    await stop();
  });
});

async function* interruptedAfterEvents(feed: AsyncIterable<FeedBatch>): AsyncIterable<FeedBatch> {
  for await (const batch of feed) {
    yield batch;
    if (batch.events.length > 0) yield { ...batch, events: [], caughtUp: false, interrupted: true };
  }
}
