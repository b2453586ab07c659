import { sceneForEach } from '../../kit/job-scene.js';
import { serviceForAll } from '../../kit/service.js';
import { WebhookReceiver } from '../../kit/webhook-receiver.js';
import { dataAt, rpsAt } from '../../kit/rps-at.js';

describe('operating the jobs, printers and webhooks of an account with rps', () => {
  const service = serviceForAll({ env: { WEBHOOK_ALLOW_INSECURE_TARGETS: 'true' } });
  let receiver: WebhookReceiver;
  const scene = sceneForEach(service);
  beforeAll(async () => void (receiver = await WebhookReceiver.start()));
  afterAll(() => receiver.close());

  const run = (...words: string[]) => rpsAt(service, words);
  const data = (...words: string[]) => dataAt(service, words);
  const here = () => ['--account', scene.accountId];

  it('cancels a job by the beginning of its id, with a reason', async () => {
    const jobId = await scene.create();
    const cancelled = await data('job', 'cancel', jobId.slice(0, 30), '--reason', 'ordered twice');
    expect(cancelled).toMatchObject({ job_id: jobId, status: 'cancelled' });
    const again = await run('job', 'cancel', jobId);
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringMatching(/SVC_JOB_STATE_CONFLICT.*\nnext: .*can_cancel/),
    ]);
  });

  it('retries a job once for each key', async () => {
    const jobId = await scene.create();
    await scene.agent.report(await scene.lease('leased'), 'not_submitted');
    for (let time = 0; time < 2; time++)
      expect(await data('job', 'retry', jobId, '--idempotency-key', `again-${jobId}`)).toMatchObject({
        job_id: jobId,
        retry_count: 1,
      });
  });

  it('reprints a job as a new one each time', async () => {
    const jobId = await scene.create();
    const [first, second] = [await data('job', 'reprint', jobId), await data('job', 'reprint', jobId)];
    expect([first.reprint_of, second.reprint_of]).toEqual([jobId, jobId]);
    expect(new Set([jobId, first.job_id, second.job_id]).size).toBe(3);
  });

  it('lists, shows, pauses, resumes and tests a printer by its code or name', async () => {
    const { items } = (await data('printer', 'list', ...here())) as { items: Record<string, string>[] };
    const [{ printer_id, printer_code, name }] = items as [Record<string, string>];
    expect(printer_id).toBe(scene.printerId);
    const shown = await data('printer', 'show', printer_code!.toLowerCase(), ...here());
    expect(shown).toMatchObject({ printer_id, name });
    expect(await data('printer', 'pause', name!, ...here())).toMatchObject({ printer_id, paused: true });
    expect((await data('printer', 'resume', printer_id!)).paused).toBeUndefined();
    expect(await data('printer', 'test', name!, ...here())).toMatchObject({ title: 'Test page', printer_id });
    expect(await run('printer', 'show', 'nowhere', ...here())).toMatchObject({ code: 1 });
  });

  it('creates a job for the beginning of a printer id', async () => {
    const made = await data('job', 'create', '--printer', scene.printerId.slice(0, 30), 'LICENSE');
    expect(await data('job', 'show', String(made.job_id))).toMatchObject({ printer_id: scene.printerId });
  });

  it('manages a webhook by its address', async () => {
    const url = `http://127.0.0.1:${receiver.port}/ok`;
    const { webhook, secret } = await data(
      'webhook',
      'create',
      url,
      '--event-types',
      'job.failed',
      ...here(),
    );
    expect([webhook, secret]).toEqual([
      expect.objectContaining({ url, event_types: ['job.failed'] }),
      expect.stringMatching(/^whsec_live_/),
    ]);
    expect(await data('webhook', 'show', url, ...here())).toMatchObject({ url, health: 'healthy' });
    expect(await data('webhook', 'test', url, ...here())).toMatchObject({ status: 'delivered' });
    expect(receiver.requests.at(-1)?.headers['x-svc-event']).toBe('webhook.test');
    expect(await data('webhook', 'pause', url, ...here())).toMatchObject({ status: 'paused' });
    const refused = await run('webhook', 'test', url, ...here());
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('`rps webhook resume ID')]);
    expect(await data('webhook', 'resume', url, '--recover', ...here())).toMatchObject({ status: 'active' });
    const deliveries = await data('webhook', 'deliveries', url, '--status', 'delivered', ...here());
    expect(deliveries.items).toEqual([expect.objectContaining({ event_type: 'webhook.test' })]);
    const since = service.fromNow(-60_000);
    expect(await data('webhook', 'recover', url, '--since', since, '--dry-run', ...here())).toEqual({
      events: 0,
    });
    expect(await data('webhook', 'delete', url, ...here())).toMatchObject({ status: 'deleted' });
  });

  it('exits with 1 when a test or a retry is not delivered', async () => {
    const url = `http://127.0.0.1:${receiver.port}/error`;
    await data('webhook', 'create', url, ...here());
    const { code, out } = await run('webhook', 'test', url, ...here());
    const { delivery_id, status } = JSON.parse(out) as Record<string, string>;
    expect([code, status]).toEqual([1, 'retry_scheduled']);
    const retried = await run('webhook', 'retry', delivery_id!.slice(0, 8), ...here());
    expect([retried.code, JSON.parse(retried.out).attempt_count]).toEqual([1, 2]);
  });

  it('says that the account of a closed account is refused', async () => {
    const jobId = await scene.create();
    await data('account', 'close', scene.accountId);
    const { code, err } = await run('job', 'reprint', jobId);
    expect([code, err]).toEqual([1, expect.stringContaining('that the account is not closed')]);
  });
});
