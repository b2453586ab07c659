import { begin, goOn, written } from '../../../../test/contract/sample-appends.js';
import { FakeReadProgress, FakeReadStore } from '../../../../test/kit/fakes/read-store.js';
import { FakeRemoteEventStore } from '../../../../test/kit/fakes/remote-event-store.js';
import { ManualClock } from '../../../../test/kit/manual-clock.js';
import { passing, settled } from '../../../../test/kit/settled.js';
import { TestEventStore } from '../../../../test/kit/stores.js';
import { TooFarBehindError } from '../../../kernel/errors.js';
import type { Append } from '../../ports/event-store.port.js';
import { FollowedTypes } from './followed-types.js';
import { PartitionedProgress } from './partitioned-progress.js';
import { ProjectedEventStore } from './projected-event-store.js';

/** Of the first partition of two, which stands still. */
const STANDING = 'note-2';
/** Of the second one. */
const MOVING = 'note-3';

async function world() {
  const clock = new ManualClock();
  const log = new TestEventStore();
  const reads = [new FakeReadStore(), new FakeReadStore()];
  const notified: string[] = [];
  const gaps: boolean[] = [];
  const progress = new PartitionedProgress(reads.map((read) => new FakeReadProgress(read, clock)));
  const store = new ProjectedEventStore(new FakeRemoteEventStore(log), progress, {
    onError: (error) => notified.push(String(error)),
    types: new FollowedTypes(['NoteWritten'], []),
    restartMs: 0,
    clock,
  });
  store.listen({
    appended: (events, after) => {
      notified.push(...events.map(({ stream }) => stream));
      gaps.push(after === undefined);
    },
  });
  await settled();
  const head = async () => (await log.head())!;
  const show = async (partition: number, position?: string) => {
    reads[partition]!.state = { position: position ?? (await head()), epoch: 1 };
    reads[partition]!.moved();
    await settled();
  };
  const append = async (stream: string) => {
    await log.append(next(stream));
    await settled();
  };
  const revisions = new Map<string, number>();
  const next = (stream: string, count = 1): Append => {
    const revision = revisions.get(stream) ?? -1;
    revisions.set(stream, revision + count);
    const events = Array.from({ length: count }, () => written());
    return revision < 0 ? begin(stream, ...events) : goOn(stream, revision, ...events);
  };
  /** As many times 500 events of the partition that stands still. */
  const flood = async (appends: number) => {
    for (let n = 0; n < appends; n++) await log.append(next(STANDING, 500));
    await settled();
  };
  return { clock, store, notified, gaps, head, show, append, flood };
}

describe('a partition that stands still', () => {
  it('delays no notification of other partitions after its first events', async () => {
    const { clock, store, notified, show, append } = await world();
    await append(STANDING);
    await passing(clock, 2_500);
    await append(MOVING);
    await show(1);
    expect(notified).toEqual([STANDING, MOVING]);
    await append(STANDING);
    await append(MOVING);
    await show(1);
    expect(notified).toEqual([STANDING, MOVING, STANDING, MOVING]);
    await store.close();
  });

  it('has its events notified again, in order, when it shows them', async () => {
    const { clock, store, notified, show, append } = await world();
    await append(STANDING);
    await passing(clock, 2_500);
    await append(STANDING);
    notified.length = 0;
    await show(0);
    expect(notified).toEqual([STANDING, STANDING]);
    await append(STANDING);
    expect(notified).toHaveLength(2);
    await show(0);
    expect(notified).toHaveLength(3);
    await store.close();
  });

  it('waits with all others again once it goes on, however busy it is', async () => {
    const { clock, store, notified, head, show, append } = await world();
    await append(STANDING);
    await passing(clock, 2_500);
    const lagByOne = async () => {
      const before = await head();
      await append(STANDING);
      await show(0, before);
    };
    await lagByOne();
    await lagByOne();
    notified.length = 0;
    await lagByOne();
    await lagByOne();
    expect(notified).toHaveLength(2);
    await store.close();
  });

  it('leaves no gap in what readers of the log receive', async () => {
    const { clock, store, gaps, show, append } = await world();
    await append(STANDING);
    await passing(clock, 2_500);
    await append(MOVING);
    await show(1);
    await append(STANDING);
    await append(MOVING);
    await show(1);
    expect(gaps).not.toContain(true);
    await store.close();
  });

  it('is part of what the read models lack', async () => {
    const { clock, store, show, append } = await world();
    await append(STANDING);
    await append(MOVING);
    await passing(clock, 2_500);
    await show(1);
    const unprojected = async () => (await store.unprojected()).map(({ stream }) => stream);
    expect(await unprojected()).toEqual([STANDING]);
    await show(0);
    expect(await unprojected()).toEqual([]);
    await store.close();
  });

  it('stops no notification by any number of its events', async () => {
    const { clock, store, notified, show, append, flood } = await world();
    await append(STANDING);
    await passing(clock, 2_500);
    await flood(41);
    notified.length = 0;
    await append(MOVING);
    await show(1);
    expect(notified).toEqual([MOVING]);
    await expect(store.unprojected()).rejects.toThrow(TooFarBehindError);
    await show(0);
    expect(await store.unprojected()).toEqual([]);
    await store.close();
  });
});
