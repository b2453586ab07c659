import * as the from '../../test/kit/examples/jobs.js';
import { recorded } from '../../test/kit/recorded.js';
import { idOf } from '../../src/kernel/ids.js';
import type { RecordedEvent } from '../../src/kernel/recorded-event.js';
import type { EventStore } from '../../src/ports/event-store.port.js';
import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import { JobHistoryQueries } from './job-history.queries.js';

const jobId = idOf(the.JOB_STREAM);

/** Counts the events that are read. */
class OneStream {
  events: readonly RecordedEvent[] = [];
  read = 0;

  store(...events: JobEvent[]): this {
    this.events = recorded(the.JOB_STREAM, ...events);
    return this;
  }

  async load(_: string, { from = 0, max = Infinity } = {}): Promise<readonly RecordedEvent[]> {
    const found = this.events.slice(from).slice(0, max);
    this.read += found.length;
    return found;
  }

  queries(): JobHistoryQueries {
    return new JobHistoryQueries(this as unknown as EventStore);
  }
}

const accountOf = ([created]: readonly JobEvent[]) => (created!.data as { accountId: string }).accountId;

describe('reading the history of a job', () => {
  const accountId = accountOf(the.waiting);

  it('reads only the last event of a finished job again', async () => {
    const stream = new OneStream().store(...the.waiting);
    const queries = stream.queries();
    const first = await queries.getHistory(accountId, jobId);
    expect(first.history).toHaveLength(2);
    expect(await queries.getHistory(accountId, jobId)).toEqual(first);
    expect(stream.read).toBe(the.waiting.length + 1);
  });

  it('shows an event that was stored since', async () => {
    const stream = new OneStream().store(the.waiting[0]!);
    const queries = stream.queries();
    await queries.getHistory(accountId, jobId);
    stream.store(...the.waiting);
    expect((await queries.getHistory(accountId, jobId)).history).toHaveLength(2);
  });

  it('forgets events that a rollback of the log took away', async () => {
    const stream = new OneStream().store(...the.taken);
    const queries = stream.queries();
    await queries.getHistory(accountId, jobId);
    stream.store(...the.withAgent);
    const { history } = await queries.getHistory(accountId, jobId);
    expect(history).toHaveLength(the.withAgent.length);
  });

  it('shows nothing to another account, even when cached', async () => {
    const queries = new OneStream().store(...the.waiting).queries();
    expect(await queries.getHistory('another', jobId)).toEqual({ history: [] });
    await queries.getHistory(accountId, jobId);
    expect(await queries.getHistory('another', jobId)).toEqual({ history: [] });
  });

  it('finds no history of a job that does not exist', async () => {
    expect(await new OneStream().queries().getHistory(accountId, jobId)).toEqual({ history: [] });
  });
});
