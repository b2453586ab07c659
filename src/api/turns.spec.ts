import { ManualClock } from '../../test/kit/manual-clock.js';
import { Turns } from './turns.js';

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

  it('are refused to an account of which too many wait', async () => {
    const turns = new Turns('drawings', LIMITS);
    await turns.take('a', 'bea');
    void turns.take('a', 'bea');
    void turns.take('a', 'bob');
    expect(() => turns.take('a', 'eve')).toThrow('Too many drawings at once.');
    expect(await turns.take('b', 'zoe')).toBeInstanceOf(Function);
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
