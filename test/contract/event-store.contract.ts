import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { EventStore, Append, Appended } from '../../src/event-sourcing/ports/event-store.port.js';
import { metadata } from '../kit/recorded.js';
import { begin, closed, goOn, moved, newEvent, written } from './sample-appends.js';
import { ConcurrencyError, EventTooLargeError } from '../../src/kernel/errors.js';

/** Requirements of the contract on an implementation. */
export interface EventStoreFixture {
  readonly stores: { readonly events: EventStore };
  reopen(): Promise<void>;
}

export function eventStoreContract(fixture: EventStoreFixture): void {
  const store = () => fixture.stores.events;
  const everything = () => store().readAll({ max: 10_000 });

  describe('appending', () => {
    it('starts a stream at revision 0 and returns increasing positions', async () => {
      const first = await store().append(begin('note-1', written(), moved('out')));
      const second = await store().append(begin('note-2', written()));

      expect(first.events.map(({ revision }) => revision)).toEqual([0, 1]);
      expect(first.revision).toBe(1);
      expect(first.position).toBe(first.events[1]!.position);
      expect(first.position < second.position).toBe(true);
      expect(first.position).toMatch(/^\d{20}$/);
    });

    it('stores events exactly as given', async () => {
      const text = 'ä "quoted" \u0000 \u{1F5A8} \\ end';
      const event = newEvent({ type: 'Unhandled', data: { text } });
      const { position } = await store().append(begin('note-1', event));
      await fixture.reopen();

      expect(await store().load('note-1')).toEqual([
        {
          id: event.id,
          stream: 'note-1',
          revision: 0,
          position,
          type: 'Unhandled',
          data: { text },
          metadata,
        },
      ]);
    });

    it('is refused at another revision than expected', async () => {
      await store().append(begin('note-1', written()));

      await expect(store().append(begin('note-1', written()))).rejects.toMatchObject({
        stream: 'note-1',
        expected: 'no_stream',
        actual: 0,
      });
      await expect(store().append(goOn('note-1', 1, closed()))).rejects.toMatchObject({ actual: 0 });
      await expect(store().append(goOn('note-2', 0, closed()))).rejects.toMatchObject({ actual: -1 });
      await expect(store().append(goOn('note-1', 4, closed()))).rejects.toHaveProperty(
        'constructor.name',
        ConcurrencyError.name,
      );
      expect(await everything()).toHaveLength(1);
    });

    it('answers a repeat with the same ids like the first time, however late', async () => {
      const append = begin('note-1', written(), moved('out'));
      const first = await store().append(append);
      await store().append(goOn('note-1', 1, closed()));
      await fixture.reopen();

      expect(await store().append(append)).toEqual(first);
      expect(await everything()).toHaveLength(3);
    });

    it('rejects a repeat of only some of the events', async () => {
      const [first, second] = [written(), moved('out')];
      await store().append(begin('note-1', first));

      await expect(store().append(begin('note-1', first, second))).rejects.toMatchObject({ actual: 0 });
      await expect(store().append(begin('note-1', { ...first, id: second.id }))).rejects.toMatchObject({
        actual: 0,
      });
    });

    it('is refused above a megabyte, and without events', async () => {
      const huge = newEvent({ type: 'Unhandled', data: { text: 'x'.repeat(1_048_576) } });

      await expect(store().append(begin('note-1', huge))).rejects.toHaveProperty(
        'constructor.name',
        EventTooLargeError.name,
      );
      await expect(store().append(begin('note-1'))).rejects.toThrow('at least one event');
      expect(await store().head()).toBeUndefined();
    });

    it('to many streams at once gives each its own position', async () => {
      const appends = Array.from({ length: 500 }, (_, n) => begin(`note-${n}`, written(), moved('out')));
      const answers = await Promise.all(appends.map((append) => store().append(append)));

      const all = await everything();
      const positions = all.map(({ position }) => position);
      expect(new Set(positions).size).toBe(1_000);
      expect(positions).toEqual([...positions].sort());
      const lasts = new Map(all.map(({ stream, position }) => [stream, position]));
      answers.forEach(({ events, position }, n) => {
        expect(events.map(({ id }) => id)).toEqual(idsOf(appends[n]!));
        expect(position).toBe(lasts.get(appends[n]!.stream));
      });
    });

    it('succeeds for one of several with the same expected revision', async () => {
      const rivals = Array.from({ length: 20 }, () => begin('note-1', written()));
      const outcomes = await Promise.allSettled(rivals.map((append) => store().append(append)));

      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await store().load('note-1')).toHaveLength(1);
    });

    it('does not affect the other appends of a batch if one fails', async () => {
      await store().append(begin('note-1', written()));
      const outcomes = await Promise.allSettled([
        store().append(begin('note-2', written())),
        store().append(begin('note-1', written())),
        store().append(begin('note-4', written())),
      ]);

      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect((await everything()).map(({ stream }) => stream).sort()).toEqual(['note-1', 'note-2', 'note-4']);
    });
  });

  describe('appending in order', () => {
    it('writes all of them', async () => {
      const answers = await store().appendInOrder([begin('claim-1', claimed()), begin('note-1', written())]);

      expect(answers.map(({ revision }) => revision)).toEqual([0, 0]);
      expect((await everything()).map(({ stream }) => stream)).toEqual(['claim-1', 'note-1']);
    });

    it('stops at the first failure and reports which', async () => {
      await store().append(begin('note-1', written()));
      const appends = [begin('note-1', written()), begin('note-2', written())];

      await expect(store().appendInOrder(appends)).rejects.toMatchObject({ stream: 'note-1' });
      expect(await store().load('note-2')).toEqual([]);
    });

    it('completes a partly written sequence', async () => {
      const [claim, job] = [begin('claim-1', claimed()), begin('note-1', written())];
      const first = await store().append(claim);
      const answers = await store().appendInOrder([claim, job]);

      expect(answers[0]).toEqual(first);
      expect((await everything()).map(({ stream }) => stream)).toEqual(['claim-1', 'note-1']);
    });
  });

  describe('appending in any order', () => {
    const notes = (count: number) => Array.from({ length: count }, (_, n) => begin(`note-${n}`, written()));
    const anyOrder = { anyOrder: true };

    it('writes all of them, and answers in the order of the call', async () => {
      const appends = notes(40);
      const answers = await store().appendInOrder(appends, anyOrder);

      expect(answers.map(({ events }) => events[0]!.stream)).toEqual(appends.map(({ stream }) => stream));
      expect(await everything()).toHaveLength(40);
    });

    it('ends every append when one is refused, so that a repeat completes the others', async () => {
      await store().append(begin('note-3', written()));
      const appends = notes(40);
      await expect(store().appendInOrder(appends, anyOrder)).rejects.toMatchObject({ stream: 'note-3' });
      const before = (await everything()).length;
      await store().appendInOrder(
        appends.filter(({ stream }) => stream !== 'note-3'),
        anyOrder,
      );

      expect(before).toBeLessThan(40);
      expect(await everything()).toHaveLength(40);
    });
  });

  describe('reading', () => {
    it('loads a stream from a revision on, and nothing for an unknown one', async () => {
      await store().append(begin('note-1', written(), moved('out'), closed()));

      expect((await store().load('note-1', { from: 1 })).map(({ type }) => type)).toEqual([
        'NoteMoved',
        'NoteClosed',
      ]);
      expect(await store().load('note-1', { from: 1, max: 1 })).toHaveLength(1);
      expect(await store().load('note-2')).toEqual([]);
    });

    it('pages through all events, each page after the previous one', async () => {
      for (let n = 0; n < 5; n++) await store().append(begin(`note-${n}`, written()));
      const seen: RecordedEvent[] = [];
      for (let page = await store().readAll({ max: 2 }); page.length > 0;) {
        seen.push(...page);
        page = await store().readAll({ after: seen.at(-1)!.position, max: 2 });
      }

      expect(seen.map(({ stream }) => stream)).toEqual(['note-0', 'note-1', 'note-2', 'note-3', 'note-4']);
      expect(await store().head()).toBe(seen.at(-1)!.position);
      await store().check();
    });
  });

  describe('truncating a stream', () => {
    it('keeps the events from that revision on, and continues the revisions', async () => {
      const appended = await store().append(begin('note-1', written(), moved('out'), closed()));
      await store().truncate('note-1', 2);
      await store().truncate('note-1', 2);

      expect(await store().load('note-1', { from: 2 })).toEqual(appended.events.slice(2));
      expect((await store().load('note-1')).at(-1)).toEqual(appended.events[2]);
      await expect(store().append(begin('note-1', written()))).rejects.toMatchObject({ actual: 2 });
      expect(await store().append(goOn('note-1', 2, written()))).toMatchObject({ revision: 3 });
      expect((await store().load('note-1', { from: 2 })).map(({ revision }) => revision)).toEqual([2, 3]);
    });

    it('hides nothing of other streams', async () => {
      await store().append(begin('note-1', written(), moved('out')));
      await store().append(begin('note-2', written()));
      await store().truncate('note-1', 1);

      expect((await everything()).slice(-2).map(({ stream }) => stream)).toEqual(['note-1', 'note-2']);
    });
  });

  describe('subscribing', () => {
    it('receives every new event in order, before the append resolves', async () => {
      const seen: string[] = [];
      const stop = store().listen({ appended: (events) => seen.push(...events.map(({ stream }) => stream)) });
      const appends = Array.from({ length: 10 }, (_, n) => begin(`note-${n}`, written()));
      const answered = (_: Appended, n: number) => expect(seen).toContain(`note-${n}`);
      await Promise.all(
        appends.map((append, n) =>
          store()
            .append(append)
            .then((it) => answered(it, n)),
        ),
      );
      await store().append(appends[0]!);
      stop();
      await store().append(begin('note-10', written()));

      expect(seen).toEqual(appends.map(({ stream }) => stream));
    });
  });
}

const claimed = () => newEvent({ type: 'Unhandled', data: { text: 'claimed' } });

function idsOf({ events }: Append): string[] {
  return events.map(({ id }) => id);
}
