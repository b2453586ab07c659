import { streamNameFilter } from '@eventstore/db-client';
import { all, newStream, noted, rejection, serverScene, Told, unary } from '../../kit/event-store-scene.js';

const scene = serverScene();

const write = async (stream: string, ...numbers: number[]) => {
  const { position } = await scene.client.appendToStream(
    stream,
    numbers.map((n) => noted(n)),
    {
      credentials: unary,
    },
  );
  return position!;
};

/** All of one stream, through a filter of `$all`. */
const filtered = (prefix: string, interval: number, tell: (text: string) => void) =>
  streamNameFilter({
    prefixes: [prefix],
    checkpointInterval: interval,
    checkpointReached: async (_, { commit }) => tell(`checkpoint ${commit}`),
  });

describe('subscribing to all', () => {
  it('gives a checkpoint after each interval x 32 events it considered, and one when catch-up ends', async () => {
    const [wanted, other] = [newStream(), newStream()];
    const from = await write(wanted, 1);
    const before = await write(other, ...Array.from({ length: 31 }, (_, n) => n));
    const at32 = await write(wanted, 2);
    const last = await write(other, 1, 2);
    const filter = filtered(wanted, 1, (text) => told.tell(text));
    const told: Told = new Told(scene.client.subscribeToAll({ fromPosition: from, filter }));
    await told.until('caught up');
    const catchingUp = ['Noted 2', `checkpoint ${at32.commit}`, `checkpoint ${last.commit}`];
    expect(told.texts).toEqual(['confirmed', ...catchingUp, 'caught up']);
    expect(before.commit).toBeLessThan(at32.commit);
  });

  it('counts live events too, though none may pass the filter', async () => {
    const filter = filtered('nobody-', 1, (text) => told.tell(text));
    const told: Told = new Told(scene.client.subscribeToAll({ fromPosition: 'end', filter }));
    await told.until('caught up');
    const at32 = await write(newStream(), ...Array.from({ length: 32 }, (_, n) => n));
    await told.until(`checkpoint ${at32.commit}`);
  });
});

describe('subscriptions that go wrong', () => {
  const subscribed = async () => {
    const told = new Told(scene.client.subscribeToAll({ fromPosition: 'end' }));
    await told.until('caught up');
    return told;
  };

  it.each([
    ['unavailable', 'error unavailable'],
    ['cancelled', 'error cancelled'],
    ['end', 'end'],
  ] as const)('end by %s', async (how, text) => {
    const told = await subscribed();
    expect(await scene.server.dropSubscriptions(how)).toBe(1);
    await told.until(text);
    expect((await scene.server.counters()).openSubscriptions).toBe(0);
  });

  it('leave appends and reads alone', async () => {
    await subscribed();
    await scene.server.dropSubscriptions('end');
    const stream = newStream();
    await write(stream, 1);
    expect(await all(scene.client.readStream(stream, { maxCount: 9 }), () => 1)).toEqual([1]);
  });

  it('break with the connection', async () => {
    const told = await subscribed();
    await scene.server.dropAll();
    await told.until('error unavailable');
  });

  it('get an event twice', async () => {
    const told = await subscribed();
    await scene.server.faults.set({ deliverTwice: 1 });
    await write(newStream(), 1, 2);
    await told.until('Noted 2');
    expect(told.texts.slice(2)).toEqual(['Noted 1', 'Noted 1', 'Noted 2']);
  });

  it('get an event that is not the JSON it claims to be', async () => {
    const told = await subscribed();
    const stream = newStream();
    await scene.server.injectAll([{ stream, type: 'Broken', data: '{"n":' }]);
    await told.until('Broken undefined');
    const [event] = await all(scene.client.readStream(stream, { maxCount: 9 }), ({ event }) => event);
    expect(event).toMatchObject({ isJson: true, data: '{"n":' });
  });

  it('are refused while reads are refused', async () => {
    await scene.server.faults.set({ refuseReads: 'access-denied' });
    const told = new Told(scene.client.subscribeToAll());
    await told.until('error access-denied');
    const read = all(scene.client.readAll({ maxCount: 1 }), () => 1);
    expect(await rejection(read)).toMatchObject({ type: 'access-denied' });
  });
});
