import { plus } from '../../src/kernel/time.js';
import { TestPartner } from '../kit/partner.js';
import { startTestService, type TestService } from '../kit/service.js';
import { createJob, onePrinter, openAccount, TestAgent, type TestAccount } from '../kit/world.js';
import { kept } from './export-import.js';
import { HOUR } from './asking.js';
import { rpsAt } from '../kit/rps-at.js';

const HEADER = 'service-restored-from';

/** A service that can be replaced by another on the same stores, like processes on a data folder. */
async function startFirst() {
  const first = await startTestService();
  const running = [first];
  const next = async (env: Record<string, string> = {}): Promise<TestService> => {
    await running.at(-1)!.service.app.close();
    const lent = { ...first.stores, close: async () => undefined };
    const started = await startTestService({ env, clock: first.clock, stores: () => lent });
    running.push(started);
    return started;
  };
  const closeAll = async () => {
    for (const one of running.slice(1)) await one.close();
    await first.close();
  };
  return { first, next, closeAll };
}

describe('starting on a restored store', () => {
  let service: TestService;
  let next: (env?: Record<string, string>) => Promise<TestService>;
  let closeAll: () => Promise<void>;
  let account: TestAccount;
  let agent: TestAgent;
  let printerId: string;
  beforeEach(async () => {
    ({ first: service, next, closeAll } = await startFirst());
    account = await openAccount(service);
    ({ agent, printerId } = await TestAgent.ready(service, account.accountId));
  });
  afterEach(() => closeAll());

  const create = async () => String((await createJob(service, account.key, printerId)).body.data!.job_id);
  const jobOf = async (on: TestService, id: string) =>
    (await on.call('GET', `/svc-api-print-jobs/${id}`, { as: account.key })).body.data!;
  const statuses = (on: TestService, ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await jobOf(on, id)).status));

  /** One job in each state: printed, failed with a retry, handed off, accepted, leased, queued. */
  const oneOfEach = async () => {
    const printed = await create();
    await agent.print();
    const failed = await create();
    const handed = await create();
    const accepted = await create();
    const leased = await create();
    const [first, second, third] = await agent.lease(4);
    await agent.accept(first!);
    await agent.report(first!, 'rejected', { failure_code: 'NO_PAPER', failure_class: 'temporary' });
    await agent.accept(second!);
    await agent.handoff(second!);
    await agent.accept(third!);
    return { printed, waiting: [failed, handed, accepted, leased, await create()] };
  };
  const sessionOn = (on: TestService) => {
    const beside = Object.create(agent, { service: { value: on } }) as TestAgent;
    return beside.start().then(() => beside);
  };

  it('parks every active job with a readable reason', async () => {
    const { printed, waiting } = await oneOfEach();
    const backupAt = service.clock.now();
    service.clock.advance(HOUR);
    const restored = await next({ RESTORED: 'true' });

    expect(await statuses(restored, waiting)).toEqual(waiting.map(() => 'manual_review'));
    expect((await jobOf(restored, printed)).status).toBe('spooler_completed');
    expect(await jobOf(restored, waiting[0]!)).toMatchObject({
      failure_code: 'RESTORED',
      failure_class: 'ambiguous',
      failure_message: `The service was restored from a backup of ${backupAt}; this job may have been printed since.`,
    });
    expect(await (await sessionOn(restored)).lease()).toEqual([]);
    const recorded = (await kept(restored)).filter(({ type }) => type === 'StoreRestored');
    expect(recorded.map(({ data }) => data)).toEqual([
      { backupAt, restoredAt: plus(backupAt, HOUR), parked: waiting.length },
    ]);
  });

  it('answers 304 to no ETag from before, because revisions are given again', async () => {
    const printed = await create();
    await agent.print();
    const paths = [`/svc-api-print-jobs/${printed}`, '/svc-api-print-jobs'];
    const get = (on: TestService, path: string, etag?: string) =>
      on.call('GET', path, { as: account.key, headers: etag === undefined ? {} : { 'if-none-match': etag } });
    const before = await Promise.all(paths.map((path) => get(service, path)));
    const restored = await next({ RESTORED: 'true' });

    for (const [n, path] of paths.entries()) {
      const after = await get(restored, path, before[n]!.headers.get('etag')!);
      expect([path, after.status, after.body.data]).toEqual([path, 200, before[n]!.body.data]);
      expect((await get(restored, path, after.headers.get('etag')!)).status).toBe(304);
    }
  });

  it('prints later jobs as usual', async () => {
    await create();
    const restored = await next({ RESTORED: 'true' });
    const again = await sessionOn(restored);
    const created = await createJob(restored, account.key, printerId);
    const [lease] = await again.lease();
    expect(lease!.job_id).toBe(created.body.data!.job_id);
  });

  it('names the backup in every create for 24 hours, across restarts', async () => {
    const backupAt = (await kept(service)).at(-1)!.metadata.at;
    await next({ RESTORED: 'true' });
    const restored = await next();
    const again = await sessionOn(restored);
    await again.inventory([onePrinter]);
    const key = 'the-same-key';
    const created = await createJob(restored, account.key, printerId, {}, key);
    const replayed = await createJob(restored, account.key, printerId, {}, key);
    const test = await restored.call('POST', `/svc-api-printers/${printerId}/test`, { as: account.key });
    const ofPartner = await createAsPartner(restored);
    expect(
      [created, replayed, test, ofPartner].map(({ status, headers }) => [status, headers.get(HEADER)]),
    ).toEqual([201, 200, 202, 201].map((status) => [status, backupAt]));
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    const read = await restored.call('GET', '/svc-api-print-jobs', { as: account.key });
    expect(read.headers.get(HEADER)).toBeNull();

    restored.clock.advance(24 * HOUR);
    await again.heartbeat();
    const later = await createJob(restored, account.key, printerId);
    expect(later.headers.get(HEADER)).toBeNull();
  });

  it('releases parked jobs on request', async () => {
    const { waiting } = await oneOfEach();
    const restored = await next({ RESTORED: 'true' });
    const before = restored.clock.now();
    const release = (time: string) => rpsAt(restored, ['job', 'release', '--restored-before', time]);
    expect(JSON.parse((await release(before)).out)).toEqual({ released: 0, skipped: 0 });
    const done = await restored.operate('POST', '/jobs/release', { restored_before: plus(before, 1) });
    expect(done).toEqual({ released: waiting.length, skipped: 0 });
    expect(await statuses(restored, waiting)).toEqual(waiting.map(() => 'queued'));
    expect(await (await sessionOn(restored)).lease()).toHaveLength(4);
    const wrong = await release('yesterday');
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringMatching(/restored_before/)]);
  });
});

/** A job of a partner's account on a separate printer. */
async function createAsPartner(service: TestService) {
  const partner = await TestPartner.open(service);
  const accountId = await partner.account();
  const { printerId } = await TestAgent.ready(service, accountId);
  return partner.print(accountId, printerId);
}
