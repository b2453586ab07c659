import { setImmediate } from 'node:timers/promises';
import { PassThrough } from 'node:stream';
import { START, type EventStoreDBClient } from '@eventstore/db-client';
import { manualTime } from '../../../../test/kit/manual-time.js';
import { metadata } from '../../../../test/kit/recorded.js';
import { Subscription, type DeliveredBatch, type SubscriptionOptions } from './subscription.js';

const resolved = (n: number) => ({
  event: {
    id: String(n),
    streamId: 'note-1',
    revision: BigInt(n),
    position: { commit: BigInt(n), prepare: BigInt(n) },
    type: 'Noted',
    isJson: true,
    data: {},
    metadata,
  },
});

function subscribed(gatherMs?: number, more: Partial<SubscriptionOptions> = {}) {
  const stream = Object.assign(new PassThrough({ objectMode: true }), { unsubscribe: async () => undefined });
  const subscription = new Subscription({
    client: { subscribeToAll: () => stream } as unknown as EventStoreDBClient,
    from: START,
    credentials: { username: '', password: '' },
    timeoutMs: 60_000,
    confirmed: () => undefined,
    failed: () => undefined,
    ...(gatherMs !== undefined && { gatherMs }),
    ...more,
  });
  stream.emit('confirmation');
  return { stream, subscription };
}

const revisionsOf = (handed: DeliveredBatch | undefined) => handed?.events.map(({ revision }) => revision);

describe('an event soon after another', () => {
  const pass = manualTime();

  it('waits for those that arrive in the next turns of the event loop', async () => {
    const { stream, subscription } = subscribed(250);
    stream.write(resolved(0));
    await subscription.next(500);
    const batch = subscription.next(500);
    for (let n = 1; n <= 20; n++) {
      stream.write(resolved(n));
      await setImmediate();
    }
    pass(250);
    expect(revisionsOf(await batch)).toHaveLength(20);
    subscription.close();
  });
});

describe('gathering what a subscription receives', () => {
  it('hands over the first event of a quiet subscription at once', async () => {
    const { stream, subscription } = subscribed(3_600_000);
    stream.write(resolved(0));
    expect(revisionsOf(await subscription.next(500))).toEqual([0]);
    subscription.close();
  });

  it('makes one batch of events that arrive while the consumer is busy', async () => {
    const { stream, subscription } = subscribed();
    for (let n = 0; n < 20; n++) {
      stream.write(resolved(n));
      await setImmediate();
    }
    expect(revisionsOf(await subscription.next(500))).toHaveLength(20);
    subscription.close();
  });

  it('reports once that it has caught up, although the server repeats it', async () => {
    const { stream, subscription } = subscribed();
    stream.emit('caughtUp');
    expect(await subscription.next(500)).toMatchObject({ events: [], caughtUp: true });
    stream.emit('caughtUp');
    stream.write(resolved(0));
    const handed = await subscription.next(500);
    expect([revisionsOf(handed), handed?.caughtUp]).toEqual([[0], true]);
    subscription.close();
  });
});

describe('a subscription of a partition', () => {
  const partition = { index: 1, count: 4 };

  it('asks the server for streams whose names end with its digits', () => {
    let filter: { filterOn?: string; regex?: string } = {};
    const subscribeToAll = (options: { filter: object }) => {
      filter = options.filter;
      return Object.assign(new PassThrough(), { unsubscribe: async () => undefined });
    };
    const client = { subscribeToAll } as unknown as EventStoreDBClient;
    subscribed(0, { client, partition, types: ['Noted'] }).subscription.close();
    expect(filter.filterOn).toBe('streamName');
    const isAsked = (name: string) => new RegExp(filter.regex!).test(name);
    expect(['note-1', 'note-5', 'note-9', 'note-d'].map(isAsked)).toEqual([true, true, true, true]);
    expect(['note-2', 'note-x', '$note-1', '$$note-1'].map(isAsked)).toEqual([false, false, false, false]);
  });

  it('skips events of other types, also damaged ones', async () => {
    const { stream, subscription } = subscribed(0, { partition, types: ['Noted'] });
    const { event } = resolved(0);
    stream.write({ event: { ...event, type: 'Unhandled', isJson: false, data: Buffer.from('?') } });
    stream.write(resolved(1));
    expect(revisionsOf(await subscription.next(500))).toEqual([1]);
    subscription.close();
  });
});

describe('the position of a subscription', () => {
  const checkpoint = (commit: bigint, prepare: bigint) => ({ checkpoint: { commit, prepare } });

  it('moves to a checkpoint', async () => {
    const { stream, subscription } = subscribed();
    stream.write(checkpoint(20n, 20n));
    expect((await subscription.next(500))?.position).toBe('20'.padStart(20, '0'));
    subscription.close();
  });

  it('stays before a checkpoint with a smaller prepare position, because an event may follow', async () => {
    const { stream, subscription } = subscribed();
    stream.write(resolved(10));
    stream.write(checkpoint(20n, 0n));
    expect((await subscription.next(500))?.position).toBe('10'.padStart(20, '0'));
    subscription.close();
  });

  it('distinguishes events of one transaction, which share a commit position', async () => {
    const { stream, subscription } = subscribed();
    const at = (n: number, prepare: bigint) => {
      const { event } = resolved(n);
      return { event: { ...event, position: { commit: 20n, prepare } } };
    };
    for (const one of [at(1, 10n), at(2, 15n), at(2, 15n)]) stream.write(one);
    expect(revisionsOf(await subscription.next(500))).toEqual([1, 2]);
    subscription.close();
  });
});
