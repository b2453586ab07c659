import { EventStoreDBClient } from '@eventstore/db-client';
import { ClientHolder } from './client-holder.js';
import { UnavailableError } from '../../../kernel/errors.js';

const unclassified = () => new Error('nobody knows this');
const unavailable = () => Object.assign(new Error('the server is away'), { type: 'unavailable' });
const answered = () => Object.assign(new Error('no'), { type: 'access-denied' });
const poisoned = () => new Error('Failed to discover after 10 attempts.');

function holding() {
  const reasons: string[] = [];
  let now = 0;
  let open = 0;
  const make = () => {
    open += 1;
    return {
      calls: EventStoreDBClient.connectionString('esdb://localhost:1?tls=false'),
      isConnected: true,
      close: async () => void (open -= 1),
    };
  };
  const holder = new ClientHolder({ make, replaced: (reason) => reasons.push(reason), ticks: () => now });
  const first = holder.current;
  return {
    holder,
    reasons,
    fails: (error: Error) =>
      expect(holder.run(() => Promise.reject(error)))
        .rejects.toBe(error)
        .then(() => undefined),
    succeeds: () => holder.run(() => Promise.resolve('done')),
    passes: (ms: number) => (now += ms),
    openClients: () => open,
    isNew: () => holder.current !== first,
  };
}

describe('holding a client', () => {
  it('keeps the client while calls succeed, and returns their results', async () => {
    const { succeeds, isNew } = holding();
    expect(await succeeds()).toBe('done');
    expect(isNew()).toBe(false);
  });

  it('replaces the client at once after a failed cluster discovery', async () => {
    const { fails, isNew, reasons } = holding();
    await fails(poisoned());
    expect(isNew()).toBe(true);
    expect(reasons).toEqual([expect.stringContaining('Failed to discover')]);
  });

  it('replaces the client after two unknown errors in a row', async () => {
    const { fails, isNew } = holding();
    await fails(unclassified());
    expect(isNew()).toBe(false);
    await fails(unclassified());
    expect(isNew()).toBe(true);
  });

  it.each([
    ['a success', 'succeeds'],
    ['an answer of the server', answered],
    ['an outage', unavailable],
  ])('keeps the client when %s comes between two unknown errors', async (_, between) => {
    const { fails, succeeds, isNew } = holding();
    await fails(unclassified());
    await (typeof between === 'string' ? succeeds() : fails(between()));
    await fails(unclassified());
    expect(isNew()).toBe(false);
  });

  it('replaces the client after half a minute of failures', async () => {
    const { fails, passes, isNew, reasons } = holding();
    await fails(unavailable());
    passes(29_999);
    await fails(unavailable());
    expect(isNew()).toBe(false);
    passes(1);
    await fails(unavailable());
    expect(isNew()).toBe(true);
    expect(reasons).toHaveLength(1);
  });

  it('replaces the client after a call without an answer', async () => {
    const { holder, passes, isNew, reasons } = holding();
    const silent = holder.run(async () => {
      passes(2_000);
      throw new UnavailableError('no answer within 2000 ms');
    });
    await expect(silent).rejects.toThrow('no answer');
    expect([isNew(), reasons]).toEqual([true, [expect.stringContaining('silent')]]);
  });

  it('keeps the client when another call was answered meanwhile', async () => {
    const { holder, passes, isNew, succeeds } = holding();
    const slow = holder.run(async () => {
      passes(1_000);
      await succeeds();
      passes(4_000);
      throw new UnavailableError('no answer within 5000 ms');
    });
    await expect(slow).rejects.toThrow('no answer');
    expect(isNew()).toBe(false);
  });

  it('closes a client that it replaces, also one that never had an answer', async () => {
    const { fails, openClients } = holding();
    await fails(poisoned());
    await fails(poisoned());
    expect(openClients()).toBe(1);
  });

  it('keeps the client when a failure follows a long idle time', async () => {
    const { fails, succeeds, passes, isNew } = holding();
    await succeeds();
    passes(3_600_000);
    await fails(unavailable());
    expect(isNew()).toBe(false);
  });

  it('does not count late failures of the old client against the new one', async () => {
    const { holder, fails, reasons } = holding();
    const late = holder.run(async () => {
      await fails(poisoned());
      throw poisoned();
    });
    await expect(late).rejects.toThrow('Failed to discover');
    expect(reasons).toHaveLength(1);
  });

  it('makes no call after it was closed', async () => {
    const { holder, openClients } = holding();
    await holder.close();
    let calls = 0;
    const call = holder.run(async () => void (calls += 1));
    await expect(call).rejects.toThrow('closed');
    expect([calls, openClients()]).toEqual([0, 0]);
  });
});
