import { ManualClock } from '../../../../test/kit/manual-clock.js';
import { FakeReadProgress, FakeReadStore } from '../../../../test/kit/fakes/read-store.js';
import { positionFromNumber as at } from '../../write/event-codec.js';
import { PartitionedProgress } from './partitioned-progress.js';

function scene() {
  const clock = new ManualClock();
  const stores = [new FakeReadStore(), new FakeReadStore()];
  const progress = new PartitionedProgress(stores.map((store) => new FakeReadProgress(store, clock)));
  const show = (partition: number, place: number) => {
    stores[partition]!.state = { position: at(place), epoch: 1 };
    stores[partition]!.moved();
  };
  return { clock, progress, show };
}
const event = (stream: string, place: number) => ({ stream, position: at(place) });

describe('the progress of partitions', () => {
  it('is that of the partition of a stream', () => {
    const { progress, show } = scene();
    show(1, 7);
    expect([progress.projected('job-2'), progress.projected('job-3')]).toEqual([undefined, at(7)]);
  });

  it('is that of the last one as a whole', () => {
    const { progress, show } = scene();
    show(0, 7);
    expect(progress.projected()).toBeUndefined();
    show(1, 5);
    expect(progress.projected()).toBe(at(5));
  });

  it('lets a wait for an event end although another partition stands still', async () => {
    const { progress, show } = scene();
    const waited = progress.waitForEvents([event('job-3', 4), event('job-5', 6)], 1_000);
    show(1, 6);
    expect(await waited).toBe(true);
  });

  it('ends a wait for events of both without success when one of them stands still', async () => {
    const { clock, progress, show } = scene();
    const waited = progress.waitForEvents([event('job-3', 4), event('job-2', 5)], 1_000);
    show(1, 6);
    clock.advance(1_000);
    expect(await waited).toBe(false);
  });

  it('waits for no partition without an event', async () => {
    expect(await scene().progress.waitForEvents([], 1_000)).toBe(true);
  });

  it('waits for all partitions to reach a position', async () => {
    const { progress, show } = scene();
    const waited = progress.waitFor(at(4), 1_000);
    show(1, 6);
    show(0, 4);
    expect(await waited).toBe(true);
  });
});
