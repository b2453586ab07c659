import { Faults } from '../../../test/kit/faults.js';
import { manualTime } from '../../../test/kit/manual-time.js';
import { SystemRandomness } from '../../app/system/system-randomness.js';
import { accept, reject, type Decider } from '../../kernel/decider.js';
import type { EventStore, LogListener } from '../ports/event-store.port.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import type { Issued } from '../../kernel/command.js';
import { AggregateStore, type Aggregate, type AggregateStoreOptions } from './aggregate-store.js';
import { TestEventStore } from '../../../test/kit/stores.js';
import { ConcurrencyError, UnavailableError } from '../../kernel/errors.js';

const at = '2026-11-21T12:00:00.000Z';
const by = { actor: { kind: 'process', id: 'spec' }, correlationId: 'correlation' } as const;

interface Seat extends Issued {
  readonly wish: 'take' | 'leave' | 'see';
  readonly who: string;
}
type SeatEvent = { type: 'Taken'; data: { who: string } } | { type: 'Left'; data: Record<string, never> };
type Refusal = { code: 'SeatTaken'; by: string } | { code: 'SeatFree' };

const decider: Decider<string | undefined, Seat, SeatEvent, Refusal> = {
  initialState: undefined,
  decide(holder, { wish, who }) {
    if (wish === 'take') {
      if (holder === who) return accept();
      return holder === undefined
        ? accept({ type: 'Taken', data: { who } })
        : reject({ code: 'SeatTaken', by: holder });
    }
    if (holder === undefined) return reject({ code: 'SeatFree' });
    return wish === 'leave' ? accept({ type: 'Left', data: {} }) : accept();
  },
  evolve: (_, event) => (event.type === 'Taken' ? event.data.who : undefined),
};

const seats: Aggregate<string | undefined, Seat, SeatEvent, Refusal> = { category: 'seat', decider };
const take = (who: string): Seat => ({ wish: 'take', who, at, by });
const leave: Seat = { wish: 'leave', who: '', at, by };
const see: Seat = { wish: 'see', who: '', at, by };

function world(options: AggregateStoreOptions = {}) {
  const log = new TestEventStore();
  const instance = () => {
    const events = new Faults<EventStore>(log);
    const aggregates = new AggregateStore(events.port, new SystemRandomness(), {
      shared: true,
      pause: async () => undefined,
      ...options,
    });
    return { events, aggregates, execute: (command: Seat) => aggregates.execute(seats, '1', command) };
  };
  return { log, here: instance(), there: instance() };
}

describe('deciding with concurrent instances', () => {
  it('reads nothing without foreign writes', async () => {
    const { here } = world();
    await here.execute(take('a'));
    const loads = here.events.calls('load');
    await here.execute(leave);
    await here.execute(take('b'));

    expect(here.events.calls('load')).toBe(loads);
  });

  it('never rejects on outdated state', async () => {
    const { here, there } = world();
    await here.execute(take('a'));
    await there.execute(leave);

    expect(await here.execute(take('b'))).toMatchObject({ ok: true, state: 'b', revision: 2 });
  });

  it('never accepts without events on outdated state', async () => {
    const { here, there } = world();
    await here.execute(take('a'));
    await there.execute(leave);
    await there.execute(take('b'));

    expect(await here.execute(take('a'))).toEqual({ ok: false, rejection: { code: 'SeatTaken', by: 'b' } });
    await there.execute(leave);
    expect(await here.execute(see)).toEqual({ ok: false, rejection: { code: 'SeatFree' } });
  });

  it('decides again after a lost race', async () => {
    const { here, there } = world();
    await here.execute(take('a'));
    await here.execute(leave);
    await there.execute(take('b'));

    expect(await here.execute(take('c'))).toEqual({ ok: false, rejection: { code: 'SeatTaken', by: 'b' } });
    expect(here.events.calls('append')).toBe(3);
  });

  it('gives up after losing every race', async () => {
    const { here } = world();
    await here.execute(take('a'));
    here.events.refuse('append', 5, new ConcurrencyError('seat-1', 0, 1));
    await expect(here.execute(leave)).rejects.toThrow(ConcurrencyError);

    expect(await here.execute(leave)).toMatchObject({ ok: true, revision: 1 });
  });

  it('plans and loads on the newest state', async () => {
    const { here, there } = world();
    await here.execute(take('a'));
    await there.execute(leave);

    expect(await here.aggregates.load(seats, '1')).toMatchObject({ state: undefined, revision: 1 });
    await there.execute(take('b'));
    expect(await here.aggregates.plan(seats, '1', take('c'))).toEqual({
      ok: false,
      rejection: { code: 'SeatTaken', by: 'b' },
    });
  });

  it('invalidates cached state on foreign appends only', async () => {
    const { here, there } = world();
    await here.execute(take('a'));
    here.aggregates.invalidate('seat-1', 0);
    const loads = here.events.calls('load');
    await here.execute(leave);
    expect(here.events.calls('load')).toBe(loads);
    await there.execute(take('b'));
    here.aggregates.invalidate('seat-1', 2);

    expect(await here.execute(leave)).toMatchObject({ ok: true, revision: 3 });
    expect(here.events.calls('append')).toBe(3);
  });
});

describe('loads of one stream at the same time', () => {
  it('share the read after the current one', async () => {
    const { here, there } = world();
    await there.execute(take('a'));
    const held = here.events.hold('load');
    const first = here.aggregates.load(seats, '1');
    await held.reached;
    const others = [1, 2, 3].map(() => here.aggregates.load(seats, '1'));
    held.letGo();
    await Promise.all([first, ...others]);

    expect(here.events.calls('load')).toBe(2);
  });

  it('include events appended during the current read', async () => {
    const { here, there } = world();
    here.events.distort('load', async (given: Promise<unknown>) => {
      await given;
      await there.execute(take('a'));
      return given;
    });
    const first = here.aggregates.load(seats, '1');
    const second = here.aggregates.load(seats, '1');

    expect(await first).toEqual({ state: undefined, revision: -1 });
    expect(await second).toEqual({ state: 'a', revision: 0, at });
  });

  it('fail together with that read, and succeed afterwards', async () => {
    const { here } = world();
    here.events.refuse('load');
    const both = [here.aggregates.load(seats, '1'), here.aggregates.load(seats, '1')];

    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await here.aggregates.load(seats, '1')).toEqual({ state: undefined, revision: -1 });
  });
});

describe('an append whose outcome is unknown', () => {
  it('is repeated with the same ids and written once', async () => {
    const { log, here } = world();
    here.events.loseReply('append');
    here.events.refuse('append');

    expect(await here.execute(take('a'))).toMatchObject({ ok: true, revision: 0 });
    expect(log.everything()).toHaveLength(1);
  });

  it('is resolved by a later foreign event', async () => {
    const { log, here, there } = world();
    here.events.loseReply('append');
    const held = here.events.hold('append');
    const answer = here.execute(take('a'));
    await held.reached;
    await there.execute(leave);
    await there.execute(take('b'));
    held.letGo();

    expect(await answer).toMatchObject({ ok: true, state: 'a', revision: 0 });
    expect(log.everything()).toHaveLength(3);
    expect(await here.execute(see)).toMatchObject({ ok: true, state: 'b' });
  });

  it('is repeated for as long as an election takes', async () => {
    const { log, here } = world();
    here.events.refuse('append', 30);

    expect(await here.execute(take('a'))).toMatchObject({ ok: true, revision: 0 });
    expect(log.everything()).toHaveLength(1);
  });

  it('is marked as a repeat from the second try on', async () => {
    const { log, here } = world();
    const marks: (boolean | undefined)[] = [];
    const append = log.append.bind(log);
    log.append = (given) => {
      marks.push(given.isRepeat);
      return append(given);
    };
    await here.execute(take('a'));
    here.events.refuse('append', 2);
    await here.execute(leave);

    expect(marks).toEqual([undefined, true]);
  });
});

describe('an append until its deadline', () => {
  const pass = manualTime();

  it('is reported if its outcome is still unknown, and not cached', async () => {
    const { here } = world({ deadlineMs: 30, pause: async () => pass(10) });
    here.events.loseReply('append');
    here.events.refuse('append', 10);
    await expect(here.execute(take('a'))).rejects.toThrow(UnavailableError);

    expect(await here.execute(take('b'))).toEqual({ ok: false, rejection: { code: 'SeatTaken', by: 'a' } });
  });

  it('is sent once if it is not answered', async () => {
    const { log } = world();
    const events = new Faults<EventStore>(log);
    const options = { deadlineMs: 30 };
    const aggregates = new AggregateStore(events.port, new SystemRandomness(), options);
    const held = events.hold('append');
    const executed = aggregates.execute(seats, '1', take('a'));
    await held.reached;
    pass(options.deadlineMs);
    await expect(executed).rejects.toThrow(UnavailableError);
    held.letGo();

    expect(events.calls('append')).toBe(1);
  });
});

describe('answers out of order', () => {
  it('leave the newest state', async () => {
    const { here } = world();
    await here.execute(take('a'));
    let overtake = () => {};
    const overtaken = new Promise<void>((resolve) => (overtake = resolve));
    let store = () => {};
    const stored = new Promise<void>((resolve) => (store = resolve));
    here.events.distort<Promise<unknown>>('append', async (given) => {
      const answer = await given;
      store();
      await overtaken;
      return answer;
    });
    const slow = here.execute(leave);
    await stored;
    await expect(here.execute(take('b'))).resolves.toMatchObject({ ok: true, revision: 2 });
    overtake();
    await slow;
    const loads = here.events.calls('load');

    expect(await here.execute(leave)).toMatchObject({ ok: true, revision: 3 });
    expect(here.events.calls('load')).toBe(loads);
  });
});

describe('what an instance has heard of', () => {
  /** An instance that hears of what the other stores when `hears` is called. */
  function hearing() {
    const { here, there } = world();
    let period: object | undefined = {};
    const told: ((events: readonly RecordedEvent[]) => void)[] = [];
    const log = Object.assign(Object.create(here.events.port) as EventStore, {
      hearing: () => period,
      listen: ({ remoteEvents }: LogListener) => {
        told.push(remoteEvents!);
        return () => undefined;
      },
    });
    const aggregates = new AggregateStore(log, new SystemRandomness(), { shared: true });
    return {
      ...{ there, aggregates },
      holder: async () => (await aggregates.heard(seats, '1')).state,
      loads: () => here.events.calls('load'),
      hears: async () => {
        const events = await here.events.port.load('seat-1');
        for (const tell of told) tell(events);
      },
      interrupt: (next: object | undefined) => void (period = next),
      /** The next read gets its answer when the returned function is called. */
      delayRead: () => {
        let answer!: () => void;
        const answered = new Promise<void>((resolve) => (answer = resolve));
        const late = (read: Promise<readonly RecordedEvent[]>) =>
          read.then((events) => answered.then(() => events));
        here.events.distort('load', late);
        return answer;
      },
    };
  }

  it('is read once, and again after an event', async () => {
    const { there, holder, loads, hears } = hearing();
    await there.execute(take('a'));
    expect([await holder(), await holder(), loads()]).toEqual(['a', 'a', 1]);
    await there.execute(leave);
    await hears();
    const read = loads();
    expect([await holder(), await holder()]).toEqual([undefined, undefined]);

    expect(loads()).toBe(read + 1);
  });

  it('is read each time during an interruption, and once after it', async () => {
    const { there, holder, interrupt } = hearing();
    await there.execute(take('a'));
    expect(await holder()).toBe('a');
    interrupt(undefined);
    await there.execute(leave);
    expect(await holder()).toBeUndefined();
    await there.execute(take('b'));
    expect(await holder()).toBe('b');
    await there.execute(leave);
    interrupt({});

    expect(await holder()).toBeUndefined();
  });

  it('is read again if an event arrived during the read', async () => {
    const { there, holder, hears, delayRead } = hearing();
    await there.execute(take('a'));
    const answer = delayRead();
    const reading = holder();
    await there.execute(leave);
    await hears();
    answer();
    expect(await reading).toBe('a');

    expect(await holder()).toBeUndefined();
  });

  it('includes what the instance itself has stored', async () => {
    const { there, aggregates, holder } = hearing();
    await there.execute(take('a'));
    expect(await holder()).toBe('a');
    await aggregates.execute(seats, '1', leave);

    expect(await holder()).toBeUndefined();
  });
});
