import * as the from '../../test/kit/examples/jobs.js';
import { recorded } from '../../test/kit/recorded.js';
import { idOf } from '../../src/kernel/ids.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { EventStore, LogListener } from '../../src/event-sourcing/ports/event-store.port.js';
import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import { JobHistoryQueries } from './job-history.queries.js';

const jobId = idOf(the.JOB_STREAM);

/** A log of one job's events; counts the events that are read. */
class OneStream {
  events: readonly RecordedEvent[] = [];
  read = 0;
  private readonly listeners: LogListener[] = [];

  store(...events: JobEvent[]): this {
    this.events = recorded(the.JOB_STREAM, ...events);
    return this;
  }

  async load(_: string, { from = 0, max = Infinity } = {}): Promise<readonly RecordedEvent[]> {
    const found = this.events.slice(from).slice(0, max);
    this.read += found.length;
    return found;
  }

  listen(listener: LogListener): () => void {
    this.listeners.push(listener);
    return () => undefined;
  }

  /** Notifies of the stored events from this revision on. */
  notify(from = 0): void {
    for (const listener of this.listeners) listener.appended!(this.events.slice(from));
  }

  rollBack(): void {
    for (const listener of this.listeners) listener.rolledBack!();
  }

  queries(): JobHistoryQueries {
    return new JobHistoryQueries(this as unknown as EventStore);
  }

  /** As the job's document has it. */
  get sequence(): number {
    return this.events.length - 1;
  }
}

const accountOf = ([created]: readonly JobEvent[]) => (created!.data as { accountId: string }).accountId;

describe('reading the history of a job', () => {
  const accountId = accountOf(the.waiting);

  it('reads the stream of an unchanged job once', async () => {
    const stream = new OneStream().store(...the.waiting);
    const queries = stream.queries();
    const first = await queries.getHistory(accountId, jobId, stream.sequence);
    expect(first.history).toHaveLength(2);
    expect(await queries.getHistory(accountId, jobId, stream.sequence)).toEqual(first);
    expect(stream.read).toBe(the.waiting.length);
  });

  it('shows an event stored since', async () => {
    const stream = new OneStream().store(the.waiting[0]!);
    const queries = stream.queries();
    await queries.getHistory(accountId, jobId, stream.sequence);
    stream.store(...the.waiting);
    expect((await queries.getHistory(accountId, jobId, stream.sequence)).history).toHaveLength(2);
  });

  it('reads nothing if all events of the job were received', async () => {
    const stream = new OneStream().store(...the.taken);
    const queries = stream.queries();
    stream.notify();
    stream.notify(1);
    const { history } = await queries.getHistory(accountId, jobId, stream.sequence);
    expect(stream.read).toBe(0);
    expect(history).toEqual((await stream.queries().getHistory(accountId, jobId, stream.sequence)).history);
  });

  it.each([
    ['the first event was not heard', 1, 0],
    ['the document knows of a later event', 0, 1],
  ])('reads the stream when %s', async (_, from, later) => {
    const stream = new OneStream().store(...the.taken.slice(0, the.taken.length - later));
    const queries = stream.queries();
    stream.notify(from);
    stream.store(...the.taken);
    await queries.getHistory(accountId, jobId, stream.sequence);
    expect(stream.read).toBe(the.taken.length);
  });

  it.each([
    ['received', true],
    ['read', false],
  ])('ends with the revision of the document, although later events were %s', async (_, isHeard) => {
    const stream = new OneStream().store(...the.taken);
    const queries = stream.queries();
    if (isHeard) stream.notify();
    const { history } = await queries.getHistory(accountId, jobId, the.waiting.length - 1);
    expect(history).toHaveLength(the.waiting.length);
    const { history: whole } = await queries.getHistory(accountId, jobId, stream.sequence);
    expect(whole).toHaveLength(the.taken.length);
  });

  it('drops the events of a rolled-back log', async () => {
    const stream = new OneStream().store(...the.taken);
    const queries = stream.queries();
    stream.notify();
    await queries.getHistory(accountId, jobId, stream.sequence);
    stream.store(...the.withAgent);
    stream.rollBack();
    const { history } = await queries.getHistory(accountId, jobId, the.taken.length - 1);
    expect(history).toHaveLength(the.withAgent.length);
  });

  it('shows nothing to another account, even when cached', async () => {
    const stream = new OneStream().store(...the.waiting);
    const queries = stream.queries();
    expect(await queries.getHistory('another', jobId, stream.sequence)).toEqual({ history: [] });
    await queries.getHistory(accountId, jobId, stream.sequence);
    expect(await queries.getHistory('another', jobId, stream.sequence)).toEqual({ history: [] });
  });

  it('finds no history of a job that does not exist', async () => {
    expect(await new OneStream().queries().getHistory(accountId, jobId, 0)).toEqual({ history: [] });
  });
});
