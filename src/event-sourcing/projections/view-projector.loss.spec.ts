import { notes } from '../../../test/contract/sample-views.js';
import { expectShown, LaggingWorld } from '../../../test/kit/lagging-world.js';
import { passing, settled } from '../../../test/kit/settled.js';

describe('a read store that was lost', () => {
  it('is filled anew, without any new event', async () => {
    const world = await LaggingWorld.written(5);
    const worker = world.worker('a').start(1);
    await settled();
    world.read.lose();
    await passing(world.clock, 1_000);
    await worker.ended();
    worker.start(1);
    await settled();

    expectShown(world);
    await worker.cutOff();
  });

  it('is noticed by the next event', async () => {
    const world = await LaggingWorld.written(5);
    const worker = world.worker('a').start(1);
    await settled();
    world.read.lose();
    await world.write(9);
    await worker.ended();
    worker.start(1);
    await settled();

    expectShown(world);
    await worker.cutOff();
  });

  it('and put back as it was some time ago is caught up', async () => {
    const world = await LaggingWorld.written(5);
    const worker = world.worker('a').start(1);
    await settled();
    const kept = { ...world.read.state! };
    const tables = new Map(world.read.table(notes.view));
    await world.move(1, 'x');
    await settled();
    world.read.state = kept;
    world.read.table(notes.view).clear();
    for (const [id, row] of tables) world.read.table(notes.view).set(id, row);
    await passing(world.clock, 1_000);
    await worker.ended();
    worker.start(1);
    await settled();

    expectShown(world);
    await worker.cutOff();
  });

  it('is repaired by the leader without a restart', async () => {
    const world = await LaggingWorld.written(5);
    const worker = world.worker('a');
    const leadership = worker.leadership();
    leadership.start(worker.projector);
    await settled();
    world.read.lose();
    await passing(world.clock, 3_000);

    expectShown(world);
    await leadership.stop();
  });
});

describe('an event log that was put back', () => {
  it('is not what the read models show: they halt until the read store is dropped', async () => {
    const world = await LaggingWorld.written(5);
    const worker = world.worker('a').start(1);
    await settled();
    await worker.cutOff();
    world.read.state = { position: String(99).padStart(20, '0'), epoch: 1 };
    worker.start(2);
    await settled();
    expect(worker.errors.map(String)).toEqual([expect.stringContaining('drop the read store')]);
    world.read.lose();
    await passing(world.clock, 30_000, 1_000);

    expect(worker.halts).toEqual([true, false]);
    expectShown(world);
    await worker.cutOff();
  });
});
