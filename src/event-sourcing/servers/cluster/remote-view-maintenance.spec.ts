import { begin, newEvent } from '../../../../test/contract/sample-appends.js';
import { notes, projections } from '../../../../test/contract/sample-views.js';
import { LaggingWorld } from '../../../../test/kit/lagging-world.js';
import { passing, settled } from '../../../../test/kit/settled.js';
import { handledBy } from '../../../kernel/projection.js';
import { SystemRandomness } from '../../../app/system/system-randomness.js';
import { RemoteViewMaintenance } from './remote-view-maintenance.js';
import { UnavailableError } from '../../../kernel/errors.js';
import type { ViewWriter } from '../../ports/view-writer.port.js';

const views = projections.map(({ view }) => view);

/** An instance that asks and one that keeps the read models. */
async function scene(count = 3, patienceMs?: number, heardAfter?: () => unknown[] | undefined) {
  const world = new LaggingWorld();
  for (let n = 0; n < count; n++) await world.write(n, 0);
  const asker = world.worker('asker');
  const worker = world.worker('worker');
  const surroundings = { clock: world.clock, randomness: new SystemRandomness() };
  const partitioned = (writers: readonly ViewWriter[]) =>
    new RemoteViewMaintenance(asker.events.port, writers, views, surroundings, {
      types: handledBy(projections),
      ...(heardAfter && { heardAfter }),
      ...(patienceMs !== undefined && { maxWaitMs: patienceMs }),
    });
  const maintenance = partitioned([asker.writer.port]);
  /** The answer, when time has passed. */
  const answered = async <T>(asking: Promise<T>, ms: number): Promise<T> => {
    asking.catch(() => undefined);
    await passing(world.clock, ms);
    return asking;
  };
  return { world, asker, worker, maintenance, partitioned, answered };
}

const lags = (statuses: readonly { lag: number }[]) => statuses.map(({ lag }) => lag);

describe('listing the views', () => {
  it('counts the events of their lag', async () => {
    const { world, worker, maintenance } = await scene();
    expect(lags(await maintenance.list())).toEqual([10_001, 10_001, 10_001]);
    worker.start(1);
    await settled();
    await worker.cutOff();
    world.clock.advance(1_001);
    expect(await maintenance.list()).toEqual(
      views.map(({ name, version }) => ({ name, version, position: world.head, lag: 0 })),
    );
    for (let n = 10; n < 910; n++) await world.write(n, 0);
    world.clock.advance(1_001);

    expect(lags(await maintenance.list())).toEqual([900, 900, 900]);
  });

  it('counts only events that a view handles', async () => {
    const { world, worker, maintenance } = await scene();
    worker.start(1);
    await settled();
    await world.log.append(begin('claim-1', newEvent({ type: 'Unhandled', data: { text: '' } })));
    await settled();
    expect([lags(await maintenance.list()), await maintenance.behindMs()]).toEqual([[0, 0, 0], 0]);
    await worker.cutOff();
    await world.write('late', 0);
    await world.log.append(begin('claim-2', newEvent({ type: 'Unhandled', data: { text: '' } })));
    world.clock.advance(1_001);

    expect(lags(await maintenance.list())).toEqual([1, 1, 1]);
  });

  it('reads at most a page to count, once a second', async () => {
    const { world, asker, worker, maintenance } = await scene();
    worker.start(1);
    await settled();
    await worker.cutOff();
    for (let n = 10; n < 1_010; n++) await world.write(n, 0);
    const asked = await Promise.all([maintenance.list(), maintenance.list()]);
    expect(lags(asked[1]!)).toEqual([10_001, 10_001, 10_001]);
    await maintenance.list();

    expect(asker.events.calls('readAll')).toBe(1);
  });

  it('reads no event twice while the views stand still, and none of a lag that is too long', async () => {
    const { world, asker, worker, maintenance } = await scene();
    worker.start(1);
    await settled();
    await worker.cutOff();
    let read = 0;
    const counting = async (page: Promise<readonly unknown[]>) => {
      read += (await page).length;
      return page;
    };
    const lagAfter = async (written: number) => {
      for (let n = 0; n < written; n++) await world.write(`late-${read}-${n}`, 0);
      world.clock.advance(1_001);
      asker.events.distort('readAll', counting);
      return lags(await maintenance.list())[0];
    };
    expect([await lagAfter(30), await lagAfter(20), await lagAfter(0), read]).toEqual([30, 50, 50, 50]);
    expect([await lagAfter(1_000), await lagAfter(10), read]).toEqual([10_001, 10_001, 1_050]);
  });

  it('counts what the instance has heard of without reading the log', async () => {
    let heard: unknown[] | undefined = Array.from({ length: 5_000 });
    const { world, asker, worker, maintenance } = await scene(3, undefined, () => heard);
    worker.start(1);
    await settled();
    await worker.cutOff();
    await world.write('late', 0);
    expect(lags(await maintenance.list())).toEqual([5_000, 5_000, 5_000]);
    expect(asker.events.calls('readAll')).toBe(0);
    heard = undefined;
    world.clock.advance(1_001);

    expect(lags(await maintenance.list())).toEqual([1, 1, 1]);
  });

  it('reports a rollback at once, though the lag was just asked for', async () => {
    const { world, worker, maintenance } = await scene();
    worker.start(1);
    await settled();
    await worker.cutOff();
    expect(lags(await maintenance.list())).toEqual([0, 0, 0]);
    world.read.state!.rollback = { end: '1' };
    expect(lags(await maintenance.list())).toEqual([10_001, 10_001, 10_001]);
    world.read.state!.rollback = undefined;

    expect(lags(await maintenance.list())).toEqual([0, 0, 0]);
  });

  it('reports views as far behind while a rolled-back log is being recovered', async () => {
    const { world, worker, maintenance } = await scene();
    worker.start(1);
    await settled();
    await worker.cutOff();
    world.read.state!.rollback = { end: '1' };
    expect(lags(await maintenance.list())).toEqual([10_001, 10_001, 10_001]);
  });

  it('reports views that are ahead of the log as far behind', async () => {
    const { world, worker, maintenance } = await scene();
    worker.start(1);
    await settled();
    await worker.cutOff();
    world.read.state!.position = '99999999999999999999';
    expect(lags(await maintenance.list())).toEqual([10_001, 10_001, 10_001]);
  });

  it('reports them so too if one partition alone is ahead of it', async () => {
    const { asker, worker, partitioned } = await scene();
    worker.start(1);
    await settled();
    await worker.cutOff();
    const { port } = asker.writer;
    const ahead = Object.assign(Object.create(port) as typeof port, {
      progress: () => Promise.resolve({ position: '99999999999999999999', epoch: 1 }),
    });
    expect(lags(await partitioned([port, port]).list())).toEqual([0, 0, 0]);
    expect(lags(await partitioned([port, ahead]).list())).toEqual([10_001, 10_001, 10_001]);
  });

  it('reports for how long the views have lacked an event', async () => {
    const { world, worker, maintenance } = await scene();
    worker.start(1);
    await settled();
    await worker.cutOff();
    expect(await maintenance.behindMs()).toBe(0);
    await world.write('late', 0);
    world.clock.advance(20_000);
    expect(await maintenance.behindMs()).toBe(0);
    await world.write('later', 0);
    world.clock.advance(30_000);
    expect(await maintenance.behindMs()).toBe(30_000);
    worker.start(2);
    await settled();
    await worker.cutOff();
    world.clock.advance(20_000);

    expect(await maintenance.behindMs()).toBe(0);
  });

  it('counts nothing while no view is built', async () => {
    const { asker, maintenance } = await scene();
    expect(lags(await maintenance.list())).toEqual([10_001, 10_001, 10_001]);
    expect(asker.events.calls('readAll')).toBe(0);
  });

  it('counts again after a failure', async () => {
    const { asker, worker, maintenance } = await scene();
    worker.start(1);
    await settled();
    asker.events.refuse('head');
    await expect(maintenance.list()).rejects.toThrow(UnavailableError);

    expect(lags(await maintenance.list())).toEqual([0, 0, 0]);
    await worker.cutOff();
  });
});

describe('requesting work on the views', () => {
  it('is answered by the projecting instance', async () => {
    const { world, worker, maintenance, answered } = await scene();
    worker.start(1);
    await settled();
    world.read.table(notes.view).delete('1');

    expect((await answered(maintenance.verify(), 3_000))[0]).toMatchObject({ name: 'notes', equal: false });
    expect(await answered(maintenance.rebuild('notes'), 3_000)).toMatchObject({ name: 'notes', lag: 0 });
    expect((await answered(maintenance.verify(), 3_000))[0]).toMatchObject({ name: 'notes', equal: true });
    await worker.cutOff();
  });

  it('is refused for an unknown view', async () => {
    const { asker, maintenance } = await scene();
    await expect(maintenance.rebuild('nothing')).rejects.toThrow(RangeError);
    expect(asker.writer.calls('request')).toBe(0);
  });

  it('survives a temporary outage of the read store', async () => {
    const { asker, worker, maintenance, answered } = await scene();
    worker.start(1);
    await settled();
    asker.writer.refuse('answerOf', 8);

    expect(await answered(maintenance.verify(), 4_000)).toHaveLength(3);
    await worker.cutOff();
  });

  it('fails with the error of the work', async () => {
    const { worker, maintenance, answered } = await scene();
    worker.start(1);
    await settled();
    worker.writer.refuse('begin', 1, new Error('no room'));

    await expect(answered(maintenance.rebuild('notes'), 3_000)).rejects.toThrow('no room');
    await worker.cutOff();
  });

  it('ends when no instance projects', async () => {
    const { world, maintenance, answered } = await scene(3, 5_000);
    await expect(answered(maintenance.verify(), 5_000)).rejects.toThrow(
      'no worker has finished it yet; it goes on when there is one',
    );
    expect(world.clock.pending).toBe(0);
  });
});
