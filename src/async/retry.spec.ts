import { setImmediate } from 'node:timers/promises';
import { ManualClock } from '../../test/kit/manual-clock.js';
import { exponentialBackoff, LONGEST_BACKOFF_OF_A_CALL_MS, retry, StoreRetry } from './retry.js';
import { UnavailableError } from '../kernel/errors.js';

const failing = (failures: number, error: Error = new Error('failed')) => {
  const attempts: number[] = [];
  const work = async (attempt: number) => {
    attempts.push(attempt);
    if (attempts.length <= failures) throw error;
    return 'done';
  };
  return { attempts, work };
};
const always = () => true;

describe('retrying', () => {
  it('repeats until the work succeeds', async () => {
    const { attempts, work } = failing(3);
    expect(await retry(work, { when: always })).toBe('done');
    expect(attempts).toEqual([1, 2, 3, 4]);
  });

  it('throws an error that is not worth another attempt', async () => {
    const { attempts, work } = failing(3);
    await expect(retry(work, { when: () => false })).rejects.toThrow('failed');
    expect(attempts).toEqual([1]);
  });

  it('throws the last error after the last attempt', async () => {
    const { attempts, work } = failing(9);
    const seen: unknown[] = [];
    const policy = { when: always, attempts: 3, onError: (error: unknown) => seen.push(error) };
    await expect(retry(work, policy)).rejects.toThrow('failed');
    expect([attempts.length, seen.length]).toEqual([3, 2]);
  });

  it('makes no further attempt after the deadline', async () => {
    const { attempts, work } = failing(9);
    await expect(retry(work, { when: always, deadline: { hasPassed: true } })).rejects.toThrow('failed');
    expect(attempts).toEqual([1]);
  });

  it('makes no further attempt when the deadline passes during a wait', async () => {
    const { attempts, work } = failing(9);
    const deadline = { hasPassed: false };
    const wait = async () => void (deadline.hasPassed = true);
    await expect(retry(work, { when: always, wait, deadline })).rejects.toThrow('failed');
    expect(attempts).toEqual([1]);
  });

  it('makes one last attempt when the signal aborts during a wait', async () => {
    const { attempts, work } = failing(9);
    const stop = new AbortController();
    const wait = async () => stop.abort();
    await expect(retry(work, { when: always, wait, signal: stop.signal })).rejects.toThrow('failed');
    expect(attempts).toEqual([1, 2]);
  });

  it('waits 100 ms, 200 ms … 10 s after failures, at least half of that', () => {
    const longest = [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000];
    const waits = longest.map((_, n) => exponentialBackoff(n + 1));
    expect(waits.map((ms, n) => ms >= longest[n]! / 2 && ms <= longest[n]!)).toEqual(longest.map(() => true));
  });

  it('waits at most a second between the attempts of one call', () => {
    const waits = Array.from({ length: 12 }, (_, n) =>
      exponentialBackoff(n + 1, LONGEST_BACKOFF_OF_A_CALL_MS),
    );
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_000);
    expect(Math.min(...waits.slice(4))).toBeGreaterThanOrEqual(500);
  });
});

describe('retrying while a store is unavailable', () => {
  it('waits between attempts and reports each failure', async () => {
    const clock = new ManualClock();
    const errors: unknown[] = [];
    const { work } = failing(2, new UnavailableError('down'));
    const done = new StoreRetry(clock, (error) => errors.push(error)).whileUnavailable(
      () => work(0),
      new AbortController().signal,
    );
    for (let n = 0; n < 10; n++) {
      await setImmediate();
      clock.advance(100);
    }
    expect([await done, errors.length]).toEqual(['done', 2]);
  });

  it('makes no attempt once the signal has aborted', async () => {
    const { attempts, work } = failing(0);
    const store = new StoreRetry(new ManualClock(), () => undefined);
    await expect(store.whileUnavailable(() => work(0), AbortSignal.abort())).rejects.toThrow('abort');
    expect(attempts).toEqual([]);
  });

  it('throws other errors at once', async () => {
    const { work } = failing(2);
    const store = new StoreRetry(new ManualClock(), () => undefined);
    await expect(store.whileUnavailable(() => work(0), new AbortController().signal)).rejects.toThrow(
      'failed',
    );
  });
});
