import { getHeapStatistics } from 'node:v8';
import { collectGarbage, pollingForIdleness } from './heap-of-start.js';

describe('freeing the heap of the start', () => {
  const freed = (shares: readonly number[]) => {
    const remaining = [...shares];
    const frees: number[] = [];
    const poll = pollingForIdleness(
      () => remaining.shift()!,
      () => frees.push(shares.length - remaining.length),
    );
    while (remaining.length > 0) if (poll()) return { frees, polls: shares.length - remaining.length };
    return { frees };
  };

  it('polls until the event loop is idle', () => {
    expect(freed([0.9, 0.3, 0.01, 0.01])).toEqual({ frees: [3], polls: 3 });
  });

  it('leaves it to V8 when the event loop is busy for a minute', () => {
    expect(freed(Array<number>(100).fill(0.5))).toEqual({ frees: [], polls: 60 });
  });

  it('returns memory to the system', async () => {
    const used = () => getHeapStatistics().total_heap_size;
    let garbage: object[] = Array.from({ length: 300_000 }, (_, n) => ({ n, text: String(n) }));
    expect(garbage).toHaveLength(300_000);
    const before = used();
    garbage = [];
    await collectGarbage();
    expect(used()).toBeLessThan(before);
  });
});
