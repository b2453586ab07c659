import { AccountQueries } from '../../../projections/accounts/accounts.queries.js';
import { JobQueries } from '../../../projections/job-view/job-view.queries.js';
import { PrinterQueries } from '../../../projections/printers/printers.queries.js';
import { MemoryContentStore } from '../../adapters/memory/memory-content-store.js';
import { MemoryEventStore } from '../../adapters/memory/memory-event-store.js';
import { InProcessLocks } from '../../adapters/system/in-process-locks.js';
import { SystemRandomness } from '../../adapters/system/system-randomness.js';
import type { ViewDefinition } from '../../kernel/projection.js';
import type { Append } from '../../ports/event-store.port.js';
import { ViewStore } from '../../ports/view-store.port.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { NOON } from '../../../test/kit/recorded.js';
import * as the from '../../../test/kit/examples/jobs.js';
import { defaultJobPolicy } from './domain/job.policy.js';
import { makeJobAggregate } from './job.aggregate.js';
import { SubmitJob, type JobDraft } from './submit-job.command.js';
import { SubmitJobHandler } from './submit-job.handler.js';

/** As a remote store does it: one append after the other, and others come in between. */
class StepwiseEventStore extends MemoryEventStore {
  between: () => Promise<unknown> = async () => undefined;

  constructor() {
    super(() => undefined);
  }

  override async appendInOrder(appends: readonly Append[]) {
    const answers = [];
    for (const [n, append] of appends.entries()) {
      if (n > 0) await this.between();
      answers.push(...(await super.appendInOrder([append])));
    }
    return answers;
  }
}

const account = { status: 'active', plan: { jobs_per_month: null, max_content_bytes: 1_000 } };
const printer = { printer_id: the.PRINTER_ID, computer_id: the.COMPUTER_ID, status: 'online' };

/** An open account with a printer that is ready. */
class ReadyViews extends ViewStore {
  printerStatus = 'online';

  async get<D>({ name }: ViewDefinition) {
    const documents: Record<string, object> = {
      accounts: account,
      printers: { ...printer, status: this.printerStatus, account_id: the.ACCOUNT_ID },
    };
    return documents[name] as D | undefined;
  }

  async getMany() {
    return [];
  }

  async find() {
    return { documents: [], births: [] };
  }

  async count() {
    return 0;
  }
}

const draft: JobDraft = {
  accountId: the.ACCOUNT_ID,
  printerId: the.PRINTER_ID,
  contentType: 'text',
  content: Buffer.from('Hello'),
  contentHash: 'a'.repeat(64),
  copies: 1,
  source: 'integration',
};
const by = { actor: { kind: 'api_key', id: 'key' }, correlationId: 'correlation-1' } as const;
const submit = () => new SubmitJob(draft, 'order-1', NOON, by);

/** One of several instances over the same stores. */
function instance(
  events: StepwiseEventStore,
  contents: MemoryContentStore,
  views = new ReadyViews(),
): SubmitJobHandler {
  const randomness = new SystemRandomness();
  return new SubmitJobHandler(
    makeJobAggregate(defaultJobPolicy),
    new AggregateStore(events, randomness, { shared: true, pause: () => Promise.resolve() }),
    contents,
    randomness,
    new AccountQueries(views),
    new PrinterQueries(views),
    new JobQueries(views),
    new InProcessLocks(),
    events,
  );
}

describe('submitting a job with the same key to two instances', () => {
  it('makes one job with its content when the second finishes what the first has begun', async () => {
    const events = new StepwiseEventStore();
    const contents = new MemoryContentStore();
    let second: unknown;
    events.between = async () => {
      events.between = async () => undefined;
      second = await instance(events, contents).execute(submit());
    };
    const first = await instance(events, contents).execute(submit());

    expect(first).toMatchObject({ ok: true, replayed: true });
    expect(second).toEqual({ ...first, replayed: false });
    const created = events.everything().filter(({ type }) => type === 'JobCreated');
    expect(created.map(({ stream }) => stream.slice('job-'.length))).toEqual([first.ok && first.jobId]);
    expect(await contents.ids(undefined, 10)).toEqual([first.ok && first.jobId]);
  });

  it('keeps no content of the one who comes too late', async () => {
    const events = new StepwiseEventStore();
    const contents = new MemoryContentStore();
    const both = await Promise.all([1, 2, 3].map(() => instance(events, contents).execute(submit())));

    expect(new Set(both.map((one) => one.ok && one.jobId)).size).toBe(1);
    expect(await contents.ids(undefined, 10)).toEqual([both[0]!.ok && both[0]!.jobId]);
  });

  it('answers a repeat with the job though it would be refused by now, and keeps no second content', async () => {
    const events = new StepwiseEventStore();
    const contents = new MemoryContentStore();
    const first = await instance(events, contents).execute(submit());

    const repeated = await instance(events, contents).execute(submit());
    expect(repeated).toEqual({ ...first, replayed: true });
    const views = new ReadyViews();
    views.printerStatus = 'offline';
    const later = instance(events, contents, views);
    expect(await later.execute(submit())).toEqual({ ...first, replayed: true });
    const another = new SubmitJob({ ...draft, contentHash: 'b'.repeat(64) }, 'order-1', NOON, by);
    expect(await later.execute(another)).toMatchObject({ rejection: { code: 'IdempotencyConflict' } });
    const fresh = new SubmitJob(draft, 'order-2', NOON, by);
    expect(await later.execute(fresh)).toMatchObject({ rejection: { code: 'PrinterNotReady' } });
    expect(await contents.ids(undefined, 10)).toEqual([first.ok && first.jobId]);
  });
});
