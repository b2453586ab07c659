import { JobPolling } from '../../../src/api/polling.js';
import { BadProxy, type Fate } from '../../kit/bad-proxy.js';
import { countOf, fixedSeed } from '../../kit/length.js';
import { soon } from '../../kit/polling.js';
import { Random } from '../../kit/random.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { openAccount, TestAgent } from '../../kit/world.js';
import type { Command, Driver } from './driver.js';
import { vectorSuite } from './vectors.contract.js';

const CREATES = countOf('CREATES', { short: 200, long: 1_000, soak: 10_000 });
const FAULTS: readonly Fate[] = ['lost', 'cut', 'unsent', 'proxy-error', { status: 429 }, { status: 503 }];

interface Job {
  readonly job_id: string;
  readonly status: string;
}

/** What every client must do: the vectors, and calls of a running service; `more` adds what only this one does. */
export function clientSuite(name: string, start: () => Promise<Driver>, more = () => {}): void {
  describe(`the client for ${name}`, () => {
    let driver: Driver;
    let service: TestService;
    let agent: TestAgent;
    let printer_id: string;
    let to: { base_url: string; api_key: string };
    beforeAll(async () => {
      driver = await start();
      service = await startTestService();
      const { accountId, key } = await openAccount(service);
      ({ agent, printerId: printer_id } = await TestAgent.ready(service, accountId));
      to = { base_url: service.url, api_key: key };
    });
    afterAll(async () => {
      await service.close();
      await driver.close();
    });

    const call = async (operation: string, given: Command['arguments'], more: Partial<Command> = {}) => {
      const answer = await driver.ask({ do: 'call', operation, arguments: given, ...to, ...more });
      if (answer.error) throw Object.assign(new Error(String(answer.error.text)), answer.error);
      return answer.result as never;
    };
    const create = (key?: string) =>
      call('create', { printer_id, text: 'Receipt' }, { key }) as Promise<Job & { replayed: boolean }>;
    const waits = () => soon(async () => service.service.app.get(JobPolling, { strict: false }).waiting > 0);

    vectorSuite(() => driver);
    more();

    it('creates a job once for a key, and cancels it', async () => {
      const { job_id, status, ...first } = await create('order-1042');
      expect([status, first]).toEqual(['queued', { replayed: false, restored_from: null }]);
      expect(await create('order-1042')).toEqual({ job_id, status, replayed: true, restored_from: null });
      expect(await call('get', { job_id })).toEqual({ job_id, status });
      expect(await call('cancel', { job_id })).toEqual({ job_id, status: 'cancelled' });
      await expect(call('retry', { job_id })).rejects.toMatchObject({ kind: 'api', status: 409 });
    });

    it('refuses a key that is not ASCII with one request at most', async () => {
      const { error } = await driver.ask({
        ...{ do: 'call', operation: 'create', arguments: { printer_id, text: 'Receipt' } },
        ...{ ...to, key: 'Bestellung-☕' },
      });
      if (error!.kind !== 'argument') expect(error).toMatchObject({ kind: 'api', status: 400, attempts: 1 });
    });

    it('refuses a document that is too large as the service does', async () => {
      const text = 'x'.repeat(16_777_216);
      await expect(call('create', { printer_id, text })).rejects.toMatchObject({
        ...{ kind: 'api', status: 413, code: 'SVC_PAYLOAD_TOO_LARGE', retryable: false },
      });
    });

    it('retries a failed job and reprints a printed one', async () => {
      const { job_id } = await create();
      const [lease] = await agent.lease(1);
      await agent.report(lease!, 'not_submitted');
      expect(await call('retry', { job_id })).toMatchObject({ job_id, status: 'queued', replayed: false });
      await agent.print();
      const copy: Job = await call('reprint', { job_id });
      expect(copy.status).toBe('queued');
      expect(copy.job_id).not.toBe(job_id);
      await call('cancel', { job_id: copy.job_id });
    });

    it('waits until a job is printed', async () => {
      const { job_id } = await create();
      const ended = call('wait', { job_id });
      await waits();
      await agent.print();
      const { seen, ...end }: { seen: string[] } = await ended;
      expect(end).toEqual({ outcome: 'completed', status: 'spooler_completed' });
      expect([seen[0], seen.at(-1)]).toEqual(['queued', 'spooler_completed']);
    });

    it('looks at a job once although the time of its wait is over', async () => {
      const { job_id } = await create();
      await expect(call('wait', { job_id, timeout: 0 })).rejects.toMatchObject({ kind: 'wait_timeout' });
      await call('cancel', { job_id });
    });

    it('lists every job once over pages, and every change once', async () => {
      const { data } = (await service.call('GET', '/svc-api-print-jobs', { as: to.api_key })).body;
      const { items } = data as { items: Job[] };
      const expected = items.map(({ job_id }) => job_id);
      expect(await call('list', { limit: 2 })).toEqual(expected);
      const { result } = await driver.ask({ do: 'changes', follow: false, ...to });
      const { items: events } = result as { items: string[] };
      expect(new Set(events).size).toBe(events.length);
      expect(events.length).toBeGreaterThan(expected.length);
    });

    it(`makes ${CREATES} jobs of ${CREATES} creates when 30 % of the answers are lost`, async () => {
      const random = new Random(fixedSeed(20261126));
      const fate = (): Fate => (random.chance(0.3) ? FAULTS[random.bits() % FAULTS.length]! : 'passes');
      const before = await total();
      const proxy = await BadProxy.start(service.url, fate);
      const many = { ...to, do: 'create_many', base_url: proxy.url, max_retries: 20 } as const;
      const { result } = await driver.ask({ ...many, printer_id, count: CREATES });
      expect(proxy.received.length).toBeGreaterThan(CREATES);
      await proxy.close();

      const { job_ids } = result as { job_ids: string[] };
      expect(new Set(job_ids).size).toBe(CREATES);
      expect((await total()) - before).toBe(CREATES);
    });

    const total = async () => {
      const { body } = await service.call('GET', '/svc-api-print-jobs?limit=1', { as: to.api_key });
      return (body.data as { total: number }).total;
    };
  });
}
