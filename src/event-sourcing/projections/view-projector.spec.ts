import { begin, goOn, newEvent } from '../../../test/contract/sample-appends.js';
import { notes, pages, projections, timers } from '../../../test/contract/sample-views.js';
import { expectShown, LaggingWorld } from '../../../test/kit/lagging-world.js';
import { passing, settled } from '../../../test/kit/settled.js';
import type { AnyProjection } from '../../kernel/projection.js';
import type { FeedBatch } from '../ports/remote-event-store.port.js';
import { CorruptEventError } from '../../kernel/errors.js';

const poison = () => newEvent({ type: 'Poisoned', data: { text: 'bitter' } });
const newNotes: AnyProjection = { ...notes, view: { ...notes.view, version: 2 } };

const raise = (message: string): never => {
  throw new Error(message);
};

describe('projecting the read models', () => {
  it('creates empty views from an empty log', async () => {
    const world = new LaggingWorld();
    const worker = world.worker('a').start(1);
    await settled();
    expect(await world.views.count(notes.view, {})).toBe(0);
    await world.write(1);
    await settled();

    expectShown(world);
    await worker.cutOff();
  });

  it('fills an empty read store before readers see any of it', async () => {
    const world = await LaggingWorld.written(700);
    const worker = world.worker('a');
    const held = worker.writer.hold('activate');
    worker.start(1);
    await held.reached;
    await expect(world.views.count(notes.view, {})).rejects.toThrow('not built yet');
    held.letGo();
    await settled();

    expectShown(world);
    expect(await world.views.count(notes.view, {})).toBe(700);
    await worker.cutOff();
  });

  it('catches up from its stored position, then follows', async () => {
    const world = await LaggingWorld.written(3);
    const first = world.worker('a').start(1);
    await settled();
    await first.cutOff();
    for (let n = 10; n < 1_010; n++) await world.write(n);
    const next = world.worker('b').start(2);
    await settled(100);
    await world.move(1, 'late');
    await settled();

    expectShown(world);
    expect(next.applied).toBe(2_001);
    await next.cutOff();
  });

  it('leaves nothing pending when interrupted', async () => {
    const world = await LaggingWorld.written(3);
    const worker = world.worker('a').start(1);
    await passing(world.clock, 3_000);
    await worker.cutOff();
    await world.write(9);

    expect(world.clock.pending).toBe(0);
    expect(worker.errors).toEqual([]);
  });
});

describe('a crash', () => {
  it('between documents and progress costs a repeat that changes nothing', async () => {
    const world = await LaggingWorld.written(3);
    const first = world.worker('a').start(1);
    await settled();
    const held = first.writer.hold('advance');
    await world.move(1, 'x');
    await world.move(1, 'y');
    await held.reached;
    const ended = first.cutOff();
    const next = world.worker('b').start(2);
    await settled();
    expectShown(world);
    held.letGo();
    await ended;

    expectShown(world);
    await next.cutOff();
  });

  it.each(['begin', 'write', 'advance', 'activate'] as const)(
    'at %s of the first build is repaired by the next projector',
    async (step) => {
      const world = await LaggingWorld.written(600);
      const first = world.worker('a');
      const held = first.writer.hold(step);
      first.start(1);
      await held.reached;
      const next = world.worker('b').start(2);
      await settled(60);
      expectShown(world);
      held.letGo();
      await settled();
      await first.ended();
      await world.write('later');
      await settled();

      expectShown(world);
      await next.cutOff();
    },
  );

  it('between two views of the first build leaves the others to the next projector', async () => {
    const world = await LaggingWorld.written(5);
    const first = world.worker('a').start(1);
    first.writer.distort('activate', (given) => given);
    const held = first.writer.hold('activate');
    await held.reached;
    const ended = first.cutOff();
    held.letGo();
    await ended;
    expect(world.read.active.size).toBeLessThan(projections.length);
    const next = world.worker('b').start(2);
    await settled(60);

    expectShown(world);
    await next.cutOff();
  });
});

describe('two projectors at once', () => {
  it('produce the documents of one, and the one without a lease ends', async () => {
    const world = await LaggingWorld.written(10);
    const old = world.worker('a').start(1);
    await settled();
    const next = world.worker('b').start(2);
    for (let n = 20; n < 60; n++) await world.write(n);
    await settled(60);
    await old.ended();

    expectShown(world);
    await next.cutOff();
  });

  it('restore and revert nothing when one resumes late', async () => {
    const world = await LaggingWorld.written(2);
    const old = world.worker('a').start(1);
    await settled();
    const held = old.writer.hold('write');
    await world.write('short', 0);
    await held.reached;
    const next = world.worker('b').start(2);
    await world.log.append(goOn('note-short', 0, newEvent({ type: 'NoteBurnt', data: {} })));
    await world.move(1, 'new');
    await settled();
    const shown = world.shown;
    held.letGo();
    await old.ended();

    expect(world.shown).toBe(shown);
    expectShown(world);
    await next.cutOff();
  });

  it('keep readers off the build of a delayed one', async () => {
    const world = await LaggingWorld.written(2);
    const old = world.worker('a').start(1);
    await settled();
    const held = old.writer.hold('activate');
    await old.writer.port.request({ id: 'r', kind: 'rebuild', view: 'notes' });
    world.clock.advance(2_000);
    await held.reached;
    const next = world.worker('b').start(2);
    await settled();
    await world.move(1, 'new');
    await settled();
    held.letGo();
    await settled();
    await world.move(1, 'newer');
    await passing(world.clock, 1_000);

    expectShown(world);
    expect(await next.writer.port.answerOf('r')).toEqual({});
    await old.ended();
    await next.cutOff();
  });
});

describe('a projector whose lease has expired', () => {
  it('does nothing if it expired before the start', async () => {
    const world = await LaggingWorld.written(2);
    const next = world.worker('b').start(2);
    await settled();
    const old = world.worker('a').start(1);
    await old.ended();

    expect([old.writer.calls('begin'), old.events.calls('subscribe'), old.errors]).toEqual([0, 0, []]);
    await next.cutOff();
  });

  it('does not drop the build of the next one', async () => {
    const world = await LaggingWorld.written(2);
    const old = world.worker('a').start(1);
    await settled();
    const late = old.writer.hold('begin');
    await old.writer.port.request({ id: 'r', kind: 'rebuild', view: 'notes' });
    await passing(world.clock, 2_000);
    await late.reached;
    const next = world.worker('b').start(2);
    const filling = next.writer.hold('write');
    await filling.reached;
    late.letGo();
    await settled();
    filling.letGo();
    await passing(world.clock, 1_000);

    expect(await next.writer.port.answerOf('r')).toEqual({});
    expectShown(world);
    await old.ended();
    await next.cutOff();
  });
});

describe('an outage', () => {
  it('of either store is survived without skipping an event', async () => {
    const world = await LaggingWorld.written(3);
    const worker = world.worker('a');
    worker.writer.refuse('takeOver', 2);
    worker.writer.refuse('active');
    worker.writer.refuse('begin');
    worker.start(1);
    await passing(world.clock, 3_000);
    expectShown(world);
    worker.writer.refuse('write', 3);
    worker.writer.refuse('load', 2);
    worker.writer.loseReply('advance');
    worker.writer.refuse('progress', 2);
    await world.move(1, 'x');
    await passing(world.clock, 5_000);

    expectShown(world);
    expect(worker.halts).toEqual([]);
    await worker.cutOff();
  });

  it('does not delay the stop', async () => {
    const world = await LaggingWorld.written(3);
    const worker = world.worker('a');
    worker.writer.refuse('takeOver', 1_000);
    worker.start(1);
    await passing(world.clock, 1_000);
    await worker.cutOff();
    expect(world.clock.pending).toBe(0);
  });

  it('that loses the reply of an activation drops no active build', async () => {
    const world = await LaggingWorld.written(3);
    const worker = world.worker('a').start(1);
    await settled();
    worker.writer.loseReply('activate');
    await worker.writer.port.request({ id: 'r', kind: 'rebuild', view: 'notes' });
    await passing(world.clock, 3_000);
    await world.move(1, 'x');
    await settled();

    expect(await worker.writer.port.answerOf('r')).toEqual({});
    expectShown(world);
    await worker.cutOff();
  });
});

describe('a new version of a view', () => {
  const views = projections.map((one) => (one === notes ? newNotes : one));

  it('is built while the others are still projected', async () => {
    const world = await LaggingWorld.written(5);
    const old = world.worker('a').start(1);
    await settled();
    await old.cutOff();
    const worker = world.worker('b', { projections: views });
    const held = worker.writer.hold('begin');
    worker.start(2);
    await held.reached;
    await world.log.append(begin('pages-1', newEvent({ type: 'PagesAdded', data: { pages: ['p'] } })));
    await settled();
    expect(await world.views.get(projections[1]!.view, 'p')).toBeDefined();
    held.letGo();
    await settled();

    expect(world.read.active.get('notes')?.view.version).toBe(2);
    expectShown(world, views);
    await worker.cutOff();
  });

  it('is built together with other new ones in one replay', async () => {
    const world = await LaggingWorld.written(600);
    const old = world.worker('a').start(1);
    await settled(40);
    await old.cutOff();
    const all = projections.map((one) => ({
      ...one,
      view: one === timers ? one.view : { ...one.view, version: 9 },
    }));
    const worker = world.worker('b', { projections: all }).start(2);
    await settled(40);

    expectShown(world, all);
    expect(worker.events.calls('subscribe')).toBe(2);
    expect(worker.events.calls('readAll')).toBe(0);
    await worker.cutOff();
  });

  it('is left out of that replay if it cannot be built', async () => {
    const broken: AnyProjection = { ...newNotes, apply: () => raise('not yet') };
    const newPages = { ...pages, view: { ...pages.view, version: 2 } };
    const world = await LaggingWorld.written(5);
    const old = world.worker('a').start(1);
    await settled();
    await old.cutOff();
    const worker = world.worker('b', { projections: [broken, newPages, timers] }).start(2);
    await settled();

    expect(world.read.active.get('note-pages')?.view.version).toBe(2);
    expect(world.read.active.get('notes')?.view.version).toBe(1);
    await worker.cutOff();
  });

  it('that cannot be built is retried at intervals and blocks no other view', async () => {
    const broken: AnyProjection = {
      ...newNotes,
      apply: () => raise('not yet'),
    };
    const world = await LaggingWorld.written(5);
    const old = world.worker('a').start(1);
    await settled();
    await old.cutOff();
    const worker = world.worker('b', { projections: [broken, ...projections.slice(1)] }).start(2);
    await settled();
    worker.writer.refuse('requested', 0);
    await passing(world.clock, 60_000, 500);
    expect(worker.writer.calls('begin')).toBe(1);
    await worker.writer.port.request({ id: 'r', kind: 'verify' });
    await passing(world.clock, 2_000, 500);
    expect(await worker.writer.port.answerOf('r')).toMatchObject({ result: [{ name: 'note-pages' }, {}] });
    await passing(world.clock, 300_000, 500);

    expect(worker.writer.calls('begin')).toBe(4);
    await worker.cutOff();
  });
});

describe('an event that cannot be folded', () => {
  it('halts the views, is reported, and is retried', async () => {
    const world = await LaggingWorld.written(2);
    const worker = world.worker('a').start(1);
    await settled();
    await world.log.append(begin('note-bad', poison()));
    await world.write(5);
    await passing(world.clock, 29_000, 500);
    expect(worker.halts).toEqual([true]);
    expect(world.shown! < world.head!).toBe(true);
    await passing(world.clock, 60_000, 500);

    expect(worker.errors.map(String)).toEqual(Array(3).fill(expect.stringContaining('Poisoned')));
    expect(worker.halts).toEqual([true]);
    await worker.cutOff();
    expect(worker.halts).toEqual([true, false]);
    expect(world.clock.pending).toBe(0);
  });

  it('may be unreadable: earlier events are shown, and the views recover later', async () => {
    const world = await LaggingWorld.written(2);
    const worker = world.worker('a');
    worker.events.distort<AsyncIterable<FeedBatch>>('subscribe', (replayed) => replayed);
    worker.events.distort<AsyncIterable<FeedBatch>>('subscribe', corruptAfterOne);
    worker.start(1);
    await settled();
    await world.write(5);
    await settled();
    expect(worker.halts).toEqual([true]);
    await passing(world.clock, 30_000, 1_000);

    expect(worker.halts).toEqual([true, false]);
    expectShown(world);
    await worker.cutOff();
  });
});

async function* corruptAfterOne(feed: AsyncIterable<FeedBatch>): AsyncGenerator<FeedBatch> {
  for await (const batch of feed) {
    yield batch;
    throw new CorruptEventError('note-1', 0, '1');
  }
}
