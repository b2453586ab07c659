import * as the from '../../../test/kit/examples/jobs.js';
import { Faults } from '../../../test/kit/faults.js';
import { ManualClock } from '../../../test/kit/manual-clock.js';
import { metadata } from '../../../test/kit/recorded.js';
import { openTestStores } from '../../../test/kit/stores.js';
import { SystemRandomness } from '../../app/system/system-randomness.js';
import { AggregateStore, type EventStore } from '../../event-sourcing/index.js';
import { jobView } from '../../../projections/job-view/job-view.js';
import { jobViewProjection } from '../../../projections/job-view/job-view.projection.js';
import { ViewJobLists } from '../../../projections/job-view/view-job-lists.js';
import { CorruptEventError } from '../../kernel/errors.js';
import { makeJobAggregate } from './job.aggregate.js';
import { defaultJobPolicy } from './domain/job.policy.js';
import type { JobEvent } from './domain/job.events.js';
import { JobArchive } from './job-archive.js';
import type { JobLists } from './ports.js';

const DAY_MS = 86_400_000;
const AFTER_MS = 31 * DAY_MS;
const JOBS = 20;

const idOf = (n: number) => `019aa000-0000-7000-8000-0000000004${String(n).padStart(2, '0')}`;
const streamOf = (n: number) => `job-${idOf(n)}`;

async function scene() {
  const clock = new ManualClock(the.seconds(0));
  const stores = openTestStores({ projections: [jobViewProjection], clock });
  const append = (n: number, ...events: readonly JobEvent[]) =>
    stores.events.append({
      stream: streamOf(n),
      expected: 'no_stream',
      events: events.map(({ type, data }, at) => ({
        id: `019aa000-0000-7000-8000-00000${String(n).padStart(3, '0')}${String(at).padStart(4, '0')}`,
        type,
        data: type === 'JobCreated' ? { ...data, jobId: idOf(n) } : data,
        metadata: { ...metadata, at: clock.now() },
      })),
    });
  for (let n = 0; n < JOBS; n++) await append(n, ...the.done, the.purged);
  await append(JOBS, ...the.inReview);
  clock.advance(AFTER_MS / 2);
  await append(JOBS + 1, ...the.done, the.purged);
  clock.advance(AFTER_MS / 2 + 1);

  const errors: unknown[] = [];
  const events = new Faults<EventStore>(stores.events);
  const aggregates = () => new AggregateStore(events.port, new SystemRandomness());
  const archive = () => {
    const archived = {
      lists: new ViewJobLists(stores.views),
      job: makeJobAggregate(defaultJobPolicy),
      aggregates: aggregates(),
    };
    return new JobArchive(archived, clock, AFTER_MS, (error) => errors.push(error));
  };
  const isArchived = async (n: number) =>
    (await stores.events.load(streamOf(n))).filter(({ type }) => type === 'JobArchived').length;
  const archivals = () => Promise.all(Array.from({ length: JOBS + 2 }, (_, n) => isArchived(n)));
  const listed = () => stores.views.count(jobView, { account_id: the.ACCOUNT_ID });
  return { clock, stores, events, errors, archive, archivals, listed };
}

const ALL = Array.from({ length: JOBS }, () => 1);

describe('archiving jobs', () => {
  it('takes those that ended long ago out of the view, and no other', async () => {
    const { stores, archive, archivals, listed, clock } = await scene();
    expect(await archive().run()).toBe(JOBS);
    expect(await archivals()).toEqual([...ALL, 0, 0]);
    expect(await listed()).toBe(2);
    expect(await archive().run()).toBe(0);
    clock.advance(AFTER_MS / 2);
    expect(await archive().run()).toBe(1);
    expect(await stores.maintenance.verify()).toMatchObject([{ equal: true, documents: 1 }]);
  });

  it('goes on after a stop, and archives each once', async () => {
    const { archive, archivals, listed, events, stores } = await scene();
    const stopped = new AbortController();
    const held = events.hold('append');
    const running = archive().run(stopped.signal);
    await held.reached;
    stopped.abort();
    held.letGo();
    const archived = await running;
    expect([archived > 0, archived < JOBS]).toEqual([true, true]);
    expect(await listed()).toBe(JOBS + 2 - archived);
    expect(await stores.maintenance.verify()).toMatchObject([{ equal: true }]);
    expect(await archive().run()).toBe(JOBS - archived);
    expect(await archivals()).toEqual([...ALL, 0, 0]);
  });

  it('leaves a job whose stream cannot be read, and goes on with the others', async () => {
    const { archive, archivals, errors, events } = await scene();
    events.refuse('load', 1, new CorruptEventError(streamOf(0), 0, '1'));
    expect(await archive().run()).toBe(JOBS - 1);
    expect(errors).toEqual([expect.any(CorruptEventError)]);
    expect((await archivals()).reduce((sum, n) => sum + n)).toBe(JOBS - 1);
  });

  it('looks at 20,000 jobs a run, also if the lists lag and all are archived already', async () => {
    let pages = 0;
    const jobIds = Array.from({ length: 200 }, () => the.JOB_ID);
    const endedBefore = async () => {
      if (++pages > 100) throw new Error('one page more');
      return { jobIds, next: String(pages) };
    };
    const archived = {
      lists: { endedBefore } as unknown as JobLists,
      job: makeJobAggregate(defaultJobPolicy),
      aggregates: { execute: async () => ({ ok: true, events: [] }) } as unknown as AggregateStore,
    };
    const archive = new JobArchive(archived, new ManualClock(), AFTER_MS, () => undefined);
    expect(await archive.run()).toBe(0);
    expect(pages).toBe(100);
  });

  it('builds the same view again', async () => {
    const { archive, stores, listed } = await scene();
    await archive().run();
    await stores.maintenance.rebuild(jobView.name);
    expect(await listed()).toBe(2);
    expect(await stores.maintenance.verify()).toMatchObject([{ equal: true, documents: 2 }]);
  });
});
