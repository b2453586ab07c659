import { begin, newEvent } from '../../../test/contract/sample-appends.js';
import { notes, pages, timers } from '../../../test/contract/sample-views.js';
import { expectShown, LaggingWorld, type Worker } from '../../../test/kit/lagging-world.js';
import { passing, settled } from '../../../test/kit/settled.js';
import type { AnyProjection } from '../../kernel/projection.js';
import type { FeedBatch } from '../ports/remote-event-store.port.js';

describe('a read store that was lost', () => {
  it('is rebuilt without a new event', async () => {
    const world = await LaggingWorld.written(5);
    const worker = world.worker('a').start(1);
    await settled();
    world.read.lose();
    await passing(world.clock, 3_000);
    await worker.ended();
    worker.start(1);
    await settled();

    expectShown(world);
    await worker.cutOff();
  });

  it('is detected by the next event', async () => {
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

  it('catches up after its restore from an older copy', async () => {
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
    await passing(world.clock, 3_000);
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

describe('an event log that was rolled back', () => {
  /** Read models of a longer log: one note more, at a later position. */
  async function rolledBack(): Promise<{ world: LaggingWorld; worker: Worker }> {
    const world = await LaggingWorld.written(5);
    const worker = world.worker('a').start(1);
    await settled();
    await worker.cutOff();
    const rows = world.read.table(notes.view);
    rows.set('lost', { ...rows.get('3')!, creationPosition: '9', document: { id: 'lost' } });
    world.read.state = { position: String(99).padStart(20, '0'), epoch: 1 };
    return { world, worker };
  }

  it('has its read models rebuilt automatically', async () => {
    const { world, worker } = await rolledBack();
    worker.start(2);
    await passing(world.clock, 12_000, 500);
    await world.write(9);
    await settled();

    expectShown(world);
    expect(worker.halts).toEqual([]);
    await worker.cutOff();
  });

  it('has the other views rebuilt if one cannot be', async () => {
    const broken: AnyProjection = {
      ...pages,
      apply: () => {
        throw new Error('no');
      },
    };
    const { world } = await rolledBack();
    await world.log.append(begin('pages-1', newEvent({ type: 'PagesAdded', data: { pages: ['p'] } })));
    const worker = world.worker('b', { projections: [notes, broken, timers] }).start(2);
    await passing(world.clock, 12_000, 500);
    await world.write(9);
    await settled();

    expectShown(world, [notes, timers]);
    expect(await world.views.count(notes.view, {})).toBe(6);
    expect(world.read.active.has(pages.view.name)).toBe(false);
    expect(worker.errors.map(String)).toEqual([expect.stringContaining('view note-pages cannot fold')]);
    expect(worker.halts).toEqual([]);
    await worker.cutOff();
  });

  it('shows no view to readers until its jobs are parked', async () => {
    const { world, worker } = await rolledBack();
    let parked: () => void = () => undefined;
    worker.park = () => new Promise((resolve) => (parked = resolve));
    worker.start(2);
    await passing(world.clock, 12_000, 500);
    expect(world.shown).toBe(world.head);
    await expect(world.views.count(notes.view, {})).rejects.toThrow('built');
    parked();
    await settled();

    expect(await world.views.count(notes.view, {})).toBe(5);
    await worker.cutOff();
  });

  it('has its jobs parked by the next holder when the first one stops early', async () => {
    const { world, worker } = await rolledBack();
    worker.park = () => new Promise(() => undefined);
    worker.start(2);
    await passing(world.clock, 12_000, 500);
    void worker.cutOff();
    const next = world.worker('b');
    let parks = 0;
    next.park = async () => void parks++;
    next.start(3);
    await settled(40);

    expect(parks).toBe(1);
    expect(await world.views.count(notes.view, {})).toBe(5);
    await next.cutOff();
  });

  it('is recovered from also by a running holder whose views another partition has hidden', async () => {
    const world = await LaggingWorld.written(5);
    const worker = world.worker('a');
    const ends: unknown[] = [];
    worker.park = async ({ end }) => void ends.push(end);
    worker.start(1);
    await settled();
    world.read.state!.rollback = { end: 'noticed elsewhere' };
    await passing(world.clock, 3_000);
    await worker.ended();
    worker.start(2);
    await settled();

    expect(ends).toEqual(['noticed elsewhere']);
    expect(world.read.state!.rollback).toBeUndefined();
    expectShown(world);
    await worker.cutOff();
  });

  it('ends where another partition has seen its end, whatever was appended since', async () => {
    const { world, worker } = await rolledBack();
    const end = world.head!;
    const ends: unknown[] = [];
    worker.park = async (rollback) => void ends.push(rollback.end);
    world.read.state!.rollback = { end };
    await world.write('new');
    worker.start(2);
    await settled(40);

    expect(ends).toEqual([end]);
    await worker.cutOff();
  });

  it('ends where another partition saw its end while this one was waiting for the event store', async () => {
    const { world, worker } = await rolledBack();
    const end = world.head!;
    const ends: unknown[] = [];
    worker.park = async (rollback) => void ends.push(rollback.end);
    let isFirst = true;
    worker.events.distort('end', async (asked) => {
      if (isFirst) {
        isFirst = false;
        world.read.state = { ...world.read.state!, rollback: { end } };
        await world.write('new');
        return world.head;
      }
      return asked;
    });
    worker.start(2);
    await settled(40);

    expect(ends).toEqual([end]);
    await worker.cutOff();
  });

  it('is not assumed while a lagging new leader shows an earlier end', async () => {
    const world = await LaggingWorld.written(5);
    const worker = world.worker('a').start(1);
    await settled();
    await worker.cutOff();
    const builds = [...world.read.active.values()];
    worker.events.distort('end', () => Promise.resolve('1'.padStart(20, '0')));
    worker.start(2);
    await passing(world.clock, 12_000, 500);

    expectShown(world);
    expect([...world.read.active.values()]).toEqual(builds);
    expect(worker.events.calls('writeMarker')).toBe(1);
    await worker.cutOff();
  });

  it('is not assumed from a node that refuses writes', async () => {
    const { world, worker } = await rolledBack();
    const builds = [...world.read.active.values()];
    worker.events.refuse('writeMarker', 100);
    worker.start(2);
    await passing(world.clock, 12_000, 500);
    expect([...world.read.active.values()]).toEqual(builds);
    await worker.cutOff();
  });

  it('is detected when the marker takes the position of the lost event', async () => {
    const world = await LaggingWorld.written(5);
    const worker = world.worker('a').start(1);
    await settled();
    await worker.cutOff();
    const next = String(Number(world.head) + 1).padStart(20, '0');
    world.read.state = { position: next, epoch: 1 };
    worker.start(2);
    await settled();

    expectShown(world);
    await worker.cutOff();
  });

  it('is detected although an earlier holder stores its position late', async () => {
    const longer = await LaggingWorld.written(9);
    const old = longer.worker('a').start(1);
    await settled(40);
    const late = old.writer.hold('advance');
    await longer.write(9);
    await late.reached;
    const { read } = longer;
    const shorter = Object.assign(await LaggingWorld.written(5), { read });
    const next = shorter.worker('b').start(2);
    await settled(40);
    expectShown(shorter);
    late.letGo();
    await old.ended();

    expectShown(shorter);
    await next.cutOff();
  });

  it('gets no marker while it holds all projected events', async () => {
    const world = await LaggingWorld.written(5);
    const worker = world.worker('a').start(1);
    await passing(world.clock, 60_000, 1_000);

    expect(worker.events.calls('writeMarker')).toBe(0);
    await worker.cutOff();
  });

  it('reports its end to the recovery, even after a change of holder', async () => {
    const { world, worker } = await rolledBack();
    const ends: unknown[] = [];
    const end = world.head;
    worker.park = async (rollback) => {
      ends.push(rollback.end);
      throw new Error('not yet');
    };
    worker.start(2);
    await settled(40);
    await worker.cutOff();
    await world.write('later');
    worker.start(2);
    await settled(40);

    expect(ends).toEqual([end, end]);
    await worker.cutOff();
  });

  it('ends the term of a running holder, so that it starts over', async () => {
    const world = await LaggingWorld.written(5);
    const worker = world.worker('a').start(1);
    await settled();
    worker.events.distort('head', () => Promise.resolve(undefined));
    worker.events.distort('end', () => Promise.resolve(undefined));
    await passing(world.clock, 6_000, 500);
    await worker.ended();

    expect(worker.errors.map(String)).toEqual([expect.stringContaining('was rolled back')]);
  });

  it('is distinguished from an empty one, whose address is probably wrong', async () => {
    const { world, worker } = await rolledBack();
    const builds = [...world.read.active.values()];
    worker.events.distort('head', () => Promise.resolve(undefined));
    worker.start(2);
    await passing(world.clock, 12_000, 500);

    expect(worker.errors.map(String)).toEqual([expect.stringContaining('the event store is empty')]);
    expect(worker.events.calls('writeMarker')).toBe(0);
    expect([...world.read.active.values()]).toEqual(builds);
    await worker.cutOff();
  });
});

describe('a silent subscription', () => {
  it('of a rebuild restarts', async () => {
    const world = await LaggingWorld.written(5);
    const worker = world.worker('a');
    worker.events.distort('subscribe', silent);
    worker.start(1);
    await settled();
    expect(world.shown).toBeUndefined();
    await passing(world.clock, 10_100);

    expectShown(world);
    await worker.cutOff();
  });

  it('restarts after the last delivered event', async () => {
    const world = await LaggingWorld.written(5);
    const worker = world.worker('a');
    worker.events.distort('subscribe', (replayed) => replayed);
    worker.events.distort('subscribe', silent);
    worker.start(1);
    await settled();
    await world.write(9);
    await passing(world.clock, 9_900);
    expect(world.shown! < world.head!).toBe(true);
    await passing(world.clock, 200);

    expectShown(world);
    expect(worker.silences).toBe(1);
    await worker.cutOff();
  });
});

/** Delivers nothing until the subscription is ended. */
async function* silent(feed: AsyncIterable<FeedBatch>): AsyncGenerator<FeedBatch> {
  for await (const batch of feed) if (batch.interrupted) yield batch;
}
