import { beforeTime } from '../../src/event-sourcing/projections/creation-order.js';
import type { ViewQuery, Where } from '../../src/event-sourcing/ports/view-store.port.js';
import { plus } from '../../src/kernel/time.js';
import { NOON } from '../kit/recorded.js';
import type { Fixture } from './implementations.js';
import { begin, closed, written } from './sample-appends.js';
import { notes, type Note } from './sample-views.js';

/** Lists show the times of documents, and instances have different clocks. */
export function viewOrderContract(fixture: Fixture): void {
  const view = notes.view;
  const views = () => fixture.stores.views;
  const at = (second: number) => plus(NOON, second * 1_000);
  const ask = async (where: Where, order: ViewQuery['order'] = 'oldest', limit = 100, offset = 0) => {
    const { documents } = await views().find<Note>(view, { where, order, limit, offset });
    return documents.map(({ id }) => id).join(' ');
  };

  describe('ordering documents', () => {
    const writtenAt = (second: number, text = 'two') => {
      const event = written(text, 'a');
      return { ...event, metadata: { ...event.metadata, at: at(second) } };
    };
    /** In the log's order 1 2 3 4, by time 3 1 4 2; 4 and 2 have one time. */
    const write = () =>
      fixture.append(
        begin('note-1', writtenAt(20)),
        begin('note-2', writtenAt(30)),
        begin('note-3', writtenAt(10)),
        begin('note-4', writtenAt(20), closed()),
      );

    it('orders by the time of the first event, then by its position', async () => {
      await write();
      for (let n = 0; n < 2; n++) {
        expect(await ask({ account: 'a' })).toBe('3 1 4 2');
        expect(await ask({}, 'newest')).toBe('2 4 1 3');
        expect(await ask({ account: 'a', status: ['open', 'closed'] }, 'newest', 2, 1)).toBe('4 1');
        const prefix = { where: { account: 'a' }, by: 'text', prefix: 'tw', limit: 9, max: 9 };
        const found = await views().findPrefix<Note>(view, prefix);
        expect(found?.documents.map(({ id }) => id)).toEqual(['2', '4', '1', '3']);
        await fixture.reopen();
      }
    });

    it('pages without gaps, from the beginning or from a time', async () => {
      await write();
      const wheres: Where[] = [{ account: 'a' }, {}, { account: 'a', status: ['open', 'closed'] }];
      for (const where of wheres) {
        const pages = async (after?: string) => {
          const ids: string[] = [];
          for (let next = after, n = 0; n < 6; n++) {
            const query = { where, order: 'newest', limit: 1, ...(next && { after: next }) } as const;
            const { documents, positions } = await views().find<Note>(view, query);
            ids.push(...documents.map(({ id }) => id));
            next = positions[0] ?? next;
          }
          return ids.join(' ');
        };
        expect(await pages()).toBe('2 4 1 3');
        expect(await pages(beforeTime(at(31)))).toBe('2 4 1 3');
        expect(await pages(beforeTime(at(30)))).toBe('4 1 3');
        expect(await pages(beforeTime(at(10)))).toBe('');
      }
    });

    it('orders a queue by the log, whatever the clocks say, also over pages', async () => {
      await write();
      const where = (status: Where[string]) => ({ account: 'a', urgent: false, status });
      for (let n = 0; n < 2; n++) {
        expect(await ask(where(['open', 'closed']), 'logged')).toBe('1 2 3 4');
        expect(await ask(where('open'), 'logged')).toBe('1 2 3');
        expect(await ask(where(['open', 'closed']), 'logged', 2, 1)).toBe('2 3');
        const ids: string[] = [];
        for (let after: string | undefined; ids.length === 0 || after;) {
          const query = { where: where(['open', 'closed']), order: 'logged', limit: 1 } as const;
          const found = await views().find<Note>(view, { ...query, ...(after && { after }) });
          ids.push(...found.documents.map(({ id }) => id));
          after = found.positions[0];
        }
        expect(ids.join(' ')).toBe('1 2 3 4');
        await fixture.reopen();
      }
      await expect(ask({ account: 'a' }, 'logged')).rejects.toThrow('no index');
    });

    it('refuses a position of an earlier release, which had no time', async () => {
      await write();
      const query = { where: {}, order: 'newest', limit: 1, after: '000000000000000000420000' } as const;
      await expect(views().find<Note>(view, query)).rejects.toThrow('earlier release');
    });
  });
}
