import { begin, moved, newEvent, written } from '../../../test/contract/sample-appends.js';
import { notes, pages, timers } from '../../../test/contract/sample-views.js';
import { FakeReadStore, FakeViewStore } from '../../../test/kit/fakes/read-store.js';
import { FakeViewWriter } from '../../../test/kit/fakes/view-writer.js';
import { ManualClock } from '../../../test/kit/manual-clock.js';
import { TestEventStore } from '../../../test/kit/stores.js';
import type { SubscribeOptions } from '../ports/remote-event-store.port.js';
import { StoreRetry } from '../../async/retry.js';
import { ActiveViews } from './active-views.js';
import { CorruptEventError } from '../../kernel/errors.js';

/** Views opened over an empty read store and a log whose events of one type are damaged. */
async function opened({ damaged, isNamed = true }: { damaged: string; isNamed?: boolean }) {
  const log = new TestEventStore();
  await log.append(
    begin('note-1', written(), moved('out'), newEvent({ type: 'Unhandled', data: { text: '' } })),
  );
  await log.append(begin('pages-1', newEvent({ type: 'PagesAdded', data: { pages: ['p'] } })));
  const errorOf = ({ stream, revision, position, type }: (typeof all)[number]) =>
    new CorruptEventError(stream, revision, position, isNamed ? { type } : {});
  const all = log.everything();
  const events = {
    readAll: async () => [],
    /** Filters by the type in its index, and fails at a damaged event. */
    async *subscribe({ types }: SubscribeOptions) {
      const asked = all.filter(({ type }) => types!.includes(type) || (type === damaged && !isNamed));
      for (const event of asked) {
        if (event.type === damaged) throw errorOf(event);
        const { position } = event;
        yield { events: [event], position, caughtUp: event === asked.at(-1), interrupted: false };
      }
    },
    head: () => log.head(),
    end: () => log.head(),
    holds: async () => true,
    writeMarker: async () => '',
  };
  const read = new FakeReadStore();
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const clock = new ManualClock();
  const views = new ActiveViews(
    {
      ...{ events, clock, onError, retries: new StoreRetry(clock, onError) },
      ...{ writer: new FakeViewWriter(read), projections: [notes, pages, timers] },
    },
    {
      lease: { group: 'views', holder: 'this', epoch: 1 },
      signal: new AbortController().signal,
      end: () => undefined,
    },
  );
  const opening = views.open();
  return { views, opening, errors: errors, shown: new FakeViewStore(read) };
}

describe('rebuilding views from a log with a damaged event', () => {
  it('leaves out the views that handle it, and names them', async () => {
    const { views, opening, errors, shown } = await opened({ damaged: 'NoteMoved' });
    await opening;

    expect(views.missing).toEqual(['notes']);
    expect(errors.map(String)).toEqual([expect.stringContaining('view notes cannot fold NoteMoved')]);
    expect(await shown.count(pages.view, {})).toBe(1);
  });

  it('builds every view if none handles it', async () => {
    const { views, opening, errors } = await opened({ damaged: 'Unhandled' });
    await opening;

    expect([views.missing, errors]).toEqual([[], []]);
  });

  it('fails if the type of the event cannot be read', async () => {
    const { views, opening } = await opened({ damaged: 'Unhandled', isNamed: false });

    await expect(opening).rejects.toThrow('cannot be read');
    expect(views.missing).toHaveLength(3);
  });
});
