import { creationPositionOf } from './creation-order.js';
import {
  begin,
  burnt,
  closed,
  goOn,
  moved,
  newEvent,
  written,
} from '../../../test/contract/sample-appends.js';
import { notes, pages } from '../../../test/contract/sample-views.js';
import { Faults } from '../../../test/kit/faults.js';
import type { AnyProjection } from '../../kernel/projection.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import type { Append } from '../ports/event-store.port.js';
import type { ViewWriter } from '../ports/view-writer.port.js';
import { BatchProjector, type ProjectedBuild } from './batch-projector.js';
import { PoisonEventError } from './projection-runner.js';
import { FakeReadStore } from '../../../test/kit/fakes/read-store.js';
import { FakeViewWriter } from '../../../test/kit/fakes/view-writer.js';
import { TestEventStore } from '../../../test/kit/stores.js';
import { UnavailableError } from '../../kernel/errors.js';

const LEASE = { group: 'views', holder: 'this', epoch: 1 };
const poison = newEvent({ type: 'Poisoned', data: { text: 'bitter' } });

async function world(projections: readonly AnyProjection[] = [notes, pages]) {
  const log = new TestEventStore();
  const read = new FakeReadStore();
  const writer = new Faults<ViewWriter>(new FakeViewWriter(read));
  await writer.port.takeOver(LEASE);
  const fillings: ProjectedBuild[] = [];
  for (const projection of projections) {
    const build = await writer.port.begin(projection.view, LEASE);
    await writer.port.activate(build, LEASE);
    fillings.push({ projection, build });
  }
  const folder = () => new BatchProjector(writer.port, fillings);
  const append = async (...appends: Append[]): Promise<readonly RecordedEvent[]> =>
    (await log.appendInOrder(appends)).flatMap(({ events }) => events);
  const note = (id = '1') => read.table(notes.view).get(id);
  return { log, read, writer, fillings, folder, append, note };
}

describe('folding a batch into builds', () => {
  it('reads uncached documents once for each build, and no cached ones', async () => {
    const { writer, folder, append, note } = await world();
    const first = await append(begin('note-1', written()), begin('note-2', written()));
    await folder().apply(first);
    const later = folder();
    await later.apply(await append(goOn('note-1', 0, moved('a')), goOn('note-2', 0, closed())));
    expect(writer.calls('load')).toBe(1);
    await later.apply(await append(goOn('note-1', 1, moved('b')), goOn('note-2', 1, moved('c'))));

    expect(writer.calls('load')).toBe(1);
    expect(note()).toMatchObject({ revision: 2, document: { folder: 'b', changes: 2 } });
  });

  it('changes nothing when a batch is folded twice, by any projector', async () => {
    const { read, folder, append } = await world();
    const events = await append(begin('note-1', written(), moved('a')), begin('note-2', written(), burnt()));
    const one = folder();
    await one.apply(events);
    const before = structuredClone(
      [...read.builds.values()].map(({ documents, tombstones }) => [documents, tombstones]),
    );
    await one.apply(events);
    await folder().apply(events);
    await folder().apply(events.slice(1));

    expect([...read.builds.values()].map(({ documents, tombstones }) => [documents, tombstones])).toEqual(
      before,
    );
  });

  it('stays correct behind another projector that is ahead', async () => {
    const { folder, append, note } = await world();
    const events = await append(begin('note-1', written(), moved('a'), moved('b'), moved('c'), closed()));
    const [slow, fast] = [folder(), folder()];
    await slow.apply(events.slice(0, 1));
    await fast.apply(events);
    const done = note();
    for (const event of events.slice(1)) {
      await slow.apply([event]);
      expect(note()).toEqual(done);
    }
    await slow.apply(await append(goOn('note-1', 4, moved('d'))));

    expect(note()).toMatchObject({ revision: 5, document: { folder: 'd', status: 'closed', changes: 5 } });
  });

  it('does not restore a document that another projector has deleted', async () => {
    const { folder, append, note } = await world();
    const events = await append(begin('note-1', written(), burnt()));
    const heldUp = folder();
    await folder().apply(events);
    await heldUp.apply(events.slice(0, 1));
    expect(note()).toBeUndefined();
    const again = await append(goOn('note-1', 1, written('again')));
    await heldUp.apply(events.slice(1));
    await heldUp.apply(again);

    expect(note()).toMatchObject({
      revision: 2,
      document: { text: 'again' },
      creationPosition: creationPositionOf(again[0]!, 0),
    });
  });

  it('folds a batch while the one before it is being written', async () => {
    const { writer, folder, append, note } = await world([notes]);
    const first = await append(begin('note-1', written(), moved('a')));
    const second = await append(goOn('note-1', 1, moved('b')));
    const third = await append(goOn('note-1', 2, closed()));
    const one = folder();

    const held = writer.hold('write');
    const writeFirst = await one.begin(first);
    const writing = writeFirst();
    await held.reached;
    const writeSecond = await one.begin(second);
    held.letGo();
    await writing;
    writer.refuse('write');
    await expect(writeSecond()).rejects.toThrow(UnavailableError);
    const writeThird = await one.begin(third);
    await writeSecond();
    await writeThird();

    expect(note()).toMatchObject({ revision: 3, document: { folder: 'b', status: 'closed', changes: 3 } });
    expect(writer.calls('load')).toBe(0);
  });

  it('stays correct after a failure, whatever had been written', async () => {
    const { writer, folder, append, note } = await world();
    const one = folder();
    await one.apply(await append(begin('note-1', written())));
    const events = await append(
      goOn('note-1', 0, moved('a'), moved('b')),
      begin('note-2', written(), moved('c')),
      goOn('note-2', 1, burnt()),
    );
    writer.refuse('write');
    await expect(one.apply(events)).rejects.toThrow(UnavailableError);
    writer.loseReply('write');
    await expect(one.apply(events)).rejects.toThrow('lost');
    await one.apply(events);
    await one.apply(await append(goOn('note-1', 2, closed())));

    expect(note()).toMatchObject({ revision: 3, document: { folder: 'b', status: 'closed', changes: 3 } });
    expect(note('2')).toBeUndefined();
  });
});

describe('an event that cannot be folded', () => {
  it('stops the view that handles it, and writes nothing of the batch', async () => {
    const { writer, folder, append } = await world();
    const events = await append(begin('note-1', written()), begin('note-2', poison));
    const failure = await folder()
      .apply(events)
      .catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(PoisonEventError);
    expect(writer.calls('write')).toBe(0);
  });

  it('is reported even if its keys cannot be determined', async () => {
    const unnameable: AnyProjection = {
      ...notes,
      keysOf(event) {
        if (event.type === 'NoteMoved') throw new Error('where to?');
        return notes.keysOf(event as never);
      },
    };
    const { folder, append } = await world([unnameable]);
    const events = await append(begin('note-1', written()), goOn('note-1', 0, moved('a'), closed()));
    await expect(folder().apply(events)).rejects.toThrow('view notes cannot fold NoteMoved');
  });
});
