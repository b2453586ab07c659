import { joined } from '../kit/panel.js';
import { TestPartner } from '../kit/partner.js';
import { serviceForAll } from '../kit/service.js';
import { TestAgent } from '../kit/world.js';
import { plus } from '../../src/kernel/time.js';
import { itemsOf, SECOND } from './asking.js';

describe('lists of jobs that instances with different clocks created', () => {
  const service = serviceForAll();
  let partner: TestPartner;
  let accountId: string;
  let printer: Awaited<ReturnType<typeof TestAgent.ready>>;
  /** By the seconds of the clocks. */
  const jobs = new Map<number, string>();
  beforeAll(async () => {
    partner = await TestPartner.open(service);
    accountId = await partner.account();
    printer = await TestAgent.ready(service, accountId);
    const start = service.clock.now();
    for (const second of [30, 10, 40, 20]) {
      service.clock.set(plus(start, second * SECOND));
      const { body } = await partner.print(accountId, printer.printerId);
      jobs.set(second, String(body.data!.job_id));
    }
  });

  const newestFirst = () => [40, 30, 20, 10].map((second) => jobs.get(second));

  it('are ordered by the time that they show, also over cursors', async () => {
    const found: unknown[] = [];
    let cursor: unknown = undefined;
    do {
      const path = `/accounts/${accountId}/jobs?limit=1${cursor ? `&cursor=${String(cursor)}` : ''}`;
      const answer = await partner.call('GET', path);
      found.push(...itemsOf(answer).map(({ job_id }) => job_id));
      cursor = answer.body.data!.next_cursor;
    } while (cursor);

    expect(found).toEqual(newestFirst());
  });

  it('are ordered by the time that they show, also over offsets and without a filter', async () => {
    for (const filter of [`account_id=${accountId}&`, 'status=queued&', '']) {
      const pages = await Promise.all(
        [0, 2].map((offset) => service.operate('GET', `/jobs?${filter}limit=2&offset=${offset}`)),
      );
      const found = pages.flatMap(({ items }) => items as { job_id: string }[]);
      expect(found.map(({ job_id }) => job_id)).toEqual(newestFirst());
    }
  });

  it('do not order the queue of a printer: a job sent after the answer of another prints after it', async () => {
    const queue = [...jobs.values()];
    const { browser } = await joined(service, accountId, 'bea', 'owner');
    expect(itemsOf(await browser.get(`/panel/printers/${printer.printerId}/queue`))).toMatchObject(
      queue.map((job_id) => ({ job_id })),
    );
    expect((await printer.agent.lease()).map(({ job_id }) => job_id)).toEqual(queue);
  });
});
