import { pino } from 'pino';
import { begin, newEvent } from '../../test/contract/sample-appends.js';
import { ManualClock } from '../../test/kit/manual-clock.js';
import { metadata } from '../../test/kit/recorded.js';
import { settled } from '../../test/kit/settled.js';
import { TestEventStore } from '../../test/kit/stores.js';
import { SystemRandomness } from './system/system-randomness.js';
import { RecentRestore, RecordRestore, restores, STORE_ID } from '../contexts/recovery/index.js';
import type { LogListener } from '../event-sourcing/ports/event-store.port.js';
import { AggregateStore } from '../event-sourcing/write/aggregate-store.js';
import { plus } from '../kernel/time.js';
import { followRestores, recoverRolledBack } from './restored-start.js';
import { CorruptEventError } from '../kernel/errors.js';

const by = { actor: metadata.actor, correlationId: 'c' };

function scene() {
  const [events, clock, randomness] = [new TestEventStore(), new ManualClock(), new SystemRandomness()];
  const aggregates = new AggregateStore(events, randomness, { shared: true });
  const write = async (name: string, at: string) => {
    const event = newEvent({ type: 'Unhandled', data: { text: name } });
    return events.append(begin(`note-${name}`, { ...event, metadata: { ...metadata, at } }));
  };
  const newest = async () => (await aggregates.load(restores, STORE_ID)).state.newest;
  return { events, clock, randomness, aggregates, write, newest, logger: pino({ level: 'silent' }) };
}

describe('recovering from a log that was rolled back', () => {
  it("records the time of the copy's last event, despite later appends", async () => {
    const { clock, write, newest, ...recovering } = scene();
    const lastOfCopy = plus(clock.now(), -60_000);
    await write('old', plus(clock.now(), -90_000));
    const { position } = await write('last', lastOfCopy);
    await write('since', plus(clock.now(), -1_000));
    const park = async () => ({ parked: 3 });
    await recoverRolledBack({ ...recovering, clock }, position, park);
    expect(await newest()).toMatchObject({ backupAt: lastOfCopy, parked: 3 });
    await write('later', clock.now());
    const events = recovering.events.everything().length;
    await recoverRolledBack({ ...recovering, clock }, position, park);

    expect(recovering.events.everything()).toHaveLength(events);
  });
});

describe('recovering from a log with a damaged event', () => {
  it.each([
    ['behind it', ['first', 'second', 'damaged', 'later'], 'later'],
    ['before it', ['first', 'second', 'damaged'], 'second'],
  ])('records the time of the last readable event %s', async (_, names, last) => {
    const { clock, write, newest, ...recovering } = scene();
    const atOf = (name: string) => plus(clock.now(), -60_000 + names.indexOf(name) * 1_000);
    for (const name of names) await write(name, atOf(name));
    const readAll = async (options: { after?: string; max: number }) => {
      const page = await recovering.events.readAll(options);
      const damaged = page.find(({ stream }) => stream === 'note-damaged');
      if (damaged) throw new CorruptEventError(damaged.stream, 0, damaged.position);
      return page;
    };
    const events = Object.assign(Object.create(recovering.events) as TestEventStore, { readAll });
    const end = '9'.repeat(20);
    await recoverRolledBack({ ...recovering, events, clock }, end, async () => ({ parked: 0 }));

    expect(await newest()).toMatchObject({ backupAt: atOf(last) });
  });
});

describe('following restores', () => {
  it('loads the newest restore again when a subscription begins', async () => {
    const { events, aggregates, clock, newest } = scene();
    const listeners: LogListener[] = [];
    const withoutAppends = Object.assign(Object.create(events) as TestEventStore, {
      listen: (listener: LogListener) => void listeners.push(listener),
    });
    const recent = new RecentRestore();
    await followRestores(recent, withoutAppends, aggregates);
    const backupAt = plus(clock.now(), -60_000);
    await aggregates.execute(
      restores,
      STORE_ID,
      new RecordRestore({ backupAt, parked: 1, at: clock.now(), by }),
    );
    await settled();
    expect([(await newest())?.backupAt, recent.backupAt(clock.now())]).toEqual([backupAt, undefined]);
    for (const listener of listeners) listener.subscribed?.(undefined);
    await settled();

    expect(recent.backupAt(clock.now())).toBe(backupAt);
  });
});
