import fc from 'fast-check';
import { endAll } from './end-all.js';

/** Things in the order of their creation. The read model follows when it is waited for. */
function world(stubborn: readonly boolean[]) {
  const ended = new Set<number>();
  const ends: number[] = [];
  let shown = new Set<number>();
  return {
    ended,
    ends,
    events: { waitUntilProjected: async () => void (shown = new Set(ended)) },
    ending: {
      async list({ limit, offset }: { limit: number; offset: number }) {
        const listed = [...stubborn.keys()].filter((one) => !shown.has(one));
        return listed.slice(offset, offset + limit);
      },
      async end(one: number) {
        ends.push(one);
        if (stubborn[one]) return false;
        await new Promise(setImmediate);
        ended.add(one);
        return true;
      },
    },
  };
}

describe('ending all items of a list', () => {
  it('ends every endable item among any number of others', async () => {
    const some = fc.array(fc.boolean(), { maxLength: 450 });
    await fc.assert(
      fc.asyncProperty(some, async (stubborn) => {
        const { ended, ends, events, ending } = world(stubborn);
        await endAll(events, ending);
        expect(ended.size).toBe(stubborn.filter((cannot) => !cannot).length);
        // What cannot be ended is asked in the first look and in the last.
        expect(ends.length).toBeLessThanOrEqual(stubborn.length * 2);
      }),
    );
  });

  it('has ended every item when the first of two concurrent runs is done', async () => {
    const { ended, events, ending } = world(Array<boolean>(450).fill(false));
    // The second one finds ended what the first one ends meanwhile.
    const slower = { ...ending, end: async (one: number) => (await ending.end(one)) && ending.end(one) };
    await Promise.race([endAll(events, ending), endAll(events, slower)]);
    expect(ended.size).toBe(450);
  });

  it('skips ended items in a wrong list', async () => {
    const { ended, events, ending } = world(Array<boolean>(250).fill(false));
    const wrong = [-1, -2];
    const list = async ({ limit, offset }: { limit: number; offset: number }) => {
      const right = await ending.list({ limit: 1_000, offset: 0 });
      return [...wrong, ...right].slice(offset, offset + limit);
    };
    const asked: number[] = [];
    const end = async (one: number) => {
      asked.push(one);
      if (asked.length > 2_000) throw new Error('asked for ever');
      return one < 0 || ending.end(one);
    };
    await endAll(events, { list, end });
    expect(ended.size).toBe(250);
  });

  it('includes items that become endable meanwhile', async () => {
    const stubborn = Array.from({ length: 250 }, (_, n) => n < 120);
    const { ended, events, ending } = world(stubborn);
    const end = (one: number) => {
      if (one === 249) stubborn.fill(false);
      return ending.end(one);
    };
    await endAll(events, { ...ending, end });
    expect(ended.size).toBe(250);
  });
});
