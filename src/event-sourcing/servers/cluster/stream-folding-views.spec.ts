import { begin, burnt, goOn, moved, newEvent, written } from '../../../../test/contract/sample-appends.js';
import { notes, pages, type Note } from '../../../../test/contract/sample-views.js';
import { LaggingWorld } from '../../../../test/kit/lagging-world.js';
import { settled } from '../../../../test/kit/settled.js';
import type { ViewDefinition } from '../../../kernel/projection.js';
import { UnavailableError } from '../../../kernel/errors.js';
import { StreamFolding } from './stream-folding-views.js';

const withPages = (...names: string[]) => newEvent({ type: 'PagesAdded', data: { pages: names } });

async function scene() {
  const world = new LaggingWorld();
  const worker = world.worker('a').start(1);
  await settled();
  await world.log.append(begin('note-1', written('old'), moved('shown')));
  await settled();
  await worker.cutOff();
  await world.log.append(begin('note-2', written('new'), moved('hidden')));
  await world.log.append(begin('note-3', written('gone'), burnt()));
  const unprojected = new Set<string>();
  const lag = { isBehind: false, untilShown: () => Promise.resolve(true) };
  const folding = new StreamFolding(worker.events.port, [{ ...notes, category: 'note' }, pages], {
    has: (stream) => unprojected.has(stream),
    get isBehind() {
      return lag.isBehind;
    },
    untilShown: () => lag.untilShown(),
  });
  const views = {
    get: <D>(view: ViewDefinition<D>, id: string, stream?: string) =>
      folding.get(view, id, () => world.views.get(view, id), stream),
  };
  return { world, worker, views, unprojected, lag };
}

describe('getting a document by id from a lagging view', () => {
  it("returns the view's document", async () => {
    const { worker, views } = await scene();
    expect(await views.get(notes.view, '1')).toMatchObject({ folder: 'shown' });
    expect(worker.events.calls('load')).toBe(0);
  });

  it('folds the stream if the view lacks the document', async () => {
    const { world, worker, views } = await scene();
    const folded = await views.get<Note>(notes.view, '2');
    expect(folded).toMatchObject({ text: 'new', folder: 'hidden', changes: 1 });
    worker.start(2);
    await settled();

    expect(await world.views.get(notes.view, '2')).toEqual(folded);
    await worker.cutOff();
  });

  it('folds the stream if the view is behind its last known event', async () => {
    const { world, unprojected, views } = await scene();
    await world.log.append(goOn('note-1', 1, moved('newest')));
    unprojected.add('note-1');

    expect(await views.get(notes.view, '1')).toMatchObject({ text: 'old', folder: 'newest', changes: 2 });
  });

  it('returns nothing for a document that never existed or was deleted', async () => {
    const { views } = await scene();
    expect(await views.get(notes.view, '3')).toBeUndefined();
    expect(await views.get(notes.view, '4')).toBeUndefined();
  });

  it("returns the view's document if the view is not folded from one stream", async () => {
    const { worker, views } = await scene();
    expect(await views.get(pages.view, '2')).toBeUndefined();
    expect(worker.events.calls('load')).toBe(0);
  });

  it('folds the stream that is given with an id of another form', async () => {
    const { world, views } = await scene();
    await world.log.append(begin('note-5', withPages('a', 'b')));
    expect(await views.get(pages.view, 'b', 'note-5')).toEqual({ id: 'b', note: '5' });
    expect(await views.get(pages.view, 'c', 'note-5')).toBeUndefined();
  });

  it('looks an id up again once a lagging view that names no stream has caught up', async () => {
    const { world, worker, views, lag } = await scene();
    await world.log.append(begin('note-5', withPages('a')));
    lag.isBehind = true;
    lag.untilShown = async () => {
      worker.start(2);
      await settled();
      return true;
    };
    expect(await views.get(pages.view, 'a')).toEqual({ id: 'a', note: '5' });
    await worker.cutOff();
  });

  it('does not call an id unknown while such a view lags', async () => {
    const { views, lag } = await scene();
    lag.isBehind = true;
    lag.untilShown = () => Promise.resolve(false);
    await expect(views.get(pages.view, '2')).rejects.toThrow(UnavailableError);
  });

  it('fails if the stream cannot be read', async () => {
    const { worker, views } = await scene();
    worker.events.refuse('load');
    await expect(views.get(notes.view, '2')).rejects.toThrow('load is refused');
  });
});
