import { JobScene, sceneForAll } from '../../kit/job-scene.js';
import { joined, type Browser } from '../../kit/panel.js';
import { serviceForAll } from '../../kit/service.js';
import { itemsOf, verdict } from '../asking.js';

describe('finding jobs in the panel', () => {
  const service = serviceForAll();
  const scene = sceneForAll(service, { slug: 'acme' });
  let viewer: Browser;
  let stranger: Browser;
  let second: string;
  /** Created a minute after one another. */
  const jobs: string[] = [];
  const times: string[] = [];

  beforeAll(async () => {
    ({ browser: viewer } = await joined(service, scene.accountId, 'vic', 'viewer'));
    const other = await JobScene.open(service, { slug: 'other' });
    await other.create({ title: 'Order 1211' });
    ({ browser: stranger } = await joined(service, other.accountId, 'zoe', 'owner'));
    second = other.printerId;
    for (const job of [
      { title: 'Order 1211', external_id: 'shop-1' },
      { title: 'ORDER 1212' },
      { title: '=HYPERLINK("http://x","y")', external_id: 'order' },
      { title: 'Menu, "lunch"' },
    ]) {
      times.push(service.clock.now());
      jobs.push(await scene.create(job));
      await service.advance(60);
    }
    await scene.cancel(jobs[1]!);
  });

  const search = (query: string, as = viewer) => as.get(`/panel/jobs?${query}`);
  const found = async (query: string) =>
    itemsOf(await search(query)).map(({ job_id }) => jobs.indexOf(String(job_id)));

  it('finds the beginning of a title in any case, of an external id, and of a job id', async () => {
    expect(await found('q=order%20121')).toEqual([1, 0]);
    expect(await found('q=%20order')).toEqual([2, 1, 0]);
    expect(await found('q=shop')).toEqual([0]);
    expect(await found(`q=${jobs[3]!.slice(0, 30).toUpperCase()}`)).toContain(3);
    expect(await found(`q=${jobs[3]!.slice(0, 6)}`)).toContain(3);
    expect(await found(`q=${jobs[3]!}`)).toEqual([3]);
    expect(await found('q=lunch')).toEqual([]);
  });

  it('filters by status, printer and dates', async () => {
    expect(await found('')).toEqual([3, 2, 1, 0]);
    expect(await found('q=order&status=cancelled')).toEqual([1]);
    expect(await found('status=unfinished')).toEqual([3, 2, 0]);
    expect(await found('q=order&status=unfinished')).toEqual([2, 0]);
    expect(await found(`printer_id=${scene.printerId}&q=menu`)).toEqual([3]);
    expect(await found(`from=${times[1]}&to=${times[3]}`)).toEqual([2, 1]);
    expect(verdict(await search('from=yesterday'))).toBe('400 INVALID_REQUEST');
    expect(verdict(await search(`printer_id=${second}`))).toBe('404 PRINTER_NOT_FOUND');
  });

  it('pages with a cursor of this search', async () => {
    const first = (await search('q=order&limit=2')).body.data!;
    expect(first).toMatchObject({ has_more: true });
    const cursor = String(first.next_cursor);
    expect(await found(`q=order&limit=2&cursor=${cursor}`)).toEqual([0]);
    expect((await search(`q=order&limit=2&cursor=${cursor}`)).body.data).toMatchObject({
      has_more: false,
      next_cursor: null,
    });
    expect(verdict(await search(`q=menu&cursor=${cursor}`))).toBe('400 INVALID_REQUEST');
  });

  it('shows the jobs of one account', async () => {
    const theirs = itemsOf(await search('q=order', stranger));
    expect(theirs).toHaveLength(1);
    expect(jobs).not.toContain(theirs[0]!.job_id);
    expect(itemsOf(await search(`q=${jobs[0]}`, stranger))).toEqual([]);
  });

  it('downloads what the filter finds as a table without formulas', async () => {
    const { status, text, headers } = await viewer.get('/panel/jobs.csv?q=order');
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="jobs-\d{4}-\d\d-\d\d\.csv"$/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const [, ...lines] = text.split('\r\n').slice(0, -1);
    expect(lines.map((line) => line.slice(0, 36))).toEqual([2, 1, 0].map((n) => jobs[n]));
    expect(lines[0]).toContain(`,"'=HYPERLINK(""http://x"",""y"")",order,queued,`);
    expect((await viewer.get('/panel/jobs.csv?limit=1')).text).toMatch(/"?Older jobs are left out/);
    expect((await viewer.call('HEAD', '/panel/jobs.csv')).status).toBe(200);
    expect(verdict(await viewer.get(`/panel/jobs.csv?printer_id=${second}`))).toBe('404 PRINTER_NOT_FOUND');
  });
});
