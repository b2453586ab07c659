import { eventStoreContract } from './event-store.contract.js';
import { type Fixture, implementations, storesOf } from './implementations.js';
import { begin, moved, newEvent, written } from './sample-appends.js';
import { notes } from './sample-views.js';

describe.each(implementations)('event store: $name', (implementation) => {
  const fixture = storesOf(implementation);
  eventStoreContract(fixture);
  oneCommitContract(fixture);
});

/** For stores whose events and read models share a commit. */
function oneCommitContract(fixture: Fixture): void {
  const store = () => fixture.stores.events;
  const everything = () => store().readAll({ max: 10_000 });

  describe('appending', () => {
    it('reports the position of each event', async () => {
      const { events } = await store().append(begin('note-1', written(), moved('out')));

      expect(await everything()).toEqual(events);
    });

    it('is refused if the projection fails, without affecting the other appends of the batch', async () => {
      await store().append(begin('note-1', written()));
      const poison = newEvent({ type: 'Poisoned', data: { text: 'bitter' } });
      const outcomes = await Promise.allSettled([
        store().append(begin('note-2', written())),
        store().append(begin('note-1', written())),
        store().append(begin('note-3', poison)),
        store().append(begin('note-4', written())),
      ]);

      expect(outcomes.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'fulfilled',
      ]);
      expect((await everything()).map(({ stream }) => stream)).toEqual(['note-1', 'note-2', 'note-4']);
      const documents = await fixture.stores.views.getMany(notes.view, ['1', '2', '3', '4']);
      expect(documents).toMatchObject([{ id: '1' }, { id: '2' }, { id: '4' }]);
    });
  });
}
