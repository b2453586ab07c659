import type { ChangesPart } from './change-cursors.js';
import { SharedReads } from './shared-reads.js';

const next = { cursor: 'c', position: '0002', at: '2026-11-26T12:00:00.000Z' };
const part = (hasMore: boolean): ChangesPart => ({ items: [], next, hasMore });
const here = { hasLeft: () => false };

describe('reads of readers that want the same', () => {
  const reads = (...answers: (ChangesPart | Error)[]) => {
    const shared = new SharedReads();
    let begun = 0;
    const begin = async () => {
      const answer = answers[begun++]!;
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const read = (end: string, reader = here) => shared.read('key', end, reader, begin);
    return { shared, read, begun: () => begun };
  };

  it('are one read, under way or just done', async () => {
    const { read, begun } = reads(part(false));
    const [first, second] = await Promise.all([read('5'), read('5')]);
    expect([second, await read('5')]).toEqual([first, first]);
    expect(begun()).toBe(1);
  });

  it('begin anew once the index has gone on, so that no event is missed', async () => {
    const { read, begun } = reads(part(false), part(false));
    const first = read('5');
    await Promise.all([first, read('6')]);
    await read('6');
    expect(begun()).toBe(2);
  });

  it('keep what nothing changes', async () => {
    const { read, begun } = reads(part(true));
    await read('5');
    await read('6');
    expect(begun()).toBe(1);
  });

  it('begin anew after a rollback, also while one is under way', async () => {
    const { shared, read, begun } = reads(part(true), part(true));
    const first = read('5');
    shared.clear();
    await first;
    await read('5');
    expect(begun()).toBe(2);
  });

  it('begin anew after a failure', async () => {
    const { read } = reads(new Error('no answer'), part(true));
    await expect(read('5')).rejects.toThrow('no answer');
    expect(await read('5')).toEqual(part(true));
  });

  it('go on until all that share one have left, and keep nothing then', async () => {
    const shared = new SharedReads();
    const left = new Set<string>();
    const stops: (() => boolean)[] = [];
    let end: ((read: ChangesPart) => void) | undefined;
    const begin = (hasLeft: () => boolean) => {
      stops.push(hasLeft);
      return new Promise<ChangesPart>((resolve) => (end = resolve));
    };
    const read = (name: string) => shared.read('key', '5', { hasLeft: () => left.has(name) }, begin);
    const both = [read('bea'), read('bob')];
    left.add('bea');
    expect(stops[0]!()).toBe(false);
    left.add('bob');
    expect(stops[0]!()).toBe(true);
    end!(part(true));
    await Promise.all(both);
    void read('zoe');
    expect(stops).toHaveLength(2);
  });
});
