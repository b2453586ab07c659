import { setImmediate } from 'node:timers/promises';
import { EventStoreDb } from '../../../../src/event-sourcing/servers/eventstoredb/event-store-db.js';
import type { RecordedEvent } from '../../../../src/kernel/recorded-event.js';
import { closed, goOn, moved } from '../../../contract/sample-appends.js';
import { metadata } from '../../../kit/recorded.js';
import { within } from '../../../kit/polling.js';
import { note, scene, SOON_MS } from './scene.js';
import { UnavailableError } from '../../../../src/kernel/errors.js';

/** Each fault of `@eventstore/db-client` 6.2.1 that was found, and that it does not reach us. */
describe('faults of the EventStoreDB client', () => {
  const the = scene();

  it('F1: an error on the connection of one store does not affect the appends of another', async () => {
    const other = await the.anotherServer();
    const [a, b] = [the.open().store, the.open({ url: other.url }).store];
    await a.append(note());
    await the.server.faults.set({ hangAppends: true });
    const hanging = a.append(note());
    hanging.catch(() => undefined);
    await within(SOON_MS, async () => (await the.server.counters()).hanging === 1);
    const healthy = Array.from({ length: 50 }, () => b.append(note()));
    await the.server.dropAll();

    await expect(hanging).rejects.toBeInstanceOf(UnavailableError);
    expect(await Promise.all(healthy)).toHaveLength(50);
    expect(await the.server.counters()).toMatchObject({ featuresCalls: 0 });
    expect(await other.counters()).toMatchObject({ featuresCalls: 0 });
  });

  it('F3: the option that corrupts revisions is refused, and revisions are correct', async () => {
    const { store } = the.open();
    expect(() => EventStoreDb.open({ url: `${the.server.url}&throwOnAppendFailure=false` })).toThrow(
      'throwOnAppendFailure',
    );
    const first = note();
    await store.append(first);
    await store.append(goOn(first.stream, 0, moved('out'), moved('in')));

    expect(await store.append(goOn(first.stream, 2, closed()))).toMatchObject({ revision: 3 });
  });

  it('F4: appends succeed on a server that cannot list its features', async () => {
    await the.server.faults.set({ features: 'internal' });
    const { store } = the.open();

    await store.append(note());
    await store.append(note());
    expect(await the.server.counters()).toMatchObject({ featuresCalls: 0 });
  });

  it('F5: an undiscovered cluster is discovered once it answers', async () => {
    await the.server.faults.set({ gossip: 'unavailable' });
    const url = `esdb+discover://127.0.0.1:${the.server.port}?tls=false&maxDiscoverAttempts=2&discoveryInterval=1`;
    const { store, replacements } = the.open({ url });

    await expect(store.append(note())).rejects.toMatchObject({ outcome: 'not_written' });
    await expect(store.check()).rejects.toBeInstanceOf(UnavailableError);
    expect(replacements.length).toBeGreaterThan(0);
    await the.server.faults.clear();
    expect(await store.append(note())).toMatchObject({ revision: 0 });
    await store.check();
  });

  it('F6: an unanswered feature request does not delay an append', async () => {
    await the.server.faults.set({ features: 'hang' });
    const { store } = the.open();

    expect(await store.append(note())).toMatchObject({ revision: 0 });
  });

  it('F7: reads leave no open call, however they end', async () => {
    const { store } = the.open({ timeoutMs: 1_500 });
    const { stream } = (await store.append(note())).events[0]!;
    await the.server.faults.set({ hangReads: true });
    const hanging = Array.from({ length: 90 }, () => store.load(stream));
    expect((await Promise.allSettled(hanging)).every(({ status }) => status === 'rejected')).toBe(true);
    await within(SOON_MS, async () => (await the.server.counters()).openReads === 0);
    await the.server.faults.clear();
    for (let round = 0; round < 120; round++) {
      await store.load(stream, { max: 1 });
      await store.load('note-missing');
      await store.readAll({ max: 1 });
      await store.head();
      for await (const batch of store.subscribe({ max: 1, signal: new AbortController().signal })) {
        if (batch.events.length > 0) break;
      }
    }

    await within(SOON_MS, async () => {
      const { openReads, openSubscriptions } = await the.server.counters();
      return openReads === 0 && openSubscriptions === 0;
    });
    expect(await store.load(stream)).toHaveLength(1);
  });

  it.each(['unavailable', 'cancelled', 'end'] as const)(
    'F8: a subscription dropped (%s) continues after its last position',
    async (how) => {
      const { store, interruptions } = the.open();
      const listener = await the.listen(store, { after: 'end' }).caughtUp();
      const [before, after] = [note(), note()];
      await store.append(before);
      await listener.hears(before.stream);
      await the.server.dropSubscriptions(how);
      await listener.isInterrupted();
      await store.append(after);
      await listener.hears(after.stream);

      expect(listener.streams).toEqual([before.stream, after.stream]);
      expect(interruptions).toHaveLength(1);
    },
  );

  it('F9: an error between two batches is not lost and ends nothing', async () => {
    const { store } = the.open();
    const feed = store.subscribe({ after: 'end', max: 10, signal: new AbortController().signal });
    const iterator = feed[Symbol.asyncIterator]();
    await iterator.next();
    await the.server.restart();
    await within(SOON_MS, async () => (await the.server.counters()).openSubscriptions === 0);
    const batches = [await iterator.next(), await iterator.next()];

    expect(batches.some(({ value }) => value?.interrupted)).toBe(true);
    await iterator.return!();
  });

  it('F10: a listener that fails during checkpoints fails alone', async () => {
    const { store } = the.open();
    await the.server.injectAll(systemEvents(2_000));
    const { stream } = note();
    const listening = async () => {
      for await (const { position } of store.subscribe({ max: 1, signal: new AbortController().signal })) {
        throw new Error(`the projection fails at ${position}`);
      }
    };
    await expect(listening()).rejects.toThrow('the projection fails');

    await store.append({ ...note(), stream });
    expect(await store.load(stream)).toHaveLength(1);
  });

  it('F11: a position is reported only after everything before it was delivered', async () => {
    const { store } = the.open();
    for (let round = 0; round < 40; round++) await the.server.injectAll([...ours(5), ...systemEvents(200)]);
    const all = (await store.readAll({ max: 100_000 })).map(({ position }) => position);
    let handed = 0;
    let beyond = 0;
    const positions: string[] = [];
    for await (const batch of store.subscribe({ max: 3, signal: new AbortController().signal })) {
      handed += batch.events.length;
      const { position = '' } = batch;
      expect(all.filter((one) => one <= position)).toHaveLength(handed);
      if (position > (batch.events.at(-1)?.position ?? '')) beyond += 1;
      positions.push(position);
      await setImmediate();
      if (batch.caughtUp) break;
    }

    expect(handed).toBe(all.length);
    expect(beyond).toBeGreaterThan(0);
    for (const after of positions.filter((_, n) => n % 20 === 0)) {
      expect(await positionsAfter(store, after)).toEqual(all.filter((one) => one > after));
    }
  });

  const systemEvents = (count: number) =>
    Array.from({ length: count }, () => ({ stream: '$stats', type: '$statsCollected', data: '{}' }));

  const ours = (count: number) =>
    Array.from({ length: count }, () => ({
      stream: 'note-ours',
      type: 'NoteClosed',
      data: '{}',
      metadata: JSON.stringify(metadata),
    }));

  async function positionsAfter(store: EventStoreDb, after: string): Promise<string[]> {
    const events: RecordedEvent[] = [];
    for await (const batch of store.subscribe({ after, max: 500, signal: new AbortController().signal })) {
      events.push(...batch.events);
      if (batch.caughtUp) break;
    }
    return events.map(({ position }) => position);
  }
});
