import { CoalescedRun } from './repeated-run.js';

describe('coalescing runs', () => {
  let ends: { resolve: () => void; reject: (error: Error) => void }[];
  let turns: CoalescedRun;
  beforeEach(() => {
    ends = [];
    turns = new CoalescedRun(() => new Promise((resolve, reject) => ends.push({ resolve, reject })));
  });

  it('runs for the first request, and once more for all requests meanwhile', async () => {
    const first = turns.request();
    const others = [turns.request(), turns.request(), turns.request()];
    expect(ends).toHaveLength(1);
    ends[0]!.resolve();
    await first;
    await Promise.resolve();
    await new Promise(setImmediate);
    expect(ends).toHaveLength(2);
    ends[1]!.resolve();
    await Promise.all(others);

    expect(ends).toHaveLength(2);
  });

  it('fails the waiting requests with the current run, and runs again for later ones', async () => {
    const [first, second] = [turns.request(), turns.request()];
    ends[0]!.reject(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await expect(second).rejects.toThrow('no');
    expect(ends).toHaveLength(1);
    const third = turns.request();
    ends[1]!.resolve();

    await expect(third).resolves.toBeUndefined();
  });
});
