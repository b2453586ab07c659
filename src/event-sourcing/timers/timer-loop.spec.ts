import { at, settled, timerWorld } from '../../../test/kit/timer-world.js';
import type { KeptAlive } from '../../kernel/process.js';

describe('a timer', () => {
  it('is sent at its time, not earlier', async () => {
    const { arm, newLoop, pass, sent } = timerWorld();
    await arm('x', 20);
    newLoop().start();
    await pass(0);
    await pass(19_999);
    expect(sent).toEqual([]);
    await pass(1);
    expect(sent).toEqual(['x']);
    await pass(3_600_000);
    expect(sent).toEqual(['x']);
  });

  it('is sent on time if armed while the loop sleeps', async () => {
    const { arm, newLoop, pass, sent } = timerWorld();
    newLoop().start();
    await pass(0);
    await arm('x', 0);
    await pass(10);
    expect(sent).toEqual(['x']);
  });

  it('is sent on time if armed for later while the loop sleeps, and read only then', async () => {
    const { arm, newLoop, pass, read, sent, timers } = timerWorld();
    newLoop().start();
    await pass(0);
    const { next } = timers.calls;
    await arm('x', 5);
    await read('x');
    await pass(4_999);
    expect(timers.calls.next).toBe(next);
    await pass(1);
    expect(sent).toEqual(['x']);
  });

  it('is sent late, earliest first, after a stop of the loop', async () => {
    const { arm, newLoop, clock, sent } = timerWorld();
    await arm('second', 20);
    await arm('first', 10);
    clock.advance(3_600_000);
    newLoop().start();
    clock.advance(0);
    await settled();
    expect(sent).toEqual(['first', 'second']);
  });

  it('is sent again after an unknown outcome, and the repeat changes nothing', async () => {
    const { arm, newLoop, clock, stores, due, errors } = timerWorld();
    await arm('x', 10);
    const loops = [newLoop(), newLoop()];
    clock.advance(10_000);
    for (const loop of loops) loop.start();
    await Promise.all(loops.map((loop) => loop.runDue()));
    expect((await stores.events.load('note-x')).map(({ type }) => type)).toEqual(['Armed', 'Done']);
    expect(await due.next()).toBeUndefined();
    expect(errors.length).toBeLessThanOrEqual(1);
  });

  it('is retried after half a minute if it changed nothing', async () => {
    const { arm, newLoop, pass, sent, timers } = timerWorld();
    await arm('x', 10);
    newLoop(async () => false).start();
    await pass(0);
    await pass(10_000);
    expect(sent).toHaveLength(1);
    await pass(29_999);
    expect(sent).toHaveLength(1);
    await pass(1);
    expect(sent).toHaveLength(2);
    expect(timers.calls.due).toBeLessThan(12);
  });

  it('is retried after a second if its command fails, and blocks no other', async () => {
    const { arm, newLoop, finish, pass, sent, errors } = timerWorld();
    await arm('broken', 10);
    await arm('sound', 10);
    let working = false;
    const loop = newLoop(async (subject) => {
      if (subject === 'broken' && !working) throw new Error('not now');
      return finish(subject);
    });
    loop.start();
    await pass(0);
    await pass(10_000);
    expect(sent).toEqual(['broken', 'sound']);
    expect(errors).toHaveLength(1);
    working = true;
    await pass(999);
    expect(sent).toHaveLength(2);
    await pass(1);
    expect(sent).toEqual(['broken', 'sound', 'broken']);
    expect(errors).toHaveLength(1);
  });
});

describe('a timer extended by heartbeats', () => {
  it('waits for the grace after the last heartbeat', async () => {
    const { arm, newLoop, clock, pass, sent, stores } = timerWorld();
    await arm('x', 60, { by: 'lease:1', forMs: 60_000 });
    newLoop().start();
    await pass(0);
    await pass(40_000);
    await stores.liveness.recordHeartbeat(['lease:1'], clock.now());
    await pass(59_999);
    expect(sent).toEqual([]);
    await pass(1);
    expect(sent).toEqual(['x']);
  });

  it('never waits longer than its limit', async () => {
    const { arm, newLoop, clock, pass, sent, stores } = timerWorld();
    await arm('x', 60, { by: 'lease:1', forMs: 60_000, atMost: at(100) });
    newLoop().start();
    await pass(0);
    for (let second = 0; second < 99; second++) {
      await stores.liveness.recordHeartbeat(['lease:1'], clock.now());
      await pass(1000);
    }
    expect(sent).toEqual([]);
    await pass(1000);
    expect(sent).toEqual(['x']);
  });

  it('is not shortened by an old heartbeat', async () => {
    const { arm, newLoop, clock, pass, sent, stores } = timerWorld();
    await stores.liveness.recordHeartbeat(['lease:1'], clock.now());
    await arm('x', 90, { by: 'lease:1', forMs: 60_000 });
    newLoop().start();
    await pass(0);
    await pass(89_999);
    expect(sent).toEqual([]);
    await pass(1);
    expect(sent).toEqual(['x']);
  });
});

describe('a start of the service', () => {
  const DAY = 86_400_000;

  it.each<[string, KeptAlive]>([
    ['that heartbeats prolong', { by: 'lease:1', forMs: 60_000 }],
    ['that heartbeats prolong only so far', { by: 'lease:1', forMs: 60_000, atMost: at(90) }],
    ['that nothing else prolongs', { forMs: 60_000 }],
  ])('restarts a whole grace: one %s', async (_, keptAlive) => {
    const { arm, newLoop, pass, sent } = timerWorld();
    await arm('x', 60, keptAlive);
    await pass(3 * DAY);
    newLoop().start();
    await pass(0);
    await pass(59_999);
    expect(sent).toEqual([]);
    await pass(1);
    expect(sent).toEqual(['x']);
  });

  it('does not delay a timer that measures no silence', async () => {
    const { arm, newLoop, pass, sent } = timerWorld();
    await arm('x', 60);
    await pass(3 * DAY);
    newLoop().start();
    await pass(0);
    expect(sent).toEqual(['x']);
  });

  it('extends no grace that began after it', async () => {
    const { arm, newLoop, pass, sent } = timerWorld();
    newLoop().start();
    await pass(10_000);
    await arm('x', 70, { forMs: 60_000 });
    await pass(59_999);
    expect(sent).toEqual([]);
    await pass(1);
    expect(sent).toEqual(['x']);
  });

  it('extends a grace once at most if the clock was wrong', async () => {
    const { arm, newLoop, clock, pass, sent } = timerWorld();
    clock.set(at(365 * 86_400));
    const loop = newLoop();
    clock.set(at(0));
    await arm('x', 60, { forMs: 60_000 });
    loop.start();
    await pass(60_000);
    await pass(60_000);
    expect(sent).toEqual(['x']);
  });
});

describe('ten thousand armed timers', () => {
  it('cost nothing but the due one', async () => {
    const { arm, newLoop, pass, sent, timers } = timerWorld();
    await Promise.all(Array.from({ length: 10_000 }, (_, n) => arm(`n${n}`, 1000 + n)));
    await arm('due', 10);
    newLoop().start();
    await pass(0);
    await pass(10_000);
    expect(sent).toEqual(['due']);
    expect(timers.found).toBe(1);
    expect(timers.calls.due).toBeLessThan(8);
    expect(timers.calls.next).toBeLessThan(8);
    expect(timers.calls.defer).toBe(0);
  });
});

describe('the loop', () => {
  it('queries the store once per round without due timers', async () => {
    const { arm, newLoop, pass, timers } = timerWorld();
    await arm('later', 3600);
    newLoop().start();
    await pass(0);
    expect(timers.calls).toEqual({ due: 0, next: 1, defer: 0 });
    await pass(30_000);
    expect(timers.calls).toEqual({ due: 0, next: 2, defer: 0 });
  });

  it('continues where an earlier one stopped', async () => {
    const { arm, newLoop, pass, sent } = timerWorld();
    const earlier = newLoop();
    earlier.start();
    await arm('x', 20);
    await pass(10_000);
    await earlier.stop();
    await pass(10_000);
    expect(sent).toEqual([]);
    newLoop().start();
    await pass(0);
    expect(sent).toEqual(['x']);
  });

  it('may be stopped and started again', async () => {
    const { arm, newLoop, pass, sent } = timerWorld();
    const loop = newLoop();
    loop.start();
    await pass(0);
    await loop.stop();
    await arm('x', 20);
    await pass(60_000);
    loop.start();
    await pass(0);
    expect(sent).toEqual(['x']);
  });

  it('completes pending commands on a stop, and starts none', async () => {
    const { arm, newLoop, clock, sent } = timerWorld({ parallel: 1 });
    await arm('first', 1);
    await arm('second', 1);
    let release: (done: boolean) => void = () => undefined;
    const loop = newLoop(() => new Promise((resolve) => (release = resolve)));
    clock.advance(1000);
    loop.start();
    clock.advance(0);
    await settled();
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await settled();
    expect([sent, stopped]).toEqual([['first'], false]);
    release(true);
    await stopping;
    expect(sent).toEqual(['first']);
  });

  it('limits concurrent commands', async () => {
    const { arm, newLoop, finish, clock } = timerWorld({ parallel: 3 });
    for (let n = 0; n < 20; n++) await arm(`n${n}`, 1);
    let running = 0;
    let most = 0;
    const loop = newLoop(async (subject) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return finish(subject);
    });
    loop.start();
    clock.advance(1000);
    await loop.runDue();
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(6);
  });

  it('retries after a second when the store could not be read', async () => {
    const { arm, newLoop, pass, sent, timers, errors } = timerWorld();
    await arm('x', 0);
    timers.isFailing = true;
    newLoop().start();
    await pass(0);
    expect([sent, errors.length]).toEqual([[], 1]);
    timers.isFailing = false;
    await pass(1000);
    expect(sent).toEqual(['x']);
  });

  it('sends due timers within half a minute after a jump of the clock', async () => {
    const { arm, newLoop, clock, pass, sent } = timerWorld();
    await arm('x', 3600);
    newLoop().start();
    await pass(0);
    clock.set(at(-3600));
    await pass(30_000);
    expect(sent).toEqual([]);
    clock.set(at(10 * 366 * 86_400));
    await pass(30_000);
    expect(sent).toEqual(['x']);
  });
});
