import { serviceForAll } from '../../kit/service.js';
import { onePrinter, openAccount, TestAgent } from '../../kit/world.js';
import { cancel, itemsOf, newJob, verdict } from '../asking.js';

describe('listing print jobs', () => {
  const service = serviceForAll();
  let key: string;
  let one: string;
  let two: string;
  let removed: string;
  let theirs: string;
  /** Oldest first. */
  const jobs: string[] = [];

  beforeAll(async () => {
    const account = await openAccount(service);
    ({ key } = account);
    const { agent, printerIds } = await TestAgent.ready(
      service,
      account.accountId,
      ['one', 'two', 'gone'].map((printer_key) => ({ ...onePrinter, printer_key })),
    );
    [one, two, removed] = printerIds as [string, string, string];
    const add = async (printerId: string, external_id?: string) => {
      jobs.push(await newJob(service, key, printerId, { ...(external_id && { external_id }) }));
      await service.advance(1);
    };
    for (let n = 0; n < 30; n++) await add(n % 3 === 0 ? two : one, n % 10 === 0 ? 'order-7' : undefined);
    await add(removed);
    await cancel(service, key, jobs[0]!);
    await cancel(service, key, jobs[1]!);
    await agent.inventory(['one', 'two'].map((printer_key) => ({ ...onePrinter, printer_key })));
    const stranger = await openAccount(service);
    const other = await TestAgent.ready(service, stranger.accountId);
    theirs = other.printerId;
    await newJob(service, stranger.key, theirs, { external_id: 'order-7' });
  });

  const list = (query = '') => service.call('GET', `/svc-api-print-jobs${query}`, { as: key });
  const ids = async (query = '') => itemsOf(await list(query)).map(({ job_id }) => job_id);
  const newestFirst = [...Array(31).keys()].reverse();
  const jobsAt = (places: readonly number[]) => places.map((n) => jobs[n]);

  it('shows the newest 25 first, with the total', async () => {
    const { body } = await list();
    expect(body.code).toBe('SVC_OK');
    expect(body.data).toMatchObject({ count: 25, total: 31, limit: 25, offset: 0 });
    expect(await ids()).toEqual(jobsAt(newestFirst.slice(0, 25)));
  });

  it('shows jobs without their history', async () => {
    const [newest] = itemsOf(await list('?limit=1'));
    expect(newest).toMatchObject({ contract: 'svc_job_v1', job_id: jobs[30], environment: 'live' });
    expect(newest).not.toHaveProperty('history');
  });

  it('walks all pages without gaps or duplicates', async () => {
    const walked: unknown[] = [];
    for (let offset = 0; offset < 35; offset += 7) walked.push(...(await ids(`?limit=7&offset=${offset}`)));
    expect(walked).toEqual(jobsAt(newestFirst));
    expect(await ids('?offset=31')).toEqual([]);
  });

  it('filters by status', async () => {
    expect(await ids('?status=cancelled')).toEqual(jobsAt([1, 0]));
    expect((await list('?status=queued&limit=1')).body.data).toMatchObject({ count: 1, total: 29 });
    expect((await list('?status=created')).body.data).toMatchObject({ count: 0, total: 0 });
  });

  it('filters by printer in any letter case, also by a removed one', async () => {
    const onTwo = newestFirst.filter((n) => n < 30 && n % 3 === 0);
    expect(await ids(`?printer_id=${two.toUpperCase()}`)).toEqual(jobsAt(onTwo));
    expect(await ids(`?printer_id=${removed}`)).toEqual(jobsAt([30]));
  });

  it('filters by external id within the account', async () => {
    expect(await ids('?external_id=order-7')).toEqual(jobsAt([20, 10, 0]));
    expect((await list('?external_id=order-8')).body.data).toMatchObject({ count: 0, total: 0 });
  });

  it('combines filters', async () => {
    expect(await ids(`?external_id=order-7&status=queued`)).toEqual(jobsAt([20, 10]));
    expect(await ids(`?external_id=order-7&printer_id=${two}`)).toEqual(jobsAt([0]));
    expect(await ids(`?external_id=order-7&printer_id=${one}&status=queued&limit=1&offset=1`)).toEqual(
      jobsAt([10]),
    );
    const { body } = await list(`?printer_id=${two}&status=queued&limit=2&offset=3`);
    expect(body.data).toMatchObject({ count: 2, total: 9, limit: 2, offset: 3 });
  });

  it.each([
    ['?status=done', 'status'],
    ['?printer_id=x', 'printer_id'],
    [`?external_id=${'x'.repeat(121)}`, 'external_id'],
    ['?external_id=', 'external_id'],
    ['?limit=101', 'limit'],
    ['?offset=100001', 'offset'],
    ['?computer_id=01990000-0000-7000-8000-00000000dead', 'computer_id'],
    ['?sort=asc', 'sort'],
  ])('refuses %s and names the parameter', async (query, name) => {
    const refused = await list(query);
    expect(verdict(refused)).toBe('400 SVC_VALIDATION_FAILED');
    expect(refused.body.message).toContain(name);
  });
});
