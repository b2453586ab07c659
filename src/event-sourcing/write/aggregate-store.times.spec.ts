import { accept, type Decider } from '../../kernel/decider.js';
import { command } from '../../kernel/command.js';
import { plus } from '../../kernel/time.js';
import { NOON } from '../../../test/kit/recorded.js';
import { TestEventStore } from '../../../test/kit/stores.js';
import { SystemRandomness } from '../../app/system/system-randomness.js';
import { aggregate, AggregateStore } from './aggregate-store.js';

class Rent extends command('Rent')<{ forMs: number }, unknown> {}

type Rented = { type: 'Rented'; data: { until: string } };

/** A rent lasts from the time of its command. */
const decider: Decider<number, Rent, Rented, never> = {
  initialState: 0,
  decide: (_, { kind, at, forMs }) => accept({ type: `${kind}ed`, data: { until: plus(at, forMs) } }),
  evolve: (rents) => rents + 1,
};
const rooms = aggregate({ category: 'room', decider });

const by = { actor: { kind: 'process', id: 'spec' }, correlationId: 'correlation' } as const;
const rent = (ms: number) => new Rent({ forMs: 1_000, at: plus(NOON, ms), by });

function world() {
  const log = new TestEventStore();
  const instance = () => new AggregateStore(log, new SystemRandomness(), { shared: true });
  const events = async () =>
    (await log.load('room-1')).map(({ metadata, data }) => [metadata.at, (data as Rented['data']).until]);
  return { here: instance(), there: instance(), events };
}

describe('dating the events of a stream', () => {
  it('dates a command that began before the last event a millisecond after it', async () => {
    const { here, there, events } = world();
    await here.execute(rooms, '1', rent(5));
    await here.execute(rooms, '1', rent(3));
    await there.execute(rooms, '1', rent(2));
    await here.execute(rooms, '1', rent(4));

    const ascending = [5, 6, 7, 8].map((ms) => [plus(NOON, ms), plus(NOON, ms + 1_000)]);
    expect(await events()).toEqual(ascending);
  });

  it('keeps the time of a command that is not earlier', async () => {
    const { here, events } = world();
    await here.execute(rooms, '1', rent(5));
    await here.execute(rooms, '1', rent(5));
    await here.execute(rooms, '1', rent(9));

    expect((await events()).map(([at]) => at)).toEqual([5, 5, 9].map((ms) => plus(NOON, ms)));
  });

  it('keeps the time of a command once a clock that was ahead by more than a minute is right again', async () => {
    const { here, events } = world();
    await here.execute(rooms, '1', rent(60_001));
    await here.execute(rooms, '1', rent(0));
    await here.execute(rooms, '1', rent(60_000));
    await here.execute(rooms, '1', rent(0));

    expect((await events()).map(([at]) => at)).toEqual(
      [60_001, 0, 60_000, 60_001].map((ms) => plus(NOON, ms)),
    );
  });

  it('dates plans in the same way, also one after another', async () => {
    const { here, events } = world();
    await here.execute(rooms, '1', rent(5));
    const first = await here.plan(rooms, '1', rent(3));
    if (!first.ok) throw new Error('refused');
    const second = await here.plan(rooms, '1', rent(1), { after: first.planned });
    if (!second.ok) throw new Error('refused');
    await here.appendInOrder([first.planned, second.planned]);
    await here.execute(rooms, '1', rent(2));

    expect((await events()).map(([at]) => at)).toEqual([5, 6, 7, 8].map((ms) => plus(NOON, ms)));
  });
});
