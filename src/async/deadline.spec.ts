import { manualTime } from '../../test/kit/manual-time.js';
import { Deadline, withTimeout } from './deadline.js';

const never = () => new Promise<never>(() => undefined);

describe('waiting with a timeout', () => {
  it('resolves with an answer that comes in time', async () => {
    expect(await withTimeout(1_000, 'work', async () => 'answer')).toBe('answer');
  });

  it('rejects with an error that comes in time', async () => {
    const wrong = new Error('wrong');
    await expect(withTimeout(1_000, 'work', () => Promise.reject(wrong))).rejects.toBe(wrong);
  });

  it('names the work and the time that passed', async () => {
    await expect(withTimeout(20, 'reading the head', never)).rejects.toThrow(
      'reading the head: no answer within 20 ms',
    );
  });
});

describe('a deadline', () => {
  const pass = manualTime();

  it('counts for all attempts together', async () => {
    const deadline = new Deadline(30);
    const work = deadline.within('work', never);
    pass(30);
    await expect(work).rejects.toMatchObject({ outcome: 'unknown' });
    expect(deadline.hasPassed).toBe(true);
  });

  it('sends nothing after the deadline', async () => {
    const sent: string[] = [];
    const work = async () => void sent.push('late');
    const late = new Deadline(0).within('appending to job-1', work);
    await expect(late).rejects.toMatchObject({
      message: 'appending to job-1: no time is left',
      outcome: 'not_written',
    });

    expect(sent).toEqual([]);
  });
});
