import { Documents } from '../../../src/api/documents.js';
import { inflatingPdf } from '../../kit/hostile-pdfs.js';
import { sceneForAll } from '../../kit/job-scene.js';
import { joined, type Browser } from '../../kit/panel.js';
import { A4, pdfOf } from '../../kit/sample-pdfs.js';
import { serviceForAll } from '../../kit/service.js';
import { WebhookReceiver } from '../../kit/webhook-receiver.js';
import { itemsOf, verdict } from '../asking.js';
import { eventually, INSECURE, WebhookClerk } from '../webhook-asking.js';

const TEXT = 'two rolls and a coffee';

const service = serviceForAll({ env: INSECURE });
const scene = sceneForAll(service, { slug: 'acme' });
let owner: Browser;
let memberId: string;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  ({ browser: owner, memberId } = await joined(service, scene.accountId, 'bea', 'owner'));
});
afterAll(() => receiver.close());

const textJob = () => scene.create({ content: { type: 'text', encoding: 'utf8', data: TEXT } });

describe('the stored events of a job', () => {
  it('are those of the audit, with the names of the actors', async () => {
    const jobId = await textJob();
    await scene.lease('accepted');
    await owner.post(`/svc-api-print-jobs/${jobId}/cancel`);
    const shown = itemsOf(await owner.get(`/panel/jobs/${jobId}/events`));
    const { items } = await service.operate('GET', `/streams/job-${jobId}?limit=1000`);
    expect(shown.map(({ actor: _, ...event }) => event)).toEqual(items);
    expect(shown.map(({ type, actor }) => `${String(type)} ${(actor as { name: string }).name}`)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^JobCreated key …/),
        'JobLeased FRONT-DESK',
        'JobAccepted FRONT-DESK',
      ]),
    );
  });

  it('name the member who cancelled', async () => {
    const jobId = await textJob();
    await owner.post(`/svc-api-print-jobs/${jobId}/cancel`, { reason: 'wrong order' });
    const last = itemsOf(await owner.get(`/panel/jobs/${jobId}/events`)).at(-1);
    expect(last).toMatchObject({
      type: 'JobCancelled',
      actor: { kind: 'member', id: memberId, name: 'bea' },
    });
  });
});

describe('the document of a job', () => {
  it('is a download that no browser renders, and its opening is stored', async () => {
    const jobId = await textJob();
    const { text, headers } = await owner.get(`/panel/jobs/${jobId}/document`);
    expect(text).toBe(TEXT);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${jobId}.txt"`,
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const { items } = await service.operate('GET', '/events?limit=1000');
    const opened = (items as { type: string; data: object; metadata: object }[]).filter(
      ({ type }) => type === 'DocumentOpened',
    );
    expect(opened).toEqual([
      expect.objectContaining({
        data: { jobId },
        metadata: expect.objectContaining({ actor: { kind: 'member', id: memberId } }),
      }),
    ]);
    await scene.cancel(jobId);
  });

  it('is missing after its deletion', async () => {
    const jobId = await textJob();
    await service.stores.contents.delete(jobId);
    expect(verdict(await owner.get(`/panel/jobs/${jobId}/document`))).toBe('404 CONTENT_NOT_FOUND');
    await scene.cancel(jobId);
  });
});

describe('the first pages of a document', () => {
  const pdfJob = (pdf: Buffer) =>
    scene.create({ content: { type: 'pdf', encoding: 'base64', data: pdf.toString('base64') } });
  const preview = async (jobId: string) => (await owner.get(`/panel/jobs/${jobId}/preview`)).body.data!;
  const noPages = { pages: [], page_count: null };

  it('are pictures, and each opening is stored with the member', async () => {
    const jobId = await pdfJob(await pdfOf(A4, A4, A4, A4));
    const { pages, page_count, problem } = await preview(jobId);
    expect([page_count, problem]).toEqual([4, null]);
    expect(pages).toEqual(
      Array(3).fill({ width: 560, height: 792, png: expect.stringMatching(/^iVBORw0KGgo/) }),
    );
    const [newest] = itemsOf(await owner.get('/panel/audit?limit=1'));
    expect(newest).toMatchObject({
      action: 'DocumentOpened',
      actor: { name: 'bea' },
      subject: { id: jobId },
    });
    await scene.cancel(jobId);
  });

  it('are not drawn for HEAD, which is no opening', async () => {
    const jobId = await pdfJob(await pdfOf(A4));
    const head = async () => (await owner.call('HEAD', `/panel/jobs/${jobId}/preview`)).status;
    expect(await head()).toBe(200);
    const entries = itemsOf(await owner.get('/panel/audit?limit=100'));
    expect(entries.map(({ subject }) => (subject as { id: string }).id)).not.toContain(jobId);
    await service.stores.contents.delete(jobId);
    expect(await head()).toBe(404);
    await scene.cancel(jobId);
  });

  it('are drawn within bounded memory, and a document that cannot be drawn says why', async () => {
    const [hostile, damaged] = [await pdfJob(inflatingPdf()), await pdfJob(Buffer.from('%PDF-1.7\n'))];
    expect(await preview(hostile)).toEqual({
      ...noPages,
      problem: expect.stringMatching(/^The service cannot draw this document: it takes too much .*memory\.$/),
    });
    expect(await preview(damaged)).toEqual({
      ...noPages,
      problem: 'The service cannot draw this PDF: it is damaged.',
    });
    for (const jobId of [hostile, damaged]) await scene.cancel(jobId);
  });

  it('exist of a PDF only', async () => {
    const [text, pdf] = [await textJob(), await pdfJob(await pdfOf(A4))];
    expect(await preview(text)).toEqual({ ...noPages, problem: 'The service draws only PDF.' });
    const path = `/panel/jobs/${pdf}/preview`;
    await service.stores.contents.delete(pdf);
    expect(verdict(await owner.get(path))).toBe('404 CONTENT_NOT_FOUND');
    for (const jobId of [text, pdf]) await scene.cancel(jobId);
  });
});

describe('a document that waits for its turn', () => {
  it.each(['document', 'preview'])('is not shown as %s to a member whose role changed', async (shown) => {
    const data = (await pdfOf(A4)).toString('base64');
    const jobId = await scene.create({ content: { type: 'pdf', encoding: 'base64', data } });
    const waiting = await joined(service, scene.accountId, `waits-for-${shown}`, 'developer');
    const documents = service.service.app.get(Documents, { strict: false });
    const open = documents.open.bind(documents);
    documents.open = async (...asked) => {
      await owner.post(`/panel/members/${waiting.memberId}/role`, { role: 'viewer' });
      return open(...asked);
    };
    expect(verdict(await waiting.browser.get(`/panel/jobs/${jobId}/${shown}`))).toBe(
      '401 CREDENTIAL_INVALID',
    );
    documents.open = open;
    const entries = itemsOf(await owner.get('/panel/audit?limit=5'));
    expect(entries.filter(({ action }) => action === 'DocumentOpened')).toEqual([]);
    await scene.cancel(jobId);
  });
});

describe('the webhook deliveries of a job', () => {
  /** `path` selects what the receiver answers. */
  const openWebhook = async (path: string) => {
    const clerk = new WebhookClerk(service, scene.key);
    const url = `http://127.0.0.1:${receiver.port}/${path}`;
    return { url, ...(await clerk.open(url, { event_types: ['job.created', 'job.cancelled'] })) };
  };
  const deliveriesOf = (jobId: string, status: string, length: number) =>
    eventually(
      async () => itemsOf(await owner.get(`/panel/jobs/${jobId}/deliveries`)),
      (items) => items.length === length && items.every((item) => item.status === status),
    );

  it('are found by the job, newest first, and are shown with request, attempts and actors', async () => {
    const { url, secret, webhookId } = await openWebhook('error/panel');
    const jobId = await textJob();
    await scene.cancel(jobId);
    const [newest, oldest] = await deliveriesOf(jobId, 'retry_scheduled', 2);
    expect([newest, oldest].map((it) => it!.event_type)).toEqual(['job.cancelled', 'job.created']);
    const path = `/panel/deliveries/${String(oldest!.delivery_id)}`;
    await owner.post('/svc-retry-webhook', { delivery_id: oldest!.delivery_id });
    const detail = (await owner.get(path)).body.data!;
    expect(detail).toMatchObject({ webhook_id: webhookId, attempt_count: 2, request: { url } });
    const failed = {
      result: 'failed',
      response_status: 500,
      failure_code: 'HTTP_STATUS',
      answer: 'b r [1mk!',
    };
    expect(detail.attempts).toMatchObject([
      { attempt: 1, trigger: 'schedule', actor: { kind: 'process', name: 'webhook-dispatch' }, ...failed },
      { attempt: 2, trigger: 'manual', actor: { kind: 'member', name: 'bea' }, ...failed },
    ]);
    const request = detail.request as { headers: Record<string, string>; body: string };
    const sent = receiver.requests.find(
      ({ headers }) => headers['x-svc-delivery-id'] === detail.delivery_id,
    )!;
    expect(sent.body.toString()).toBe(request.body);
    const { 'x-svc-timestamp': _, 'webhook-timestamp': __, ...compared } = request.headers;
    expect(sent.headers).toMatchObject(compared);
    expect(JSON.stringify(detail)).not.toMatch(/signature|whsec/);
    expect(JSON.stringify(detail)).not.toContain(secret);
    await owner.post('/svc-delete-webhook', { webhook_id: webhookId });
  });

  it('keep their attempts when the webhook is deleted, without the request', async () => {
    const { webhookId } = await openWebhook('error/deleted');
    const jobId = await textJob();
    await scene.cancel(jobId);
    const [delivery] = await deliveriesOf(jobId, 'retry_scheduled', 2);
    await owner.post('/svc-delete-webhook', { webhook_id: webhookId });
    const detail = (await owner.get(`/panel/deliveries/${String(delivery!.delivery_id)}`)).body.data!;
    expect(detail).toMatchObject({ request: null, attempts: [{ attempt: 1 }] });
    const listed = itemsOf(await owner.get(`/panel/jobs/${jobId}/deliveries`));
    expect(listed.map(({ webhook_id, webhook_name }) => [webhook_id, webhook_name])).toEqual([
      [webhookId, null],
      [webhookId, null],
    ]);
  });
});
