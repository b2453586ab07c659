import { HOMES, timerWorld } from '../../../test/kit/timer-world.js';

describe.each(HOMES)('two timers of a subject in $name', (home) => {
  it('are sent at their times, earliest first', async () => {
    const { arm, setLimit, newLoop, pass, sent } = timerWorld({ home });
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
    const { arm, setLimit, newLoop, clock, pass, sent, stores } = timerWorld({ home });
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
    const { arm, setLimit, newLoop, pass, sent, timers } = timerWorld({ home });
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

describe('a reference to a timer', () => {
  const [, home] = HOMES;
  const world = () => timerWorld({ home: home! });

  it('stays deferred when an event arms and disarms nothing', async () => {
    const { arm, read, newLoop, clock, pass, sent, stores } = world();
    await arm('x', 60, { by: 'lease:1', forMs: 60_000 });
    newLoop().start();
    await pass(0);
    await pass(50_000);
    await stores.liveness.recordHeartbeat(['lease:1'], clock.now());
    await pass(10_000);
    await read('x');
    await pass(49_999);
    expect(sent).toEqual([]);
    await pass(1);
    expect(sent).toEqual(['x']);
  });

  it('is followed to the event that armed the timer last', async () => {
    const { arm, stores, due } = world();
    await arm('x', 10, { forMs: 5_000 });
    const [event] = await stores.events.load('note-x');
    expect(await due.due(10, event!.metadata.at.replace('12:', '13:'))).toMatchObject([
      {
        id: 'x',
        sequence: 0,
        due: [
          {
            process: 'reminder',
            subject: 'x',
            kept_alive: { forMs: 5_000 },
            armed_by: event!.id,
            correlation_id: event!.metadata.correlationId,
          },
        ],
      },
    ]);
  });

  it('that leads to no timer is reported and tried again, and holds up no other', async () => {
    const { arm, stores, newLoop, pass, sent, errors } = world();
    await arm('lost', 10);
    await arm('sound', 10);
    const load = stores.events.load.bind(stores.events);
    let isLost = true;
    stores.events.load = async (stream, options) =>
      isLost && stream === 'note-lost' ? [] : load(stream, options);
    newLoop().start();
    await pass(0);
    await pass(10_000);
    expect([sent, errors]).toEqual([
      ['sound'],
      [new RangeError('event 0 of note-lost arms no timer reminder')],
    ]);
    isLost = false;
    await pass(10);
    await pass(990);
    expect(sent).toEqual(['sound', 'lost']);
  });
});
