import {
  ConflictError,
  NotFoundError,
  RemotePrinting,
  text,
  UnansweredJobsError,
  type JobOfBatch,
} from '../../sdk/src/index.js';
import { INTEGRATION_METHODS, PARTNER_METHODS } from './methods.js';
import { RemotePrintingPartner, type Job } from '../../sdk/src/partner.js';
import { Changes } from '../../src/api/changes.js';
import { JobPolling } from '../../src/api/polling.js';
import { TestPartner } from '../kit/partner.js';
import { soon } from '../kit/polling.js';
import { serviceForAll } from '../kit/service.js';
import { openAccount, TestAgent } from '../kit/world.js';
import { BadProxy } from '../kit/bad-proxy.js';

const UNKNOWN = '01990000-0000-7000-8000-00000000dead';
const receipt = text('Receipt 1042');

describe('the SDK with the service', () => {
  const service = serviceForAll({ env: { WEBHOOK_ALLOW_INSECURE_TARGETS: 'true' } });
  let agent: TestAgent;
  let printer_id: string;
  let apiKey: string;
  let print: RemotePrinting;
  beforeEach(async () => {
    const account = await openAccount(service);
    apiKey = account.key;
    ({ agent, printerId: printer_id } = await TestAgent.ready(service, account.accountId));
    print = new RemotePrinting({ apiKey, baseUrl: service.url });
  });

  const create = () => print.jobs.create({ printer_id, content: receipt });
  /** Resolves once a client waits for a change of a job. */
  const waits = () => soon(async () => service.service.app.get(JobPolling, { strict: false }).waiting > 0);

  it('has a method for each operation of both APIs', () => {
    const partner = new RemotePrintingPartner({ credential: 'svc_partner_live_x', baseUrl: service.url });
    const named = (client: object, method: string) =>
      method.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], client);

    for (const method of Object.values(INTEGRATION_METHODS))
      expect(named(print, method)).toBeInstanceOf(Function);
    for (const method of Object.values(PARTNER_METHODS))
      expect(named(partner, method)).toBeInstanceOf(Function);
  });

  it('reads account, computers and printers, and prints a test page', async () => {
    expect(await print.account.get()).toMatchObject({ contract: 'svc_api_account_v1', name: 'Acme' });
    expect((await print.computers.list().page()).items).toMatchObject([{ computer_id: agent.computerId }]);
    expect((await print.printers.list({ status: 'online' }).page()).items).toMatchObject([{ printer_id }]);
    expect(await print.printers.test(printer_id)).toMatchObject({ printer_id, status: 'queued' });
  });

  it('follows the changes over restarts of the reader, with a stored cursor', async () => {
    let saved: string | undefined;
    const store = { load: () => saved, save: (cursor: string) => void (saved = cursor) };
    const readUntil = async (wanted: string) => {
      const types: string[] = [];
      for await (const { event_type } of print.changes({ store, pageSize: 2 })) {
        types.push(event_type);
        if (event_type === wanted) break;
      }
      return types;
    };
    expect(await readUntil('computer.registered')).toEqual(['computer.registered']);
    const { job } = await create();
    expect(await readUntil('job.queued')).toEqual(expect.arrayContaining(['printer.online', 'job.created']));
    const cancelled = readUntil('job.cancelled');
    await soon(() => service.service.app.get(Changes, { strict: false }).waiting > 0);
    await print.jobs.cancel(job.job_id);
    // The page that was left in the middle comes again.
    expect((await cancelled).filter((type) => !['job.created', 'job.queued'].includes(type))).toEqual([
      'job.cancelled',
    ]);
    const all: string[] = [];
    for await (const { event_id } of print.changes({ follow: false, pageSize: 3 })) all.push(event_id);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(6);
  });

  it('creates, gets, cancels and retries jobs', async () => {
    const { job, replayed } = await create();
    expect([job.status, replayed]).toEqual(['queued', false]);
    expect(await print.jobs.get(job.job_id)).toMatchObject({ history_contract: 'svc_job_history_v1' });
    expect(await print.jobs.cancel(job.job_id, { reason: 'ordered twice' })).toMatchObject({
      status: 'cancelled',
    });
    await expect(print.jobs.retry(job.job_id)).rejects.toBeInstanceOf(ConflictError);
    await expect(print.jobs.get(UNKNOWN)).rejects.toMatchObject({
      name: 'NotFoundError',
      code: 'SVC_JOB_NOT_FOUND',
    });
    await expect(print.jobs.get(UNKNOWN)).rejects.toBeInstanceOf(NotFoundError);

    const { job: failing } = await create();
    const [lease] = await agent.lease(1);
    await agent.report(lease!, 'not_submitted');
    expect(await print.jobs.retry(failing.job_id, { reason: 'paper was out' })).toMatchObject({
      job: { status: 'queued', retry_count: 1 },
      replayed: false,
    });
  });

  it('manages webhooks', async () => {
    const { webhook, secret } = await print.webhooks.create({ url: 'http://127.0.0.1:9/a' });
    expect(secret).toMatch(/^whsec_live_/);
    const { webhook_id } = webhook;
    await print.webhooks.update(webhook_id, { description: 'orders' });
    const { delivery } = await print.webhooks.test(webhook_id);
    expect((await print.webhooks.list()).webhooks).toMatchObject([{ webhook_id, description: 'orders' }]);
    expect(await print.webhooks.retryDelivery(delivery.delivery_id)).toMatchObject({
      delivery: { delivery_id: delivery.delivery_id, attempt_count: 2 },
    });
    await print.webhooks.delete(webhook_id);
    expect((await print.webhooks.list()).webhooks).toEqual([]);
  });

  describe('waiting for a job', () => {
    it('resolves when it is printed, with one request per change', async () => {
      const { job } = await create();
      const seen: string[] = [];
      const ended = print.jobs.waitForCompletion(job.job_id, { onChange: ({ status }) => seen.push(status) });
      await waits();
      await agent.print();

      expect(await ended).toMatchObject({ outcome: 'completed', job: { status: 'spooler_completed' } });
      expect(seen[0]).toBe('queued');
      expect(seen.at(-1)).toBe('spooler_completed');
    });

    it('takes at most ten requests for five changes in a minute', async () => {
      const proxy = await BadProxy.start(service.url, () => 'passes');
      const client = new RemotePrinting({ apiKey, baseUrl: proxy.url });
      const { job } = await create();
      const ended = client.jobs.waitForCompletion(job.job_id);
      const steps = [
        () => agent.lease(1),
        async ([lease]: Awaited<ReturnType<TestAgent['lease']>>) => (await agent.accept(lease!), lease!),
      ] as const;
      await waits();
      await service.advance(12_000);
      const leases = await steps[0]();
      await waits();
      await service.advance(12_000);
      const lease = await steps[1](leases);
      await waits();
      await agent.handoff(lease);
      await agent.report(lease, 'spooled', { spooler_provider: 'virtual', spooler_job_id: '1' });
      await waits();
      await agent.report(lease, 'spooler_completed');

      expect((await ended).outcome).toBe('completed');
      expect(proxy.received.length).toBeLessThanOrEqual(10);
      await proxy.close();
    });

    it.each<[string, (jobId: string) => Promise<unknown>, string]>([
      ['is cancelled', (jobId) => print.jobs.cancel(jobId), 'cancelled'],
      [
        'fails for good',
        async () => {
          const [lease] = await agent.lease(1);
          await agent.report(lease!, 'rejected');
        },
        'failed',
      ],
      [
        'needs a person',
        async () => {
          const [lease] = await agent.lease(1);
          await agent.accept(lease!);
          await agent.handoff(lease!);
          await agent.report(lease!, 'spooler_vanished');
        },
        'needs_decision',
      ],
    ])('resolves when it %s', async (_, happens, outcome) => {
      const { job } = await create();
      await happens(job.job_id);
      expect((await print.jobs.waitForCompletion(job.job_id)).outcome).toBe(outcome);
    });
  });

  it('creates 250 jobs in three requests, each once, when half of the answers are lost', async () => {
    let requests = 0;
    const proxy = await BadProxy.start(service.url, () => (requests++ % 2 === 0 ? 'lost' : 'passes'));
    const client = new RemotePrinting({ apiKey, baseUrl: proxy.url });
    const random = Math.random;
    Math.random = () => 0;
    const made: string[] = [];
    try {
      const jobs = Array.from({ length: 250 }, (_, n) => ({ printer_id, content: text(`Label ${n}`) }));
      for await (const { data } of client.jobs.createMany([...jobs, { ...jobs[0]!, copies: 99 }])) {
        made.push(data?.job_id ?? 'refused');
      }
    } finally {
      Math.random = random;
      await proxy.close();
    }
    expect(requests).toBe(6);
    expect(new Set(made).size).toBe(251);
    expect(made.at(-1)).toBe('refused');
    expect((await print.jobs.list({ limit: 1 }).page()).total).toBe(250);
  });

  it('names the jobs of a failed request with their keys, with which a second call makes none twice', async () => {
    const proxy = await BadProxy.start(service.url, () => 'lost');
    const client = new RemotePrinting({ apiKey, baseUrl: proxy.url, maxRetries: 0 });
    const jobs = [text('Label 1'), text('Label 2')].map((content) => ({ printer_id, content }));
    const failed = await client.jobs
      .createMany(jobs)
      .next()
      .catch((error: unknown) => error as UnansweredJobsError<JobOfBatch>)
      .finally(() => proxy.close());
    if (!(failed instanceof UnansweredJobsError)) throw new Error('answered');
    const statuses: number[] = [];
    for await (const { status } of print.jobs.createMany(failed.jobs)) statuses.push(status);
    expect(statuses).toEqual([200, 200]);
    expect((await print.jobs.list({ limit: 1 }).page()).total).toBe(2);
  });

  it('refuses a job alone that is too large for a request', async () => {
    const jobs = [text('Label 1'), text('x'.repeat(16_777_216)), text('Label 2')];
    const statuses: number[] = [];
    for await (const { status } of print.jobs.createMany(jobs.map((content) => ({ printer_id, content }))))
      statuses.push(status);
    expect(statuses).toEqual([201, 413, 201]);
  });

  it('serves a partner', async () => {
    const opened = await TestPartner.open(service);
    const partner = new RemotePrintingPartner({ credential: opened.credential, baseUrl: service.url });
    expect(await partner.health()).toMatchObject({ status: 'ok' });
    expect(await partner.capabilities()).toHaveProperty('limits');
    const account = await partner.accounts.provision({ external_id: 'shop-7', display_name: 'Shop 7' });
    const { account_id } = account;
    expect(await partner.accounts.provision({ external_id: 'shop-7', display_name: 'Shop 7' })).toEqual(
      account,
    );
    expect(await partner.enrollments.create(account_id)).toHaveProperty('enrollment_token');
    const at = await TestAgent.ready(service, account_id);
    const [device] = (await partner.devices.list(account_id).page()).items;
    const [printer] = (await partner.printers.list(account_id, { enabled: true }).page()).items;
    await partner.printers.update(account_id, printer!.printer_id, { enabled: true });

    const { job } = await partner.jobs.create(account_id, {
      printer_id: printer!.printer_id,
      content: receipt,
    });
    const ended = partner.jobs.waitForCompletion(account_id, job.job_id);
    await waits();
    await at.agent.print();
    expect((await ended).outcome).toBe('completed');
    expect(await partner.jobs.get(account_id, job.job_id)).toMatchObject({ status: 'printed' });
    const jobs: Job[] = [];
    for await (const listed of partner.jobs.list(account_id, { limit: 1 })) jobs.push(listed);
    expect(jobs.map(({ job_id }) => job_id)).toEqual([job.job_id]);

    await partner.devices.deactivate(account_id, device!.device_id);
    expect(await partner.accounts.deactivate(account_id)).toMatchObject({ account_id });
  });
});
