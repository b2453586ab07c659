import { timerWorld } from '../../../test/kit/timer-world.js';

describe('two timers of a subject', () => {
  it('are sent at their times, earliest first', async () => {
    const { arm, setLimit, newLoop, pass, sent } = timerWorld();
    await arm('x', 20);
    await setLimit('x', 10);
    newLoop(async () => false).start();
    await pass(0);
    await pass(10_000);
    expect(sent).toEqual(['limit of x']);
    await pass(10_000);
    expect(sent).toEqual(['limit of x', 'limit of x', 'x']);
    await pass(29_999);
    expect(sent).toHaveLength(3);
  });

  it('do not wait for each other when heartbeats defer one', async () => {
    const { arm, setLimit, newLoop, clock, pass, sent, stores } = timerWorld();
    await arm('x', 60, { by: 'lease:1', forMs: 60_000 });
    await setLimit('x', 70);
    newLoop(async () => false).start();
    await pass(0);
    await pass(50_000);
    await stores.liveness.recordHeartbeat(['lease:1'], clock.now());
    await pass(19_999);
    expect(sent).toEqual([]);
    await pass(1);
    expect(sent).toEqual(['limit of x']);
    await pass(39_999);
    expect(sent).not.toContain('x');
    await pass(1);
    expect(sent).toContain('x');
  });

  it('are both rescheduled when an event arms one while the other is deferred', async () => {
    const { arm, setLimit, newLoop, pass, sent, timers } = timerWorld();
    await arm('x', 10);
    const deferring = timers.setVolatile.bind(timers);
    timers.setVolatile = async (view, change) => {
      timers.setVolatile = deferring;
      await setLimit('x', 20);
      return deferring(view, change);
    };
    newLoop(async () => false).start();
    await pass(0);
    await pass(10_000);
    await pass(10);
    await pass(9_990);
    expect(sent).toContain('limit of x');
  });
});
