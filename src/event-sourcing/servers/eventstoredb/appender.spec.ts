import type { EventStoreDBClient } from '@eventstore/db-client';
import { metadata, NOON, recordedAt } from '../../../../test/kit/recorded.js';
import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import { noStoreMetrics, type Append } from '../../ports/event-store.port.js';
import { Appender } from './appender.js';
import type { ClientHolder } from './client-holder.js';
import type { LogReader } from './log-reader.js';
import { ConcurrencyError } from '../../../kernel/errors.js';

const event = (n: number) => recordedAt(NOON, 'note-1', n, { type: 'Noted', data: {} }) as RecordedEvent;
const append: Append = { stream: 'note-1', expected: 0, events: [{ ...event(1), metadata }] };

/** The server's answer, and what the stream shows to each read; the last one repeats. */
function appending(answer: () => Promise<unknown>, ...shown: RecordedEvent[][]) {
  return appendingWith(answer, async (nth) => shown[Math.min(nth, shown.length) - 1] ?? []);
}

/** @param show answers the n-th read, n from 1 */
function appendingWith(answer: () => Promise<unknown>, show: (nth: number) => Promise<unknown>) {
  let reads = 0;
  const client = { appendToStream: answer } as unknown as EventStoreDBClient;
  const appender = new Appender({
    holder: { run: (work: (one: EventStoreDBClient) => unknown) => work(client) } as unknown as ClientHolder,
    reader: { stream: () => show(++reads) } as unknown as LogReader,
    credentials: { username: '', password: '' },
    timeoutMs: 60_000,
    metrics: noStoreMetrics,
    readableWithinMs: 100,
  });
  return { appender, reads: () => reads };
}

/** Answers when the test is over. */
const late: (() => void)[] = [];
const never = () => new Promise((_, reject) => late.push(() => reject(new Error('too late'))));
afterEach(() => late.splice(0).forEach((end) => end()));

const lost = () =>
  Promise.reject(Object.assign(new Error('no'), { type: 'wrong-expected-version', actualVersion: 1n }));

describe('repeating an append that is still in flight', () => {
  it('takes the answer from the stream once it holds the events', async () => {
    const { appender, reads } = appending(never, [], [event(1)]);
    const appended = await appender.append({ ...append, isRepeat: true });

    expect(appended).toMatchObject({ revision: 1, position: event(1).position });
    expect(reads()).toBe(2);
  });

  it('ignores events of another writer', async () => {
    let answer!: (given: unknown) => void;
    const answered = new Promise((resolve) => (answer = resolve));
    const { appender, reads } = appendingWith(
      () => answered,
      async (read) => {
        if (read === 2) answer({ position: { commit: 9n, prepare: 9n }, nextExpectedRevision: 1n });
        return [{ ...event(1), id: 'another' }];
      },
    );

    expect(await appender.append({ ...append, isRepeat: true })).toMatchObject({
      position: '00000000000000000009',
    });
    expect(reads()).toBe(2);
  });

  it("takes the server's answer while a read is unanswered", async () => {
    let answer!: (given: unknown) => void;
    const answered = new Promise((resolve) => (answer = resolve));
    const { appender } = appendingWith(
      () => answered,
      () => {
        answer({ position: { commit: 9n, prepare: 9n }, nextExpectedRevision: 1n });
        return never();
      },
    );

    expect(await appender.append({ ...append, isRepeat: true })).toMatchObject({ revision: 1 });
  });

  it('does not read the stream on the first try', async () => {
    const { appender, reads } = appending(async () => ({
      position: { commit: 9n, prepare: 9n },
      nextExpectedRevision: 1n,
    }));
    await appender.append(append);

    expect(reads()).toBe(0);
  });
});

describe('losing a race', () => {
  it('is reported once the winner can be read', async () => {
    const { appender, reads } = appending(lost, [], [], [event(1)]);
    await expect(appender.append(append)).rejects.toEqual(new ConcurrencyError('note-1', 0, 1));

    expect(reads()).toBe(3);
  });

  it('is reported after the deadline when the winner stays hidden', async () => {
    const { appender, reads } = appending(lost, []);
    await expect(appender.append(append)).rejects.toEqual(new ConcurrencyError('note-1', 0, 1));

    expect(reads()).toBeGreaterThan(0);
  });

  it('fails after the deadline if a read is unanswered', async () => {
    const { appender } = appendingWith(lost, never);

    await expect(appender.append(append)).rejects.toEqual(new ConcurrencyError('note-1', 0, 1));
  });
});
