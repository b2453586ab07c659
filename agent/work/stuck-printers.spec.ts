import type { ListedPrinter, Moving } from '../printers/provider.js';
import { StuckPrinters } from './stuck-printers.js';

const MINUTE = 60_000;

/** Timers that end when the clock is moved on. */
class Clock {
  private now = 0;
  private timers: { readonly at: number; readonly run: () => void }[] = [];

  readonly after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.now + ms, run };
    this.timers.push(timer);
    return () => void (this.timers = this.timers.filter((other) => other !== timer));
  };

  pass(minutes: number): void {
    this.now += minutes * MINUTE;
    const due = this.timers.filter(({ at }) => at <= this.now);
    this.timers = this.timers.filter(({ at }) => at > this.now);
    for (const { run } of due) run();
  }
}

describe('a printer that makes no progress', () => {
  let clock: Clock;
  let stuck: StuckPrinters;
  let changes: unknown[];
  beforeEach(() => {
    clock = new Clock();
    stuck = new StuckPrinters(MINUTE, clock.after);
    changes = [];
    stuck.onChange((printerKey, change) => changes.push([printerKey, change]));
  });

  /** Begins a hand-off; `end` lets it end. */
  const handOff = (printerKey = 'desk'): { moving: Moving; end: () => Promise<void> } => {
    let leave: () => void = () => undefined;
    let moving: Moving | undefined;
    const done = stuck.watch(printerKey, (given) => {
      moving = given;
      return new Promise<void>((resolve) => (leave = resolve));
    });
    return { moving: moving!, end: () => (leave(), done) };
  };
  /** A hand-off that ends at its deadline, of the job that tries the printer or of the first one. */
  const fail = async (documentName = 'first'): Promise<void> => {
    stuck.enter('desk', documentName);
    const { end } = handOff();
    clock.pass(1);
    await end();
    stuck.leave('desk', documentName);
  };
  const takes = (answer: ListedPrinter['takesDocuments'], learn = stuck.asking()): void =>
    learn(new Map([['desk', answer]]));
  /** Minutes until the next job may try it. */
  const pauseLasts = (): number => {
    for (let minutes = 0; ; minutes++) {
      if (!stuck.busy().includes('desk')) return minutes;
      clock.pass(1);
    }
  };

  it('is stuck from the deadline on, also after the hand-off has ended', async () => {
    const { moving, end } = handOff();
    clock.pass(1);
    expect([moving.signal.aborted, stuck.busy(), stuck.enter('desk', 'next')]).toEqual([
      true,
      ['desk'],
      false,
    ]);
    await end();

    expect([stuck.busy(), stuck.enter('desk', 'next'), stuck.enter('till', 'other')]).toEqual([
      ['desk'],
      false,
      true,
    ]);
    const reason = 'the spooler made no progress for 60 s at desk';
    expect(stuck.shown()).toEqual([{ printer_key: 'desk', reason, since: expect.any(String) }]);
  });

  it('is tried by one job at a time, after pauses that double up to an hour', async () => {
    const pauses: number[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      await fail(name);
      pauses.push(pauseLasts());
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(stuck.shown()).toHaveLength(1);
    expect([stuck.enter('desk', 'i'), stuck.enter('desk', 'j'), stuck.busy()]).toEqual([
      true,
      false,
      ['desk'],
    ]);
  });

  it('is free once a job has been taken whole', async () => {
    await fail();
    pauseLasts();
    stuck.enter('desk', 'next');
    const { moving, end } = handOff();
    moving.moved();
    expect(stuck.shown()).toHaveLength(1);
    stuck.took('desk');
    await end();
    stuck.leave('desk', 'next');

    expect([stuck.shown(), stuck.busy(), changes.at(-1)]).toEqual([[], [], ['desk', 'free']]);
    await fail('again');
    expect(pauseLasts()).toBe(1);
  });

  it('is free if the call that hung moves on', async () => {
    const { moving, end } = handOff();
    clock.pass(1);
    moving.moved();
    expect(stuck.shown()).toEqual([]);
    await end();
    expect(stuck.busy()).toEqual([]);
  });

  it('is tried again a minute after a job that told nothing about it', async () => {
    await fail('a');
    pauseLasts();
    await fail('b');
    pauseLasts();
    stuck.enter('desk', 'cancelled');
    stuck.leave('desk', 'another');
    expect(stuck.busy()).toEqual(['desk']);
    stuck.leave('desk', 'cancelled');

    expect(pauseLasts()).toBe(1);
  });

  it('is free by its own word once, then only by a document', async () => {
    await fail();
    takes('answers');
    expect([stuck.shown(), changes.at(-1)]).toEqual([[], ['desk', 'free']]);

    await fail('a');
    pauseLasts();
    await fail('b');
    takes('answers');
    expect(stuck.shown()).toHaveLength(1);
    expect(pauseLasts()).toBe(2);
  });

  it('is free by a document that it took long after the hand-off, however many deadlines were before', async () => {
    await fail('a');
    pauseLasts();
    await fail('b');
    pauseLasts();
    stuck.enter('desk', 'c');
    await handOff().end();
    stuck.leave('desk', 'c');
    takes(false);
    expect(stuck.shown()).toHaveLength(1);
    takes('taken');

    expect([stuck.shown(), stuck.busy(), changes.at(-1)]).toEqual([[], [], ['desk', 'free']]);
  });

  it('is not tried while its provider knows that it takes nothing, and at once afterwards', async () => {
    await fail('a');
    pauseLasts();
    await fail('b');
    takes(false);
    clock.pass(30);
    expect(stuck.busy()).toEqual(['desk']);
    takes(undefined);

    expect([stuck.busy(), changes.at(-1)]).toEqual([[], ['desk', 'open']]);
    takes(false);
    expect(stuck.busy()).toEqual(['desk']);
  });

  it.each(['taken', 'answers', false] as const)(
    'learns nothing (%s) from what it said before its deadline',
    async (answer) => {
      const learn = stuck.asking();
      await fail();
      takes(answer, learn);
      takes(undefined);

      expect(stuck.busy()).toEqual(['desk']);
      expect(pauseLasts()).toBe(1);
    },
  );

  it('is forgotten with the printer', async () => {
    await fail();
    stuck.asking()(new Map());
    expect(stuck.shown()).toEqual([]);
  });
});
