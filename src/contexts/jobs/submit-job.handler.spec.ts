import { changePlan, close, details } from '../../../test/kit/examples/accounts.js';
import * as pc from '../../../test/kit/examples/devices.js';
import { SystemRandomness } from '../../app/system/system-randomness.js';
import { AggregateStore } from '../../event-sourcing/write/aggregate-store.js';
import { NOON } from '../../../test/kit/recorded.js';
import * as the from '../../../test/kit/examples/jobs.js';
import { accounts, OpenAccount } from '../accounts/index.js';
import { computers } from '../devices/index.js';
import { defaultJobPolicy } from './domain/job.policy.js';
import { JobClaims } from './job-claims.js';
import { makeJobAggregate } from './job.aggregate.js';
import type { Limits } from './limits.js';
import { SubmitJob, SubmitJobs, type JobDraft } from './coordinated.commands.js';
import { SubmitJobHandler } from './submit-job.handler.js';
import { SubmitJobsHandler } from './submit-jobs.handler.js';
import { FakeContentStore } from '../../../test/kit/fakes/content-store.js';
import { TestEventStore } from '../../../test/kit/stores.js';
import { UnavailableError } from '../../kernel/errors.js';

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
const submit = () => new SubmitJob({ draft, idempotencyKey: 'order-1', at: NOON, by });

/** An open account with an online printer, without a limit by default. */
async function openedStore(jobsPerMonth: number | null = null): Promise<TestEventStore> {
  const events = new TestEventStore();
  const aggregates = new AggregateStore(events, new SystemRandomness());
  const unlimited = { ...details, plan: { ...details.plan, jobsPerMonth } };
  const opening = new OpenAccount({ accountId: the.ACCOUNT_ID, details: unlimited, at: NOON, by });
  await aggregates.execute(accounts, the.ACCOUNT_ID, opening);
  for (const command of [pc.enrol(), pc.startSession(), pc.see, inventory(true)])
    await aggregates.execute(computers, the.COMPUTER_ID, command);
  return events;
}

const inventory = (online: boolean) => pc.sync([pc.report(1, { online, capabilities: null })]);

/** One of several instances on the same stores. @param meanwhile happens before it looks up the printer */
function instance(
  events: TestEventStore,
  contents: FakeContentStore,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
  limits = {} as Limits,
): SubmitJobHandler {
  const randomness = new SystemRandomness();
  const job = makeJobAggregate(defaultJobPolicy);
  const aggregates = new AggregateStore(events, randomness, { shared: true, pause: () => Promise.resolve() });
  return new SubmitJobHandler(
    job,
    new JobClaims(job, aggregates),
    aggregates,
    contents,
    randomness,
    { computerOf: () => meanwhile().then(() => the.COMPUTER_ID) },
    limits,
  );
}

describe('submitting a job with the same key to two instances', () => {
  it('creates one job with its content when the second instance completes the create', async () => {
    const events = await openedStore();
    const contents = new FakeContentStore();
    const slow = new FakeContentStore();
    let second: unknown;
    slow.put = async (jobId, bytes) => {
      second = await instance(events, contents).execute(submit());
      await contents.put(jobId, bytes);
    };
    const first = await instance(events, slow).execute(submit());

    expect(first).toMatchObject({ ok: true, replayed: true });
    expect(second).toMatchObject({ ...first, replayed: false });
    const created = events.everything().filter(({ type }) => type === 'JobCreated');
    expect(created.map(({ stream }) => stream.slice('job-'.length))).toEqual([first.ok && first.jobId]);
    expect(await contents.ids(undefined, 10)).toEqual([first.ok && first.jobId]);
  });

  it('leaves one content, however many instances race for the claim', async () => {
    const events = await openedStore();
    const contents = new FakeContentStore();
    const all = await Promise.all([1, 2, 3].map(() => instance(events, contents).execute(submit())));

    expect(new Set(all.map((one) => one.ok && one.jobId)).size).toBe(1);
    expect(await contents.ids(undefined, 10)).toEqual([all[0]!.ok && all[0]!.jobId]);
  });

  it('uploads a large content once, however many instances race for the claim', async () => {
    const events = await openedStore();
    const contents = new FakeContentStore();
    const large = { ...draft, content: Buffer.alloc(300_000) };
    const command = new SubmitJob({ draft: large, idempotencyKey: 'order-1', at: NOON, by });
    const all = await Promise.all([1, 2, 3].map(() => instance(events, contents).execute(command)));

    expect(new Set(all.map((one) => one.ok && one.jobId)).size).toBe(1);
    expect(contents.puts).toEqual([all[0]!.ok && all[0]!.jobId]);
  });

  it("creates the job of a crashed claim holder under the claim's id", async () => {
    const events = await openedStore();
    const contents = new FakeContentStore();
    contents.put = () => Promise.reject(new UnavailableError('down'));
    await expect(instance(events, contents).execute(submit())).rejects.toThrow('down');
    const healed = new FakeContentStore();
    const repeated = await instance(events, healed).execute(submit());

    const claimed = events.everything().filter(({ type }) => type === 'Claimed');
    expect(claimed).toHaveLength(1);
    const holder = (claimed[0]!.data as { subject: string }).subject;
    expect(repeated).toMatchObject({ ok: true, jobId: holder, replayed: false });
    expect(await healed.ids(undefined, 10)).toEqual([holder]);
  });

  it('answers a repeat when another instance completes the job of a crashed holder first', async () => {
    const events = await openedStore();
    const contents = new FakeContentStore();
    const dying = new FakeContentStore();
    dying.put = () => Promise.reject(new UnavailableError('down'));
    await expect(instance(events, dying).execute(submit())).rejects.toThrow('down');
    const others: unknown[] = [];
    let lookups = 0;
    const late = instance(events, contents, async () => {
      // The first attempt claims the key in vain; a later one completes the job.
      if (++lookups === 2) others.push(await instance(events, contents).execute(submit()));
    });

    const repeated = await late.execute(submit());
    expect(others[0]).toMatchObject({ ok: true, replayed: false });
    expect(repeated).toEqual({ ok: true, jobId: repeated.ok && repeated.jobId, replayed: true });
    expect(await contents.ids(undefined, 10)).toEqual([repeated.ok && repeated.jobId]);
  });

  it('answers a repeat with the job even if a new request would be refused', async () => {
    const events = await openedStore();
    const contents = new FakeContentStore();
    const first = await instance(events, contents).execute(submit());

    const repeated = await instance(events, contents).execute(submit());
    const replay = { ok: true, jobId: first.ok && first.jobId, replayed: true };
    expect(repeated).toEqual(replay);
    const aggregates = new AggregateStore(events, new SystemRandomness());
    await aggregates.execute(computers, the.COMPUTER_ID, inventory(false));
    const later = instance(events, contents);
    expect(await later.execute(submit())).toEqual(replay);
    const another = new SubmitJob({
      draft: { ...draft, contentHash: 'b'.repeat(64) },
      idempotencyKey: 'order-1',
      at: NOON,
      by,
    });
    expect(await later.execute(another)).toMatchObject({ rejection: { code: 'IdempotencyConflict' } });
    const fresh = new SubmitJob({ draft, idempotencyKey: 'order-2', at: NOON, by });
    expect(await later.execute(fresh)).toMatchObject({ rejection: { code: 'PrinterNotReady' } });
    expect(await contents.ids(undefined, 10)).toEqual([first.ok && first.jobId]);
  });
});

describe('submitting a job that waits until others are counted', () => {
  /** @param change happens while it waits */
  const submitted = async (change: (aggregates: AggregateStore) => Promise<unknown>) => {
    const events = await openedStore(10);
    const aggregates = new AggregateStore(events, new SystemRandomness());
    const jobsOfMonth: Limits['jobsOfMonth'] = async (_account, _month, work) => {
      await change(aggregates);
      return work(9);
    };
    const limits = { jobsOfMonth } as Limits;
    return instance(events, new FakeContentStore(), undefined, limits).execute(submit());
  };

  it('is refused if its printer is removed meanwhile', async () => {
    const answer = await submitted((aggregates) =>
      aggregates.execute(computers, the.COMPUTER_ID, pc.sync([])),
    );
    expect(answer).toMatchObject({ ok: false, rejection: { code: 'PrinterNotReady' } });
  });

  it('is refused if its account is closed meanwhile', async () => {
    const answer = await submitted((aggregates) => aggregates.execute(accounts, the.ACCOUNT_ID, close));
    expect(answer).toMatchObject({ ok: false, rejection: { code: 'AccountClosed' } });
  });

  it('counts against the plan of that moment', async () => {
    const lower = changePlan({ jobsPerMonth: 9 });
    const answer = await submitted((aggregates) => aggregates.execute(accounts, the.ACCOUNT_ID, lower));
    expect(answer).toMatchObject({ rejection: { code: 'PlanLimitReached', jobsPerMonth: 9 } });
  });
});

describe('submitting a list of jobs on stores without a common commit', () => {
  const jobs = Array.from({ length: 40 }, (_, n) => ({
    draft: { ...draft, title: `L${n}` },
    idempotencyKey: `label-${n}`,
  }));
  interface Submission {
    readonly list?: typeof jobs;
    /** Happens before a printer is looked up. */
    readonly look?: () => Promise<unknown>;
  }
  const submitAll = (
    events: TestEventStore,
    contents: FakeContentStore,
    { list = jobs, look }: Submission = {},
  ) => {
    const aggregates = new AggregateStore(events, new SystemRandomness(), {
      shared: true,
      pause: () => Promise.resolve(),
    });
    const alone = instance(events, contents, look);
    return new SubmitJobsHandler(alone, aggregates, contents, events).execute(
      new SubmitJobs({ accountId: the.ACCOUNT_ID, jobs: list, at: NOON, by }),
    );
  };
  const titles = (events: TestEventStore) =>
    events
      .everything()
      .filter(({ type }) => type === 'JobCreated')
      .map(({ data }) => (data as { title?: string }).title);
  const inOrder = jobs.map(({ draft: { title } }) => title);

  it.each([0, 7, 20])(
    'keeps the order when put %i fails and the list is submitted again',
    async (failing) => {
      const events = await openedStore();
      const contents = new FakeContentStore();
      const put = contents.put.bind(contents);
      let puts = 0;
      contents.put = async (jobId, bytes) => {
        if (puts++ === failing) throw new UnavailableError('down');
        await put(jobId, bytes);
      };
      await expect(submitAll(events, contents)).rejects.toThrow('down');
      const answers = await submitAll(events, contents);
      expect(answers.every(({ ok }) => ok)).toBe(true);
      expect(titles(events)).toEqual(inOrder);
    },
  );

  it('looks a printer up once for jobs stored together, and waits for the views once', async () => {
    const events = await openedStore();
    let [looks, waits] = [0, 0];
    events.untilShown = async (shown) => {
      waits++;
      expect(shown.filter(({ type }) => type === 'JobCreated')).toHaveLength(jobs.length);
    };
    await submitAll(events, new FakeContentStore(), { look: async () => looks++ });
    expect([looks, waits]).toEqual([3, 1]);
  });

  it('refuses the jobs that are left when their printer goes offline meanwhile', async () => {
    const events = await openedStore();
    const contents = new FakeContentStore();
    const put = contents.put.bind(contents);
    const aggregates = new AggregateStore(events, new SystemRandomness());
    contents.put = async (jobId, bytes) => {
      if (contents.puts.length === 0) await aggregates.execute(computers, the.COMPUTER_ID, inventory(false));
      await put(jobId, bytes);
    };
    const answers = await submitAll(events, contents);
    expect(answers.map(({ ok }) => ok)).toEqual(jobs.map((_, n) => n < 16));
    expect(answers.at(-1)).toMatchObject({ rejection: { code: 'PrinterNotReady' } });
  });

  it('stores jobs for different printers beside each other', async () => {
    const events = await openedStore();
    const aggregates = new AggregateStore(events, new SystemRandomness());
    const two = pc.sync([1, 2].map((n) => pc.report(n, { online: true, capabilities: null })));
    await aggregates.execute(computers, the.COMPUTER_ID, two);
    const other = jobs.map(({ draft: job, idempotencyKey }, n) => ({
      draft: n % 2 === 0 ? job : { ...job, printerId: pc.printerIdOf(2) },
      idempotencyKey,
    }));
    const append = events.appendInOrder.bind(events);
    let [underWay, most] = [0, 0];
    events.appendInOrder = async (appends) => {
      if (appends[0]!.stream.startsWith('job-')) most = Math.max(most, ++underWay);
      const appended = await append(appends);
      if (appends[0]!.stream.startsWith('job-')) underWay--;
      return appended;
    };
    const answers = await submitAll(events, new FakeContentStore(), { list: other });
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(most).toBe(2);
    const ofFirst = (_: unknown, n: number) => n % 2 === 0;
    expect(titles(events).filter((title) => inOrder.filter(ofFirst).includes(title!))).toEqual(
      inOrder.filter(ofFirst),
    );
  });

  it('creates each job once when the same list is submitted twice at once', async () => {
    const events = await openedStore();
    const contents = new FakeContentStore();
    const both = await Promise.all([submitAll(events, contents), submitAll(events, contents)]);
    expect(both.flat().every(({ ok }) => ok)).toBe(true);
    expect([...titles(events)].sort()).toEqual([...inOrder].sort());
    expect(new Set(both.flat().map((answer) => answer.ok && answer.jobId)).size).toBe(jobs.length);
  });
});
