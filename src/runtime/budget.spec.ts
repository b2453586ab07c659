import { UnavailableError } from '../ports/event-store.port.js';
import { Budget } from './budget.js';

const never = () => new Promise<never>(() => undefined);

describe('waiting on a budget', () => {
  it('answers what is there in time', async () => {
    expect(await new Budget(1_000).within(async () => 'answer')).toBe('answer');
  });

  it('tells what went wrong in time', async () => {
    const wrong = new Error('wrong');
    await expect(new Budget(1_000).within(() => Promise.reject(wrong))).rejects.toBe(wrong);
  });

  it('ends when it is spent, and not anew for each try', async () => {
    const budget = new Budget(30);
    const began = performance.now();
    await expect(budget.within(never)).rejects.toMatchObject({ outcome: 'unknown' });
    expect(budget.isSpent).toBe(true);
    await expect(budget.within(never)).rejects.toBeInstanceOf(UnavailableError);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
