import { ANY_OWNER, LogIndex } from '../../src/event-sourcing/log-index/log-index.js';
import type { IndexBlock, IndexBlocks } from '../../src/event-sourcing/ports/index-blocks.port.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import { positionFromNumber } from '../../src/event-sourcing/write/event-codec.js';
import { UnavailableError } from '../../src/kernel/errors.js';
import { soon } from '../kit/polling.js';
import type { Fixture } from './implementations.js';
import { begin, closed, goOn, moved, written } from './sample-appends.js';

/** Longer than a test may take. */
const HOUR = 3_600_000;
const at = positionFromNumber;
const block = (owner: string, first: number, count: number): IndexBlock => ({
  ...{ owner, first: at(first), count, bytes: Uint8Array.of(first, count) },
});
const named = ({ owner, first, count, bytes }: IndexBlock) => [owner, Number(first), count, [...bytes]];

export function indexBlocksContract(fixture: Fixture): void {
  const blocks = () => fixture.stores.indexBlocks;

  describe('blocks of the log index', () => {
    beforeEach(() =>
      blocks().put([block('a', 10, 2), block('a', 200, 2), block('a', 3_000, 1), block('b', 5, 1)]),
    );

    it.each([
      ['', 9, [10, 200, 3_000]],
      [at(9), 9, [10, 200, 3_000]],
      [at(10), 9, [10, 200, 3_000]],
      [at(199), 1, [10]],
      [at(200), 9, [200, 3_000]],
      [at(9_999), 9, [3_000]],
    ])('are read from the one that holds %s', async (position, max, firsts) => {
      expect((await blocks().from('a', position, max)).map(({ first }) => Number(first))).toEqual(firsts);
    });

    it('are found by their owner alone, across a restart', async () => {
      await fixture.reopen();
      expect((await blocks().from('b', '', 9)).map(named)).toEqual([['b', 5, 1, [5, 1]]]);
      expect(await blocks().from('c', '', 9)).toEqual([]);
      expect((await blocks().newest(['a', 'b', 'c'])).map(named)).toEqual([
        ['a', 3_000, 1, [0xb8, 1]],
        ['b', 5, 1, [5, 1]],
      ]);
    });

    it('are replaced by those with more entries only', async () => {
      const put = [block('a', 10, 1), block('a', 3_000, 128), block('b', 5, 3), block('b', 900, 1)];
      await Promise.all(put.map((one) => blocks().put([one])));
      expect((await blocks().from('a', '', 9)).map(({ count }) => count)).toEqual([2, 2, 128]);
      expect((await blocks().from('b', '', 9)).map(({ count }) => count)).toEqual([3, 1]);
    });

    it('are removed by the order of their owners', async () => {
      await blocks().put([block('~1.a', 7, 1), block('~2.a', 7, 1)]);
      await blocks().clear('~2.');
      expect((await blocks().newest(['a', 'b', '~1.a', '~2.a'])).map(({ owner }) => owner)).toEqual(['~2.a']);
    });
  });
}

/** Owner of a note: its account. Of the sample events only `NoteWritten` names it, so streams are read. */
export function logIndexContract(fixture: Fixture): void {
  const running: LogIndex[] = [];
  const failures: unknown[] = [];

  /** An index over the stores, as one instance has it. */
  const opened = (isKeeper = true, blocks = fixture.stores.indexBlocks) => {
    const { events, checkpoints } = fixture.stores;
    const ownersOf = async ({ stream }: RecordedEvent) => {
      const [first] = await events.load(stream, { max: 1 });
      const { account } = first!.data as { account?: string };
      return account === undefined ? [] : [account, 'partner'];
    };
    const isPublic = ({ type }: RecordedEvent) => type === 'NoteWritten' || type === 'NoteClosed';
    const index = new LogIndex({ events, checkpoints, blocks }, fixture.clock, {
      ...{ name: 'notes', isPublic, ownersOf, storedAt: 4, onError: (error) => void failures.push(error) },
    });
    index.start();
    if (isKeeper) index.keeper.start();
    running.push(index);
    return index;
  };

  /** Notes of the accounts, closed at once or not. */
  const happen = async (...accounts: string[]) => {
    for (const account of accounts) {
      const note = `note-${account}-${noted++}`;
      await fixture.append(
        begin(note, written('x', account), written('y', account)),
        goOn(note, 1, closed()),
      );
    }
  };
  let noted = 0;

  const lastOf = (account: string) => ({ stream: expect.stringMatching(`^note-${account}-`), revision: 2 });

  const placesOf = async (index: LogIndex, owner: string, pageSize = 3) => {
    await index.reachHead(5_000);
    const places: string[] = [];
    for (let position = ''; ;) {
      const page = await index.after(owner, position, pageSize);
      places.push(...page.map(({ stream, revision }) => `${stream}@${revision}`));
      if (page.length < pageSize) return places;
      position = page.at(-1)!.position;
    }
  };
  const expected = async (...accounts: string[]) =>
    (await fixture.stores.events.readAll({ max: 10_000 }))
      .filter(({ stream }) => accounts.includes(stream.split('-')[1]!))
      .map(({ stream, revision }) => `${stream}@${revision}`);

  describe('the log index', () => {
    afterEach(async () => {
      for (const index of running.splice(0)) await index.stop();
      expect(failures.splice(0)).toEqual([]);
    });

    it('lists the events of each owner in the order of the log', async () => {
      const index = opened();
      await happen('a', 'b', 'a', 'b', 'c');
      expect(await placesOf(index, 'a')).toEqual(await expected('a'));
      expect(await placesOf(index, 'b')).toEqual(await expected('b'));
      expect(await placesOf(index, 'partner')).toEqual(await expected('a', 'b', 'c'));
      expect(await placesOf(index, 'nobody')).toEqual([]);
    });

    it('goes on after a restart with what is stored, and reads the rest of the log', async () => {
      await happen('a', 'b', 'a');
      const before = opened();
      expect(await placesOf(before, 'a')).toEqual(await expected('a'));
      await before.keeper.stop();
      await running.pop()!.stop();
      await fixture.reopen();
      await happen('a', 'b');
      const after = opened();
      expect(await placesOf(after, 'a')).toEqual(await expected('a'));
      expect(await placesOf(after, 'partner')).toEqual(await expected('a', 'b'));
    });

    it('lists the same on every instance, whichever stores it', async () => {
      const [keeper, other] = [opened(true), opened(false)];
      for (let n = 0; n < 6; n++) {
        await happen('a', 'b');
        for (const index of [keeper, other]) expect(await placesOf(index, 'a')).toEqual(await expected('a'));
        await keeper.keeper.stop();
        keeper.keeper.start();
      }
      expect(await fixture.stores.checkpoints.get('notes')).toBeDefined();
    });

    it('lists the events of all owners from the log, stored or not', async () => {
      const index = opened();
      await happen('a');
      const all = await expected('a');
      await fixture.append(goOn(all[0]!.split('@')[0]!, 2, moved('out')));
      await happen('b');
      all.push(...(await expected('b')));
      expect(await placesOf(index, ANY_OWNER)).toEqual(all);
      await index.keeper.stop();
      expect(await placesOf(index, ANY_OWNER)).toEqual(all);
      expect(await index.newest(ANY_OWNER)).toMatchObject(lastOf('b'));
      await happen('c');
      await index.reachHead(5_000);
      expect(await index.newest(ANY_OWNER)).toMatchObject(lastOf('c'));
    });

    it('names the newest event of an owner, stored or not', async () => {
      const index = opened();
      expect(await index.newest('a')).toBeUndefined();
      await happen('a', 'b');
      await index.reachHead(5_000);
      expect(await index.newest('a')).toMatchObject(lastOf('a'));
      await index.keeper.stop();
      await happen('b');
      expect(await index.newest('a')).toMatchObject(lastOf('a'));
    });

    it('tells its listeners whose events it has added', async () => {
      const index = opened();
      const told = new Set<string>();
      index.listen((owners) => owners.forEach((owner) => told.add(owner)));
      await happen('a', 'b');
      await index.reachHead(5_000);
      expect([...told].sort()).toEqual(['a', 'b', 'partner']);
    });

    it('opens once the store answers', async () => {
      const { checkpoints } = fixture.stores;
      const get = checkpoints.get.bind(checkpoints);
      const unavailable = new UnavailableError('down', 'not_written');
      checkpoints.get = async () => {
        checkpoints.get = get;
        throw unavailable;
      };
      const index = opened();
      await soon(() => failures.length > 0);
      expect(failures.splice(0)).toEqual([unavailable]);
      fixture.clock.advance(60_000);
      await happen('a');
      expect(await placesOf(index, 'a')).toEqual(await expected('a'));
    });

    it('has reached the head once it has opened, if everything is stored', async () => {
      await happen('a');
      const before = opened();
      await before.reachHead(5_000);
      await before.keeper.stop();
      const { checkpoints, events } = fixture.stores;
      const get = checkpoints.get.bind(checkpoints);
      let goOn = () => {};
      const held = new Promise<void>((resolve) => (goOn = resolve));
      checkpoints.get = async (name) => {
        await held;
        return get(name);
      };
      const reached = opened(false).reachHead(HOUR);
      await events.head();
      checkpoints.get = get;
      goOn();
      expect(await reached).toBe(true);
    });

    it.each(['clear', 'put'] as const)('stays whole when a late keeper goes on with %s', async (call) => {
      await happen('a', 'b', 'a');
      const late = dying(fixture.stores.indexBlocks, call);
      const first = opened(true, late.blocks);
      await late.reached;
      const second = opened();
      await happen('a', 'b');
      await placesOf(second, 'a');
      await second.keeper.stop();
      late.goOn();
      await first.keeper.stop();
      // A reader with a full memory looks a second later whether another keeper has stored it.
      fixture.clock.advance(2_000);
      await happen('b');
      for (const index of [first, second, opened(false)]) {
        expect(await placesOf(index, 'a')).toEqual(await expected('a'));
        expect(await placesOf(index, 'partner')).toEqual(await expected('a', 'b'));
      }
      for (const failure of failures.splice(0)) expect(String(failure)).toContain('gone');
    });

    it('refuses blocks of a build that another instance has replaced, until it has opened the new one', async () => {
      const { checkpoints } = fixture.stores;
      await happen('a', 'b', 'a');
      const before = opened();
      await before.reachHead(5_000);
      await before.keeper.stop();
      await running.pop()!.stop();
      const late = opened(false);
      expect(await placesOf(late, 'a')).toEqual(await expected('a'));
      // As after a rollback of which `late` has not heard yet.
      const build = (await checkpoints.get('notes'))!.split(' ').at(-1)!;
      await checkpoints.put(
        'notes',
        `${at(9_999_999)} note-lost-1 1 00000000-0000-7000-8000-000000000000 ${build}`,
      );
      const next = opened();
      await next.reachHead(5_000);
      await next.keeper.stop();
      await expect(late.after('a', '', 9)).rejects.toThrow(UnavailableError);
      await expect(late.newest('a')).rejects.toThrow(UnavailableError);
      await happen('b');
      expect(await placesOf(late, 'a')).toEqual(await expected('a'));
    });

    it.each([2, 9_999_999])('is built anew when the checkpoint names a lost event at %d', async (lostAt) => {
      await fixture.stores.checkpoints.put(
        'notes',
        `${at(lostAt)} note-lost-1 1 00000000-0000-7000-8000-000000000000`,
      );
      await happen('a');
      const stale = {
        owner: 'a',
        first: at(1),
        count: 2,
        bytes: Uint8Array.of(0, 0, 0, 2, 110, 45, 1, 65, 0, 0, 0),
      };
      await fixture.stores.indexBlocks.put([stale]);
      const index = opened();
      await happen('a', 'a');
      expect(await placesOf(index, 'a')).toEqual(await expected('a'));
      await index.keeper.stop();
      expect(await placesOf(index, 'a')).toEqual(await expected('a'));
      const stored = await fixture.stores.checkpoints.get('notes');
      const newest = (await fixture.stores.events.readAll({ max: 10_000 })).at(-1)!;
      expect(stored).toContain(newest.id);
      expect(await placesOf(opened(false), 'a')).toEqual(await expected('a'));
    });
  });
}

/** The first call of this name waits to go on; after it every call fails, as in a process that has ended. */
function dying(blocks: IndexBlocks, call: 'clear' | 'put') {
  let reach = () => {};
  let goOn = () => {};
  let isDead = false;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const going = new Promise<void>((resolve) => (goOn = resolve));
  const held = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    if (isDead) throw new UnavailableError('gone', 'not_written');
    if (name !== call) return work();
    reach();
    await going;
    isDead = true;
    return work();
  };
  const wrapped: IndexBlocks = {
    from: (...given) => blocks.from(...given),
    newest: (owners) => held('newest', () => blocks.newest(owners)),
    put: (some) => held('put', () => blocks.put(some)),
    clear: (before) => held('clear', () => blocks.clear(before)),
  };
  return { blocks: wrapped, reached, goOn: () => goOn() };
}
