import { batched } from './batched.js';

/** Doubles numbers; negative ones it cannot. */
function doubling(most?: number) {
  const calls: (readonly number[])[] = [];
  const double = batched<number, number>(async (numbers) => {
    calls.push(numbers);
    return numbers.map((n) => (n < 0 ? new Error(`${n} is negative`) : n * 2));
  }, most);
  return { calls, double };
}

describe('batching requests of one event-loop turn', () => {
  it('makes one call and returns each answer', async () => {
    const { calls, double } = doubling();
    expect(await Promise.all([double(3), double(1), double(3)])).toEqual([6, 2, 6]);
    expect(calls).toEqual([[3, 1, 3]]);
  });

  it('does not cache answers', async () => {
    const { calls, double } = doubling();
    await double(1);
    await double(1);
    expect(calls).toEqual([[1], [1]]);
  });

  it('fails only the requests whose answer is an error', async () => {
    const { double } = doubling();
    const [fine, bad] = await Promise.allSettled([double(1), double(-1)]);
    expect(fine).toEqual({ status: 'fulfilled', value: 2 });
    expect(bad).toMatchObject({ status: 'rejected', reason: { message: '-1 is negative' } });
  });

  it('limits the size of a call', async () => {
    const { calls, double } = doubling(2);
    await Promise.all([1, 2, 3, 4, 5].map(double));
    expect(calls).toEqual([[1, 2], [3, 4], [5]]);
  });
});
