import type { PrefixQuery, Where } from '../../src/event-sourcing/ports/view-store.port.js';
import type { Fixture } from './implementations.js';
import { armed, begin, burnt, closed, disarmed, goOn, moved, newEvent, written } from './sample-appends.js';
import { viewOrderContract } from './view-order.contract.js';
import { notes, pages, timers, type Note, type Reminder } from './sample-views.js';

export function viewStoreContract(fixture: Fixture): void {
  const view = notes.view;
  const views = () => fixture.stores.views;
  const append = fixture.append;
  const ask = async (where: Where, order: 'newest' | 'oldest' = 'oldest', limit = 100, offset = 0) => {
    const { documents } = await views().find<Note>(view, { where, order, limit, offset });
    return documents.map(({ id }) => id).join(' ');
  };

  /** a: 1 open in, 2 closed in, 3 open out (urgent), 5 open without folder; b: 4 open in (urgent). */
  const fill = () =>
    append(
      begin('note-1', written('one', 'a', 'in')),
      begin('note-2', written('two', 'a', 'in'), closed()),
      begin('note-3', written('three', 'a', 'in', true), moved('out')),
      begin('note-4', written('four', 'b', 'in', true)),
      begin('note-5', written('five', 'a', null)),
    );

  describe('getting a document', () => {
    it('returns what the events projected', async () => {
      await fill();
      await fixture.reopen();

      expect(await views().get(view, '3')).toEqual({
        id: '3',
        account: 'a',
        folder: 'out',
        urgent: true,
        status: 'open',
        text: 'three',
        changes: 1,
      });
      expect(await views().get(view, '6')).toBeUndefined();
    });

    it('returns each append at once, and nothing after a removal', async () => {
      await append(begin('note-1', written('before')));
      expect(await views().get(view, '1')).toMatchObject({ changes: 0 });
      await append(goOn('note-1', 0, moved('a'), moved('b'), moved('c')));
      expect(await views().get(view, '1')).toMatchObject({ changes: 3, folder: 'c' });
      await append(goOn('note-1', 3, burnt()));
      expect(await views().get(view, '1')).toBeUndefined();
      expect(await views().count(view, { account: 'a' })).toBe(0);
    });

    it('shows the change of an append to the clients that it wakes', async () => {
      await append(begin('note-1', written('before')));
      await views().get(view, '1');
      const seen: unknown[] = [];
      fixture.stores.events.listen({ appended: () => seen.push(views().get<Note>(view, '1')) });
      await append(goOn('note-1', 0, moved('a')));
      expect(await Promise.all(seen)).toEqual([expect.objectContaining({ folder: 'a' })]);
    });

    it('returns several in the requested order, without missing ones', async () => {
      await fill();
      const found = await views().getMany<Note>(view, ['4', '9', '1']);
      expect(found.map(({ text }) => text)).toEqual(['four', 'one']);
    });
  });

  describe('finding documents', () => {
    it('filters by every index, in order of creation', async () => {
      await fill();

      expect(await ask({ account: 'a' })).toBe('1 2 3 5');
      expect(await ask({ account: 'a' }, 'newest')).toBe('5 3 2 1');
      expect(await ask({ account: 'a', status: 'closed' })).toBe('2');
      expect(await ask({ account: 'a', folder: 'in' })).toBe('1 2');
      expect(await ask({ account: 'a', folder: null })).toBe('5');
      expect(await ask({ urgent: true, status: 'open' }, 'newest')).toBe('4 3');
      expect(await ask({ urgent: false, status: ['open'] })).toBe('1 5');
      expect(await ask({}, 'newest')).toBe('5 4 3 2 1');
      expect(await ask({ account: 'nobody' })).toBe('');
    });

    it('accepts a list of values, in order of creation', async () => {
      await fill();

      expect(await ask({ account: ['b', 'a'], status: ['open', 'closed', 'open'] })).toBe('1 2 3 4 5');
      expect(await ask({ account: ['a', 'b'] }, 'newest', 3, 1)).toBe('4 3 2');
      expect(await ask({ account: 'a', folder: ['out', null] })).toBe('3 5');
      expect(await ask({ account: [] })).toBe('');
    });

    it('moves a document when its value changes', async () => {
      await fill();
      await append(goOn('note-1', 0, moved('out')), goOn('note-3', 1, closed()));

      expect(await ask({ account: 'a', folder: 'in' })).toBe('2');
      expect(await ask({ account: 'a', folder: 'out' })).toBe('1 3');
      expect(await ask({ account: 'a', status: 'closed' })).toBe('2 3');
      expect(await ask({ urgent: true, status: 'open' })).toBe('4');
    });

    it('pages by offset, and by creation position without gaps', async () => {
      await fill();
      expect(await ask({ account: 'a' }, 'newest', 2, 1)).toBe('3 2');

      const first = await views().find<Note>(view, { where: { account: 'a' }, order: 'newest', limit: 2 });
      await append(begin('note-6', written('six', 'a')));
      const query = {
        where: { account: ['a'] },
        order: 'newest',
        limit: 2,
        after: first.positions[1],
      } as const;
      const second = await views().find<Note>(view, query);

      expect(first.positions).toHaveLength(2);
      expect([...first.documents, ...second.documents].map(({ id }) => id)).toEqual(['5', '3', '2', '1']);
      const onwards = { where: {}, order: 'oldest', limit: 9, after: first.positions[0] } as const;
      expect((await views().find<Note>(view, onwards)).documents.map(({ id }) => id)).toEqual(['6']);
    });

    it('gives a document that is removed and created again a new creation position', async () => {
      await fill();
      await append(goOn('note-1', 0, burnt(), written('again', 'a')));

      expect(await ask({ account: 'a' })).toBe('2 3 5 1');
    });

    it('keeps the order of documents created by one event', async () => {
      await append(begin('note-1', newEvent({ type: 'PagesAdded', data: { pages: ['z', 'a', 'm'] } })));
      await append(goOn('note-1', 0, newEvent({ type: 'PagesAdded', data: { pages: ['b', 'z'] } })));

      const found = await views().find<{ id: string }>(pages.view, {
        where: { note: '1' },
        order: 'oldest',
        limit: 9,
      });
      expect(found.documents.map(({ id }) => id)).toEqual(['z', 'a', 'm', 'b']);
    });

    it('refuses a query without an index', async () => {
      await expect(ask({ folder: 'in' })).rejects.toThrow('no index');
      await expect(ask({ urgent: true })).rejects.toThrow('no index');
      await expect(ask({ urgent: true, status: 'closed' })).rejects.toThrow('no index');
      await expect(views().count(view, { text: 'one' })).rejects.toThrow('no index');
    });
  });

  describe('finding a prefix', () => {
    const UUID = '0199abcd-0000-7000-8000-00000000000';
    const found = async (query: Partial<PrefixQuery>) => {
      const asked = { where: { account: 'a' }, by: 'text', prefix: 'two', limit: 10, max: 10, ...query };
      const answer = await views().findPrefix<Note>(view, asked);
      return answer && answer.documents.map(({ id }) => id).join(' ');
    };
    /** In the order of creation. */
    const write = async (...texts: [text: string, account?: string][]) => {
      for (const [n, [text, account = 'a']] of texts.entries())
        await append(begin(`note-${n + 1}`, written(text, account)));
    };

    it('returns the newest first, of the given fields only', async () => {
      await write(
        ['two'],
        ['tw'],
        ['two rolls'],
        ['two', 'b'],
        ['Two'],
        ['two \u{1f600}'],
        ['twp'],
        ['two\uffe6'],
      );

      expect(await found({})).toBe('8 6 3 1');
      expect(await found({ where: { account: ['b', 'a'] } })).toBe('8 6 4 3 1');
      await fixture.reopen();
      expect(await found({})).toBe('8 6 3 1');
      expect(await found({ prefix: 'twos' })).toBe('');
    });

    it('finds texts and ids that look like UUIDs', async () => {
      await append(begin(`note-${UUID}1`, written(`${UUID}1`)), begin(`note-${UUID}2`, written('0199abcd-')));
      await append(begin('note-0199abce', written('0199abce')));
      const byId = (prefix: string) => found({ where: {}, by: undefined as never, prefix });

      expect(await found({ prefix: '0199abcd' })).toBe(`${UUID}2 ${UUID}1`);
      expect(await found({ prefix: '0199abcd-0' })).toBe(`${UUID}1`);
      expect(await found({ prefix: `${UUID}1` })).toBe(`${UUID}1`);
      await fixture.reopen();
      expect(await byId('0199abc')).toBe(`0199abce ${UUID}2 ${UUID}1`);
      expect(await byId(`${UUID}2`)).toBe(`${UUID}2`);
    });

    it('pages by creation position, and sorts a bounded number of matches', async () => {
      await write(['two'], ['two'], ['two'], ['three']);
      const first = await views().findPrefix<Note>(view, {
        ...{ where: { account: 'a' }, by: 'text', prefix: 'two', limit: 2, max: 3 },
      });
      expect(first?.documents.map(({ id }) => id)).toEqual(['3', '2']);
      expect(await found({ after: first!.positions[1]! })).toBe('1');
      expect(await found({ max: 3 })).toBe('3 2 1');
      expect(await found({ max: 2 })).toBeUndefined();
    });

    it('follows a document that events remove, and refuses fields without an index', async () => {
      await write(['two'], ['two']);
      await append(goOn('note-2', 0, burnt()));

      expect(await found({})).toBe('1');
      await expect(found({ by: 'folder', where: {} })).rejects.toThrow('no index');
    });
  });

  viewOrderContract(fixture);

  describe('counting documents', () => {
    it('is exact for kept totals and for indexes', async () => {
      await fill();
      await append(goOn('note-1', 0, closed()));
      await fixture.reopen();
      await append(goOn('note-3', 1, burnt()), begin('note-7', written('seven', 'a'), closed(), burnt()));

      expect(await views().count(view, { account: 'a' })).toBe(3);
      expect(await views().count(view, { account: ['a', 'b', 'c'] })).toBe(4);
      expect(await views().count(view, { status: ['closed', 'open'], account: 'a' })).toBe(3);
      expect(await views().count(view, { account: 'a', status: 'closed' })).toBe(2);
      expect(await views().count(view, { account: 'a', folder: ['in', null] })).toBe(3);
      expect(await views().count(view, { urgent: true, status: 'open' })).toBe(1);
      expect(await views().count(view, {})).toBe(4);
    });
  });

  describe('reading kept totals', () => {
    const totals = async (by: readonly string[], first: readonly string[], from?: string) => {
      const query = { by, first, ...(from !== undefined && { from }) };
      return (await views().totals(view, query)).map(({ values, n }) => [...values, n].join(' '));
    };

    it('returns each total under the first values, without zeros and other combinations', async () => {
      await fill();
      await append(goOn('note-1', 0, moved('out'), closed()), goOn('note-4', 0, closed()));
      await fixture.reopen();
      await append(begin('note-6', written('six', 'b')));

      expect(await totals(['account', 'status'], ['a'])).toEqual(['a open 2', 'a closed 2']);
      expect(await totals(['account', 'status'], ['b'])).toEqual(['b open 1', 'b closed 1']);
      expect(await totals(['account', 'status'], [])).toHaveLength(4);
      expect(await totals(['account'], [])).toEqual(['a 4', 'b 2']);
      expect(await totals(['account'], [], 'b')).toEqual(['b 2']);
      expect(await totals(['account', 'status'], ['nobody'])).toEqual([]);
    });

    it('refuses a combination that is not kept', async () => {
      await expect(totals(['status'], [])).rejects.toThrow('keeps no totals by status');
    });
  });

  const at = (second: number) => `2026-11-21T12:00:${String(second).padStart(2, '0')}.000Z`;
  const timersUpTo = (upTo?: string, limit = 10) =>
    views().range<Reminder>(timers.view, { by: 'due_at', limit, ...(upTo && { upTo }) });
  const due = async (second: number, limit?: number) =>
    (await timersUpTo(at(second), limit)).map(({ id }) => id).join(' ');
  const next = async () => (await timersUpTo(undefined, 1))[0]?.due_at;
  const defer = ({ id, sequence }: Reminder, second: number) =>
    views().setVolatile(timers.view, { id, when: { sequence }, set: { due_at: at(second) } });

  describe('finding a range', () => {
    it('returns documents up to a value, smallest value first', async () => {
      await append(begin('note-1', armed('late', at(30)), armed('soon', at(10)), armed('next', at(20))));

      expect(await due(9)).toBe('');
      expect(await due(10)).toBe('soon');
      expect(await due(30)).toBe('soon next late');
      expect(await due(30, 2)).toBe('soon next');
      expect(await next()).toBe(at(10));
    });

    it('returns documents from a value on', async () => {
      await append(begin('note-1', armed('late', at(30)), armed('soon', at(10)), armed('next', at(20))));
      const from = async (second: number, upTo: number) => {
        const range = { by: 'due_at', from: at(second), upTo: at(upTo), limit: 10 };
        return (await views().range<Reminder>(timers.view, range)).map(({ id }) => id).join(' ');
      };

      expect(await from(10, 20)).toBe('soon next');
      expect(await from(11, 30)).toBe('next late');
      expect(await from(31, 40)).toBe('');
    });

    it('returns the oldest document first among equal values', async () => {
      await append(begin('note-1', armed('b', at(10)), armed('a', at(10))));
      await append(begin('note-2', armed('c', at(10))));

      expect(await due(10)).toBe('b a c');
    });

    it('follows a document that events move or remove', async () => {
      await append(begin('note-1', armed('x', at(10)), armed('y', at(20))));
      await append(goOn('note-1', 1, disarmed('x'), armed('y', at(5))));
      await fixture.reopen();

      expect(await due(30)).toBe('y');
      expect(await next()).toBe(at(5));
      await append(goOn('note-1', 3, disarmed('y')));
      expect(await next()).toBeUndefined();
    });

    it('refuses a field without an index of its own', async () => {
      await expect(views().range(view, { by: 'text', limit: 1 })).rejects.toThrow('no index');
      await expect(views().range(view, { by: 'urgent', limit: 1 })).rejects.toThrow('no index');
    });
  });

  describe('setting a volatile field', () => {
    it('moves the document in its range, also across a restart', async () => {
      await append(begin('note-1', armed('x', at(10)), armed('y', at(15))));
      const [x] = await timersUpTo(at(10), 1);
      await defer(x!, 20);
      await fixture.reopen();

      expect(await due(19)).toBe('y');
      expect(await due(20)).toBe('y x');
      expect(await views().get(timers.view, x!.id)).toEqual({ ...x, due_at: at(20) });
    });

    it('changes nothing unless the document has the expected values', async () => {
      await append(begin('note-1', armed('x', at(10))));
      const [timer] = await timersUpTo(at(10), 1);
      await append(goOn('note-1', 0, armed('x', at(15))));
      await defer(timer!, 40);
      expect(await due(15)).toBe('x');

      await append(goOn('note-1', 1, disarmed('x')));
      await defer(timer!, 40);
      await fixture.reopen();
      expect(await next()).toBeUndefined();
    });

    it('is overwritten by the next event', async () => {
      await append(begin('note-1', armed('x', at(10))));
      await defer((await timersUpTo(at(10), 1))[0]!, 40);
      await append(goOn('note-1', 0, armed('x', at(5))));

      expect(await next()).toBe(at(5));
    });

    it('is refused for a field set by events', async () => {
      await append(begin('note-1', armed('x', at(10))));
      const change = { id: 'x', when: {}, set: { sequence: 'other' } };

      await expect(views().setVolatile(timers.view, change)).rejects.toThrow('sequence of view timers');
    });
  });
}
