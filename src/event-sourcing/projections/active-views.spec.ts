import { begin, newEvent } from '../../../test/contract/sample-appends.js';
import { notes, projections } from '../../../test/contract/sample-views.js';
import { LaggingWorld, type Worker } from '../../../test/kit/lagging-world.js';
import { passing, settled } from '../../../test/kit/settled.js';
import type { FeedBatch } from '../ports/remote-event-store.port.js';
import type { MaintenanceRequest } from '../ports/view-writer.port.js';

const rebuild: MaintenanceRequest = { id: 'r', kind: 'rebuild', view: 'notes' };
const verify: MaintenanceRequest = { id: 'v', kind: 'verify' };

async function* noted(feed: AsyncIterable<FeedBatch>, received: string[]): AsyncGenerator<FeedBatch> {
  for await (const batch of feed) {
    received.push(...batch.events.map(({ type }) => type));
    yield batch;
  }
}

async function kept(count = 5): Promise<{ world: LaggingWorld; worker: Worker }> {
  const world = new LaggingWorld();
  for (let n = 0; n < count; n++) await world.write(n);
  const worker = world.worker('a').start(1);
  await settled(40);
  return { world, worker };
}

async function asked(
  { world, worker }: { world: LaggingWorld; worker: Worker },
  request: MaintenanceRequest,
) {
  await worker.writer.port.request(request);
  await passing(world.clock, 5_000, 500);
  return worker.writer.port.answerOf(request.id);
}

describe('rebuilding a view', () => {
  it('replaces damaged documents, and keeps only the previous build beside the new one', async () => {
    const scene = await kept();
    const { world, worker } = scene;
    world.read.table(notes.view).delete('3');
    expect(world.wrong()).toEqual(['notes']);

    expect(await asked(scene, rebuild)).toEqual({});
    expect(world.wrong()).toEqual([]);
    expect(await asked(scene, { ...rebuild, id: 'again' })).toEqual({});
    expect(world.read.builds.size).toBe(projections.length + 1);
    await worker.cutOff();
  });

  it('includes events appended meanwhile', async () => {
    const { world, worker } = await kept(1_200);
    const held = worker.writer.hold('begin');
    await worker.writer.port.request(rebuild);
    await passing(world.clock, 2_000);
    await held.reached;
    for (let n = 0; n < 30; n++) await world.move(n, 'before');
    held.letGo();
    for (let n = 0; n < 200; n++) {
      await world.move(n, `during ${n}`);
      if (n % 10 === 0) await settled(1);
    }
    await passing(world.clock, 2_000, 500);

    expect(await worker.writer.port.answerOf('r')).toEqual({});
    expect(world.shown).toBe(world.head);
    expect(world.wrong()).toEqual([]);
    await worker.cutOff();
  });

  it('includes events projected while its last events are folded', async () => {
    const { world, worker } = await kept();
    const held = worker.writer.hold('write');
    await worker.writer.port.request(rebuild);
    await passing(world.clock, 2_000);
    await held.reached;
    await world.move(1, 'late');
    await settled();
    expect(world.shown).toBe(world.head);
    held.letGo();
    await settled();

    expect(await worker.writer.port.answerOf('r')).toEqual({});
    expect(world.wrong()).toEqual([]);
    await worker.cutOff();
  });

  it('is dropped when the lease is lost, and left to the next holder', async () => {
    const { world, worker } = await kept(600);
    const places = [...world.read.builds.keys()];
    const held = worker.writer.hold('write');
    await worker.writer.port.request(rebuild);
    await passing(world.clock, 2_000);
    await held.reached;
    const ended = worker.cutOff();
    held.letGo();
    await ended;

    expect([...world.read.builds.keys()]).toEqual(places);
    expect(await worker.writer.port.answerOf('r')).toBeUndefined();
    const next = world.worker('b').start(2);
    await passing(world.clock, 2_000, 500);
    expect(await worker.writer.port.answerOf('r')).toEqual({});
    expect(world.wrong()).toEqual([]);
    await next.cutOff();
  });

  it('receives only the events that the view handles', async () => {
    const scene = await kept(700);
    const { world, worker } = scene;
    await world.log.append(begin('pages-1', newEvent({ type: 'PagesAdded', data: { pages: ['p'] } })));
    const received: string[] = [];
    worker.events.distort<AsyncIterable<FeedBatch>>('subscribe', (feed) => noted(feed, received));

    expect(await asked(scene, { ...rebuild, view: 'note-pages' })).toEqual({});
    expect(received).toEqual(['PagesAdded']);
    expect(worker.events.calls('readAll')).toBe(0);
    expect(world.wrong()).toEqual([]);
    await worker.cutOff();
  });

  it('continues after an outage', async () => {
    const scene = await kept(1_200);
    const { world, worker } = scene;
    worker.writer.refuse('write', 3);

    expect(await asked(scene, rebuild)).toEqual({});
    expect(world.wrong()).toEqual([]);
    await worker.cutOff();
  });

  it('reports the reason of a failure to the requester', async () => {
    const scene = await kept();
    expect(await asked(scene, { ...rebuild, view: 'nothing' })).toEqual({
      failure: 'there is no view nothing',
    });
    scene.worker.writer.refuse('begin', 1, new Error('no room'));
    expect(await asked(scene, { ...rebuild, id: 'again' })).toEqual({ failure: 'no room' });
    await scene.worker.cutOff();
  });
});

describe('verifying the views', () => {
  it('finds them equal to a replay, and leaves no build behind', async () => {
    const scene = await kept();
    const { world, worker } = scene;
    const places = world.read.builds.size;
    const answer = await asked(scene, verify);

    expect(answer?.result).toMatchObject([
      { name: 'notes', equal: true, documents: 5 },
      { name: 'note-pages', equal: true, documents: 0 },
      { name: 'timers', equal: true, documents: 0 },
    ]);
    expect(world.read.builds.size).toBe(places);
    await worker.cutOff();
  });

  it('finds modified documents', async () => {
    const scene = await kept();
    const rows = scene.world.read.table(notes.view);
    rows.set('3', { ...rows.get('3')!, document: { id: '3', text: 'forged' } });

    expect((await asked(scene, verify))?.result).toMatchObject([
      { equal: false },
      { equal: true },
      { equal: true },
    ]);
    await scene.worker.cutOff();
  });

  it('compares no view while a batch is half written', async () => {
    const { world, worker } = await kept();
    const filling = worker.writer.hold('write');
    await worker.writer.port.request(verify);
    await passing(world.clock, 2_000);
    await filling.reached;
    for (let n = 0; n < 3; n++) worker.writer.loseReply('write');
    await world.move(1, 'half shown');
    await settled();
    expect(world.shown! < world.head!).toBe(true);
    filling.letGo();
    await passing(world.clock, 3_000);

    expect((await worker.writer.port.answerOf('v'))?.result).toMatchObject([{ equal: true }, {}, {}]);
    await worker.cutOff();
  });

  it('fails at an event that cannot be folded, and serves other requests', async () => {
    const scene = await kept();
    const { world, worker } = scene;
    await world.log.append(begin('note-bad', newEvent({ type: 'Poisoned', data: { text: '' } })));
    expect(await asked(scene, verify)).toMatchObject({
      failure: expect.stringContaining('cannot fold Poisoned'),
    });

    expect(await asked(scene, { id: 'p', kind: 'rebuild', view: 'note-pages' })).toEqual({});
    await worker.cutOff();
  });

  it('stays correct under load, even if slow', async () => {
    const { world, worker } = await kept(300);
    await worker.writer.port.request(verify);
    for (let n = 0; n < 300; n++) {
      await world.move(n, 'x');
      world.clock.advance(10);
      await settled(1);
    }
    await passing(world.clock, 2_000, 100);

    expect((await worker.writer.port.answerOf('v'))?.result).toMatchObject(Array(3).fill({ equal: true }));
    await worker.cutOff();
  });
});
