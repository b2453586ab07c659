import { MongoClient, type Document } from 'mongodb';
import { MongoStores } from '../../../../src/event-sourcing/servers/mongodb/mongo-home.js';
import {
  countFilter,
  pageFilter,
  pageSort,
  totalIdsOf,
} from '../../../../src/event-sourcing/servers/mongodb/view-questions.js';
import { SystemClock } from '../../../../src/app/system/system-clock.js';
import { projectionsFor } from '../../../../src/app/projections.js';
import type { ViewDefinition } from '../../../../src/kernel/projection.js';
import { jobView } from '../../../../projections/job-view/job-view.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import type { EventStore } from '../../../../src/event-sourcing/ports/event-store.port.js';
import type { ViewQuery, ViewStore, Where } from '../../../../src/event-sourcing/ports/view-store.port.js';
import type { KeptDocument } from '../../../../src/event-sourcing/ports/view-writer.port.js';
import { positionFromNumber } from '../../../../src/event-sourcing/write/event-codec.js';
import { creationPositionOf } from '../../../../src/event-sourcing/projections/creation-order.js';
import { metadata } from '../../../kit/recorded.js';
import { notes, pages } from '../../../contract/sample-views.js';
import { LEASE } from '../../../kit/fed-mongo.js';
import { mongoServers, sayWhenNotReal, type MongoDatabases } from '../../../kit/mongo-databases.js';

/** Jobs on a page. */
const PAGE = 25;
const views = [notes, pages, ...projectionsFor({ presenceTimeoutMs: 60_000 })].map(({ view }) => view);

interface Asked {
  readonly where: Where;
  readonly orders: readonly ViewQuery['order'][];
}

const BY_TIME = ['newest', 'oldest'] as const;

/** Every declared query of a view, also with lists of values. */
function questionsOf(view: ViewDefinition): { list: Asked[]; count: Where[] } {
  const list = view.indexes.flatMap(({ fields, onlyWhen, inLogOrder }): Asked[] => {
    const orders = inLogOrder ? (['logged'] as const) : BY_TIME;
    const when = onlyWhen && { [onlyWhen.field]: onlyWhen.in };
    const one = Object.fromEntries(fields.map((field) => [field, 'x']));
    const any = Object.fromEntries(fields.map((field) => [field, ['x', 'y', null]]));
    const part = onlyWhen && { [onlyWhen.field]: onlyWhen.in[0]! };
    return [
      { where: { ...one, ...when }, orders },
      { where: { ...any, ...when }, orders },
      { where: { ...one, ...part }, orders },
    ];
  });
  const counted = (view.countBy ?? []).map((fields) =>
    Object.fromEntries(fields.map((field) => [field, 'x'])),
  );
  const byTime = list.filter(({ orders }) => orders === BY_TIME).map(({ where }) => where);
  return { list: [{ where: {}, orders: BY_TIME }, ...list], count: [{}, ...byTime, ...counted] };
}

function stagesOf(plan: Document): string[] {
  const inner = [plan.inputStage, ...((plan.inputStages as Document[] | undefined) ?? [])];
  return [plan.stage as string, ...inner.flatMap((one) => (one ? stagesOf(one as Document) : []))];
}

/** Stages of the winning plan, under any engine. */
function planOf(explained: Document): string[] {
  const winning = (explained.queryPlanner as Document).winningPlan as Document;
  return stagesOf((winning.queryPlan as Document | undefined) ?? winning);
}

sayWhenNotReal('questions and their indexes');

describe.each(mongoServers)('queries of views over $name', ({ start }) => {
  let databases: MongoDatabases;
  let home: MongoStores;
  let client: MongoClient;
  const places = new Map<ViewDefinition, string>();

  beforeAll(async () => {
    databases = await start();
    const url = databases.fresh();
    home = await MongoStores.open({ url, clock: new SystemClock() });
    client = await new MongoClient(url).connect();
    for (const view of views) {
      const build = await home.writer.begin(view, LEASE);
      places.set(view, build.location);
      const documents = Array.from({ length: 40 }, (_, n) => ({
        ...{
          id: `d${n}`,
          revision: 0,
          creationPosition: creationPositionOf({ position: positionFromNumber(n + 1), metadata }, 0),
        },
        document: n % 4 === 0 ? undefined : { id: `d${n}` },
      }));
      await home.writer.write([{ build, documents }]);
    }
  });
  afterAll(async () => {
    await client.close();
    await home.close();
    await databases.drop();
    await databases.stop();
  });

  it.each(views.map((view) => ({ name: view.name, view })))(
    'for $name use an index, also for their order',
    async ({ view }) => {
      const rows = client.db().collection(places.get(view)!);
      const { list, count } = questionsOf(view);
      for (const { where, orders } of list) {
        for (const order of orders) {
          const filter = pageFilter(view, { where, order, limit: 10 }) as Document;
          const stages = planOf(await rows.find(filter, { sort: pageSort({ order }), limit: 10 }).explain());
          expect({ where, stages }).toEqual({ where, stages: expect.arrayContaining(['IXSCAN']) });
          expect(stages).not.toContain('COLLSCAN');
          expect(stages).not.toContain('SORT');
        }
      }
      for (const where of count) {
        const stages = planOf(await rows.find(countFilter(view, where) as Document).explain());
        expect({ where, stages }).toEqual({ where, stages: expect.arrayContaining(['IXSCAN']) });
      }
    },
  );

  it('for a page of jobs read only the page from the index, and its total from a row', async () => {
    const build = await home.writer.begin(jobView, LEASE);
    await home.writer.write([{ build, documents: Array.from({ length: 300 }, (_, n) => aJob(n)) }]);
    const rows = client.db().collection(build.location);
    for (const where of await wheresOfLists()) {
      const filter = pageFilter(jobView, { where, order: 'newest', limit: PAGE }) as Document;
      const asked = rows.find(filter, { sort: pageSort({ order: 'newest' }), limit: PAGE });
      const { executionStats } = (await asked.explain('executionStats')) as { executionStats: Document };
      expect({ where, returned: executionStats.nReturned as number }).toEqual({ where, returned: PAGE });
      // One key more for each further value that is merged.
      const values = Object.values(where).flat().length;
      expect(executionStats.totalKeysExamined).toBeLessThanOrEqual(PAGE + values);
      expect(totalIdsOf(jobView, where)).toBeDefined();
    }
  });
});

/** Filters that `JobQueries` asks the store for, without the rare external id. */
async function wheresOfLists(): Promise<readonly Where[]> {
  const asked: Where[] = [];
  const views = {
    page: async (_: ViewDefinition, where: Where) => (asked.push(where), { items: [], total: 0 }),
  };
  const jobs = new JobQueries(views as unknown as ViewStore, {} as EventStore);
  const page = { limit: PAGE, offset: 0 };
  await jobs.listJobs('a', {}, page);
  await jobs.listJobs('a', { status: 'queued' }, page);
  await jobs.listJobs('a', { status: 'failed' }, page);
  await jobs.listJobs('a', { printerId: 'p' }, page);
  await jobs.listJobs('a', { printerId: 'p', status: 'queued' }, page);
  await jobs.listJobsOfAnyAccount({}, page);
  await jobs.listJobsOfAnyAccount({ status: 'queued' }, page);
  return asked;
}

/** One of many: a third each is queued, failed, and waits for a retry. */
function aJob(n: number): KeptDocument {
  const listed_as = ['queued', 'failed', 'retrying'][n % 3]!;
  const status = listed_as === 'retrying' ? 'failed' : listed_as;
  const document = { job_id: `job-${n}`, account_id: 'a', printer_id: 'p', status, listed_as };
  return {
    id: `job-${n}`,
    revision: 0,
    creationPosition: creationPositionOf({ position: positionFromNumber(n + 1), metadata }, 0),
    document,
  };
}
