import type { Fixture } from './implementations.js';
import { armed, begin, disarmed, goOn } from './sample-appends.js';

const at = (second: number) => `2026-11-21T12:00:${String(second).padStart(2, '0')}.000Z`;

export function timerStoreContract(fixture: Fixture): void {
  const timers = () => fixture.stores.timers;
  const append = fixture.append;
  const due = async (second: number, limit = 10) =>
    (await timers().due(at(second), limit)).map(({ payload }) => payload.subject).join(' ');

  describe('timers', () => {
    it('are due from their time on, earliest first', async () => {
      await append(begin('note-1', armed('late', at(30)), armed('soon', at(10)), armed('next', at(20))));

      expect(await due(9)).toBe('');
      expect(await due(10)).toBe('soon');
      expect(await due(30)).toBe('soon next late');
      expect(await due(30, 2)).toBe('soon next');
      expect(await timers().next()).toBe(at(10));
    });

    it('go when they are disarmed and move when they are armed again', async () => {
      await append(begin('note-1', armed('x', at(10)), armed('y', at(20))));
      await append(goOn('note-1', 1, disarmed('x'), armed('y', at(5))));
      await fixture.reopen();

      expect(await due(30)).toBe('y');
      expect(await timers().next()).toBe(at(5));
      await append(goOn('note-1', 3, disarmed('y')));
      expect(await timers().next()).toBeUndefined();
    });

    it('can be deferred, by whoever knows the event that armed them', async () => {
      await append(begin('note-1', armed('x', at(10))));
      const [timer] = await timers().due(at(10), 1);
      await timers().defer(timer!, at(20));

      expect(await due(19)).toBe('');
      expect(await timers().next()).toBe(at(20));
      await append(goOn('note-1', 0, armed('x', at(15))));
      await timers().defer(timer!, at(40));
      expect(await due(15)).toBe('x');
      await append(goOn('note-1', 1, disarmed('x')));
      await timers().defer(timer!, at(40));
      await fixture.reopen();
      expect(await timers().next()).toBeUndefined();
    });
  });
}
