import { ManualClock } from '../../test/kit/manual-clock.js';
import { ReadingPace, Turns } from './turns.js';

const LIMITS = { ofProcess: 2, ofAccount: 1, ofOwner: 1, waiting: 2 };

describe('turns', () => {
  it('leave a place to other accounts', async () => {
    const turns = new Turns('drawings', LIMITS);
    const end = await turns.take('a', 'bea');
    let isServed = false;
    const second = turns.take('a', 'bob').then((leave) => ((isServed = true), leave));
    await turns.take('b', 'zoe');
    expect(isServed).toBe(false);
    end();
    end();
    expect(await second).toBeInstanceOf(Function);
  });

  it('go to the account with the fewest, however many wait of others', async () => {
    const turns = new Turns('lists', { ofProcess: 4, ofAccount: 2, ofOwner: 2, waiting: 9 });
    const ends = await Promise.all(['a', 'a', 'b', 'b'].map((account) => turns.take(account, account)));
    const served: string[] = [];
    for (const account of ['a', 'a', 'b', 'b', 'c'])
      void turns.take(account, account).then(() => served.push(account));
    ends[0]!();
    await Promise.resolve();
    expect(served).toEqual(['c']);
  });

  it('alternate between accounts with equally many', async () => {
    const turns = new Turns('reads', { ofProcess: 1, ofAccount: 1, ofOwner: 1, waiting: 9 });
    let end = await turns.take('a', 'a');
    const served: string[] = [];
    for (const account of ['a', 'a', 'a', 'b', 'c'])
      void turns.take(account, account).then((leave) => {
        served.push(account);
        end = leave;
      });
    for (let turn = 0; turn < 5; turn++) {
      end();
      await Promise.resolve();
    }
    expect(served).toEqual(['a', 'b', 'c', 'a', 'a']);
  });

  it('are refused to an account of which too many wait', async () => {
    const turns = new Turns('drawings', LIMITS);
    await turns.take('a', 'bea');
    void turns.take('a', 'bea');
    void turns.take('a', 'bob');
    expect(() => turns.take('a', 'eve')).toThrow('Too many drawings at once.');
    expect(await turns.take('b', 'zoe')).toBeInstanceOf(Function);
  });

  it('start at once for an owner without turns, while those of another owner wait', async () => {
    const turns = new Turns('drawings', { ...LIMITS, ofAccount: 2 });
    await turns.take('a', 'bea');
    for (let n = 0; n < LIMITS.waiting; n++) void turns.take('a', 'bea');
    expect(await turns.take('a', 'bob')).toBeInstanceOf(Function);
  });

  it('are refused to a request that has waited too long, which gets no turn then', async () => {
    const clock = new ManualClock();
    const turns = new Turns('drawings', LIMITS, { clock, atMost: 30_000 });
    const end = await turns.take('a', 'bea');
    const late = expect(turns.take('a', 'bea')).rejects.toThrow('Too many drawings at once.');
    clock.advance(30_000);
    await late;
    end();
    expect(await turns.take('a', 'bea')).toBeInstanceOf(Function);
    clock.advance(30_000);
  });
});

/** After how many chunks of 64 kB a client is slow that takes this long for each, up to 1,000. */
function chunksTaken(seconds: number): number {
  const clock = new ManualClock();
  let isSlow = false;
  const pace = new ReadingPace(clock, () => (isSlow = true));
  for (let taken = 0; taken < 1000; taken++) {
    const wanted = pace.given(64_000);
    clock.advance(seconds * 1000);
    wanted();
    if (isSlow) return taken;
  }
  return 1000;
}

describe('the pace of a client', () => {
  it('may be 64 kB a second', () => expect(chunksTaken(0.9)).toBe(1000));
  it('may not be slower for long', () => expect(chunksTaken(10)).toBe(3));
  it('may not stop for 30 seconds', () => expect(chunksTaken(30)).toBe(0));
});
