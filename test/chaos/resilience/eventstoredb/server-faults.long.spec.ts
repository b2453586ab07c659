import { v7 } from 'uuid';
import { begin, goOn, moved, written } from '../../../contract/sample-appends.js';
import { pause, within } from '../../../kit/polling.js';
import { appendUntilKnown, note, scene, SOON_MS } from './scene.js';
import { ConcurrencyError, UnavailableError } from '../../../../src/kernel/errors.js';

describe('an event store with temporary failures', () => {
  const the = scene();

  it('loses nothing and duplicates nothing when restarted under load', async () => {
    const { store } = the.open();
    const listener = await the.listen(store, { after: 'end' }).caughtUp();
    const streams = Array.from({ length: 8 }, () => `note-${v7()}`);
    const writing = streams.map(async (stream) => {
      await appendUntilKnown(store, begin(stream, written()));
      for (let n = 0; n < 25; n++) await appendUntilKnown(store, goOn(stream, n, moved(String(n))));
    });
    for (let restart = 0; restart < 3; restart++) {
      const { events } = await the.server.counters();
      await within(SOON_MS, async () => (await the.server.counters()).events >= events + 20);
      await the.server.restart();
    }
    await Promise.all(writing);
    await within(SOON_MS, () => listener.events.length >= 8 * 26);

    const heard = listener.events.map(({ stream, revision }) => `${stream} ${revision}`);
    expect(heard).toHaveLength(8 * 26);
    expect(new Set(heard).size).toBe(8 * 26);
    const positions = listener.events.map(({ position }) => position);
    expect(positions).toEqual([...positions].sort());
    for (const stream of streams) expect(await store.load(stream)).toHaveLength(26);
  });

  it('times out while frozen, and answers the repeat of a stored append', async () => {
    const { store } = the.open({ timeoutMs: 400 });
    await store.append(note());
    const append = note();
    the.server.freeze();
    await expect(store.append(append)).rejects.toMatchObject({ outcome: 'unknown' });
    await expect(store.load(append.stream)).rejects.toBeInstanceOf(UnavailableError);
    const asked = performance.now();
    await expect(store.check()).rejects.toBeInstanceOf(UnavailableError);
    expect(performance.now() - asked).toBeLessThan(2_000);
    the.server.thaw();

    const answer = await appendUntilKnown(store, append);
    expect(await store.append(append)).toEqual(answer);
    expect(await store.load(append.stream)).toHaveLength(1);
  });

  it('keeps its connections when it stalls for three seconds', async () => {
    const { store, interruptions, replacements } = the.open();
    const listener = await the.listen(store, { after: 'end' }).caughtUp();
    await store.append(note());
    the.server.freeze();
    await pause(3_200);
    the.server.thaw();
    const { stream } = note();
    await store.append(begin(stream, written()));
    await listener.hears(stream);

    expect([interruptions, replacements]).toEqual([[], []]);
  });

  it('is closed at once, even when frozen', async () => {
    const { store } = the.open({ timeoutMs: 400 });
    await the.listen(store).caughtUp();
    the.server.freeze();
    const late = store.append(note());
    late.catch(() => undefined);
    const asked = performance.now();
    await store.close();

    expect(performance.now() - asked).toBeLessThan(2_000);
    await expect(late).rejects.toMatchObject({ outcome: 'unknown' });
  });

  it('gets a new subscription after it was frozen', async () => {
    const { store, interruptions } = the.open({ timeoutMs: 400 });
    await store.check();
    the.server.freeze();
    const listener = the.listen(store);
    await listener.isInterrupted();
    await within(SOON_MS, () => interruptions.length >= 2);
    the.server.thaw();
    await listener.caughtUp();
    const append = note();
    await store.append(append);
    await listener.hears(append.stream);

    expect(listener.batches.filter(({ interrupted }) => interrupted)).toHaveLength(1);
  });

  it('refuses everything while busy, and accepts everything afterwards', async () => {
    const { store } = the.open();
    const appends = Array.from({ length: 20 }, () => note());
    await the.server.faults.set({ busy: true });
    const outcomes = await Promise.allSettled(appends.map((append) => store.append(append)));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    await the.server.faults.clear();

    for (const append of appends)
      expect(await appendUntilKnown(store, append)).toMatchObject({ revision: 0 });
  });

  it.each(['unavailable', 'silence'] as const)(
    'answers a repeat like the first time when the reply was lost (%s) after the commit',
    async (loseRepliesBy) => {
      const { store } = the.open({ timeoutMs: 500 });
      const append = begin(`note-${v7()}`, written(), moved('out'));
      const { events } = await the.server.counters();
      await the.server.faults.set({ loseReplies: 2, loseRepliesBy });
      await expect(store.append(append)).rejects.toMatchObject({ outcome: 'unknown' });
      await expect(store.append(append)).rejects.toMatchObject({ outcome: 'unknown' });

      const answer = await appendUntilKnown(store, append);
      const stored = await store.load(append.stream);
      expect(answer).toMatchObject({ revision: 1, position: stored[1]!.position });
      expect(await the.server.counters()).toMatchObject({ events: events + 2 });
      const others = begin(append.stream, written());
      await expect(store.append(others)).rejects.toBeInstanceOf(ConcurrencyError);
    },
  );

  it('names its leader, which accepts the repeat', async () => {
    const leader = await the.anotherServer();
    const { store } = the.open();
    await the.server.faults.set({ notLeader: { host: '127.0.0.1', port: leader.port } });
    const append = note();
    await expect(store.append(append)).rejects.toMatchObject({ outcome: 'unknown' });

    expect(await store.append(append)).toMatchObject({ revision: 0 });
    expect(await leader.counters()).toMatchObject({ appendsReceived: 1 });
    expect(await store.load(append.stream)).toHaveLength(1);
  });

  it('accepts appends again after a period without a leader', async () => {
    const { store, replacements } = the.open();
    await the.server.faults.set({ notLeader: null });
    for (let round = 0; round < 3; round++) {
      await expect(store.append(note())).rejects.toMatchObject({ outcome: 'unknown' });
    }
    await the.server.faults.clear();

    expect(await store.append(note())).toMatchObject({ revision: 0 });
    expect(replacements).toEqual([]);
  });

  it('refuses unauthorised reads without replacing the client', async () => {
    const { store, replacements } = the.open();
    await the.server.faults.set({ refuseReads: 'access-denied' });
    const listener = the.listen(store);
    await listener.isInterrupted();
    for (let round = 0; round < 3; round++) {
      await expect(store.check()).rejects.toMatchObject({ outcome: 'not_written' });
    }
    expect(replacements).toEqual([]);
    await the.server.faults.clear();
    await listener.caughtUp();
  });

  it('gets a new client after two unknown errors in a row', async () => {
    const { store, replacements } = the.open();
    const listener = await the.listen(store, { after: 'end' }).caughtUp();
    await the.server.faults.set({ refuseReads: 'internal' });
    await expect(store.check()).rejects.toBeInstanceOf(UnavailableError);
    expect(replacements).toHaveLength(0);
    await expect(store.check()).rejects.toBeInstanceOf(UnavailableError);
    expect(replacements).toHaveLength(1);
    await the.server.dropSubscriptions('end');
    await within(SOON_MS, () => replacements.length > 1);
    await the.server.faults.clear();
    const append = note();
    await store.append(append);

    await listener.hears(append.stream);
    expect(listener.streams).toEqual([append.stream]);
  });

  it('delivers duplicates of one connection once', async () => {
    const { store } = the.open();
    const listener = await the.listen(store, { after: 'end' }).caughtUp();
    await the.server.faults.set({ deliverTwice: 5 });
    const appends = Array.from({ length: 10 }, () => note());
    for (const append of appends) await store.append(append);
    await listener.hears(appends.at(-1)!.stream);

    expect(listener.streams).toEqual(appends.map(({ stream }) => stream));
  });

  it('ends feeds, refuses calls and leaves nothing open after the store is closed', async () => {
    const { store } = the.open();
    const listener = await the.listen(store).caughtUp();
    const late = store.append(note());
    await store.close();
    await listener.stop();

    expect(await late).toMatchObject({ revision: 0 });
    expect(listener.failure).toBeUndefined();
    await expect(store.append(note())).rejects.toMatchObject({ outcome: 'not_written' });
    await within(SOON_MS, async () => (await the.server.counters()).openSubscriptions === 0);
  });
});
