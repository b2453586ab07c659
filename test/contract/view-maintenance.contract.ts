import type { Fixture } from './implementations.js';
import { armed, begin, burnt, closed, goOn, moved, newEvent, written } from './sample-appends.js';
import { notes, projections, timers, type Note } from './sample-views.js';

const NAMES = projections.map(({ view }) => view.name).sort();

export function viewMaintenanceContract(fixture: Fixture): void {
  const maintenance = () => fixture.stores.maintenance;
  const append = fixture.append;
  const fill = () =>
    append(
      begin('note-1', written('one'), moved('out'), closed()),
      begin('note-2', written('two'), burnt(), written('two again')),
      begin('note-3', newEvent({ type: 'PagesAdded', data: { pages: ['p', 'q'] } })),
      begin('note-4', armed('x', '2026-11-21T12:00:10.000Z')),
      goOn('note-1', 2, moved(null)),
    );

  describe('maintaining views', () => {
    it('lists each view with its position in the log', async () => {
      await fill();
      const head = await fixture.stores.events.head();

      const list = await maintenance().list();
      expect(list.map(({ name }) => name).sort()).toEqual(NAMES);
      for (const status of list)
        expect(status).toMatchObject({ version: status.name === 'timers' ? 3 : 1, position: head, lag: 0 });
    });

    it('finds all views equal to a replay, including deferred timers', async () => {
      await fill();
      const set = { due_at: '2026-11-21T14:00:00.000Z' };
      await fixture.stores.views.setVolatile(timers.view, { id: 'sample:x', when: {}, set });
      await fixture.reopen();
      await append(goOn('note-2', 2, moved('else')));

      const verified = await maintenance().verify();
      expect(verified.map(({ name, equal }) => ({ name, equal }))).toEqual(
        projections.map(({ view }) => ({ name: view.name, equal: true })),
      );
      expect(verified.map(({ documents }) => documents)).toEqual([2, 2, 1]);
    });

    it('detects a modified document, and a rebuild restores it', async () => {
      await fill();
      const asked = { where: { account: 'a' }, order: 'newest', limit: 9 } as const;
      const before = structuredClone(await fixture.stores.views.find<Note>(notes.view, asked));
      fixture.tamper('1');
      const tampered = await maintenance().verify();
      expect(tampered.map(({ equal }) => equal)).toEqual([false, true, true]);

      expect(await maintenance().rebuild('notes')).toMatchObject({ name: 'notes', version: 1, lag: 0 });
      expect((await maintenance().verify()).every(({ equal }) => equal)).toBe(true);
      expect(await fixture.stores.views.find<Note>(notes.view, asked)).toEqual(before);
      expect(await fixture.stores.views.count(notes.view, { account: 'a' })).toBe(2);
    });

    it('rebuilds during appends', async () => {
      const streams = Array.from({ length: 300 }, (_, n) => `note-${n + 10}`);
      await Promise.all(streams.map((stream) => fixture.stores.events.append(begin(stream, written()))));
      const rebuilt = Promise.all(NAMES.map((name) => maintenance().rebuild(name)));
      await Promise.all(streams.map((stream) => fixture.stores.events.append(goOn(stream, 0, closed()))));
      await rebuilt;
      await fixture.stores.events.append(goOn('note-10', 1, burnt()));
      await fixture.reopen();

      expect(await fixture.stores.views.count(notes.view, { account: 'a', status: 'closed' })).toBe(299);
      expect((await maintenance().verify()).every(({ equal }) => equal)).toBe(true);
    });

    it('rejects an unknown view', async () => {
      await expect(maintenance().rebuild('nothing')).rejects.toThrow('there is no view nothing');
    });
  });
}
