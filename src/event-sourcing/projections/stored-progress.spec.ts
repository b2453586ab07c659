import { begin, newEvent } from '../../../test/contract/sample-appends.js';
import { notes } from '../../../test/contract/sample-views.js';
import { expectShown, LaggingWorld } from '../../../test/kit/lagging-world.js';
import { settled } from '../../../test/kit/settled.js';

describe('storing the progress', () => {
  it('does not block the next batch, and stores the latest position', async () => {
    const world = await LaggingWorld.written(1);
    const worker = world.worker('a').start(1);
    await settled();
    const before = worker.writer.calls('advance');
    const held = worker.writer.hold('advance');
    for (const n of [2, 3, 4]) {
      await world.write(n);
      await settled();
    }
    expect(await world.views.count(notes.view, {})).toBe(4);
    expect(world.shown! < world.head!).toBe(true);
    held.letGo();
    await settled();

    expectShown(world);
    expect(worker.writer.calls('advance') - before).toBe(2);
    await worker.cutOff();
  });

  it('loses nothing when the holder stops early: the next one folds the batch again', async () => {
    const world = await LaggingWorld.written(1);
    const worker = world.worker('a').start(1);
    await settled();
    worker.writer.refuse('advance', 1);
    await world.write(2);
    await settled();
    await worker.cutOff();
    expect(world.shown! < world.head!).toBe(true);
    const next = world.worker('b').start(2);
    await settled();

    expectShown(world);
    await next.cutOff();
  });

  it('ends the term when another instance has taken over', async () => {
    const world = await LaggingWorld.written(1);
    const worker = world.worker('a').start(1);
    await settled();
    world.read.state!.epoch = 2;
    await world.write(2);
    await worker.ended();
    expect(worker.errors).toEqual([]);
  });

  it('requests only events that a view handles', async () => {
    const world = await LaggingWorld.written(1);
    const worker = world.worker('a').start(1);
    await settled();
    const calls = () => ['load', 'write', 'advance'].map((name) => worker.writer.calls(name));
    const before = [...calls(), worker.applied, world.shown];
    await world.log.append(begin('note-1', newEvent({ type: 'Unhandled', data: { text: '' } })));
    await settled();

    expect([...calls(), worker.applied, world.shown]).toEqual(before);
    await worker.cutOff();
  });
});
