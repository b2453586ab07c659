import { randomUUID } from 'node:crypto';
import { OtlpCollector, type CollectedSpan } from '../kit/otlp-collector.js';
import { startTestService, type TestService } from '../kit/service.js';
import { WebhookReceiver } from '../kit/webhook-receiver.js';
import { openAccount, TestAgent, type Leased } from '../kit/world.js';
import { exported, startTarget } from './export-import.js';
import { eventually, INSECURE, WebhookClerk } from './webhook-asking.js';
import { rpsAt } from '../kit/rps-at.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const OTHER_TRACE = 'a'.repeat(32);
const CLIENT_SPAN = 'b7ad6b7169203331';
const AGENT_SPAN = '00f067aa0ba902b7';
const SAMPLED = `00-${TRACE}-${CLIENT_SPAN}-01`;
const content = { type: 'text', encoding: 'utf8', data: 'Hello, printer' };

/** A service with an account, an Agent and a webhook. */
class Site {
  private constructor(
    readonly service: TestService,
    readonly receiver: WebhookReceiver,
    readonly key: string,
    readonly agent: TestAgent,
    private readonly printerId: string,
  ) {}

  static async open(env: Record<string, string> = {}): Promise<Site> {
    const receiver = await WebhookReceiver.start();
    const service = await startTestService({ env: { ...INSECURE, ...env } });
    const { accountId, key } = await openAccount(service);
    const { agent, printerId } = await TestAgent.ready(service, accountId);
    const event_types = ['job.created', 'job.accepted_by_agent', 'job.expired'];
    await new WebhookClerk(service, key).open(`http://127.0.0.1:${receiver.port}/ok`, { event_types });
    return new Site(service, receiver, key, agent, printerId);
  }

  async create(traceparent?: string): Promise<string> {
    const headers = { 'idempotency-key': randomUUID(), ...(traceparent !== undefined && { traceparent }) };
    const json = { printer_id: this.printerId, content };
    const created = await this.service.call('POST', '/svc-api-print-jobs', { as: this.key, headers, json });
    expect(created.status).toBe(201);
    return String(created.body.data!.job_id);
  }

  async leased(): Promise<Leased & { readonly traceparent?: string }> {
    const [lease] = await this.agent.lease(1);
    return lease!;
  }

  accept({ job_id, lease_id, fence, content_hash }: Leased, traceparent: string) {
    const call = { headers: { traceparent }, json: { lease_id, fence, content_hash } };
    return this.agent.call('POST', `/jobs/${job_id}/accept`, call);
  }

  /** The request of a webhook. */
  sent(type: string, jobId = '') {
    const found = () =>
      this.receiver.requests.find(
        ({ headers, body }) => headers['x-svc-event'] === type && body.includes(jobId),
      );
    return eventually(found, (request) => request !== undefined);
  }

  async metadata(jobId: string) {
    const events = await this.service.stores.events.load(`job-${jobId}`);
    return events.map(({ type, metadata }) => [type, metadata.traceparent] as const);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.receiver.close();
  }
}

const routeOf = (spans: readonly CollectedSpan[], name: string) => spans.find((span) => span.name === name)!;

describe('with a collector', () => {
  let collector: OtlpCollector;
  let site: Site;
  beforeAll(async () => {
    collector = await OtlpCollector.start();
    site = await Site.open({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'printing' });
  });
  beforeEach(() => {
    collector.spans.length = 0;
    site.receiver.requests.length = 0;
  });
  afterAll(async () => {
    await site.close();
    await collector.close();
  });

  it("continues a client's trace to the Agent and the receiver of the webhook", async () => {
    const jobId = await site.create(SAMPLED);
    const lease = await site.leased();
    await site.accept(lease, `00-${TRACE}-${AGENT_SPAN}-01`);
    const [created, accepted] = [await site.sent('job.created'), await site.sent('job.accepted_by_agent')];
    const spans = await collector.trace(
      TRACE,
      (found) => found.filter(({ name }) => name === 'POST webhook').length === 2,
    );

    const api = routeOf(spans, 'POST /v1/svc-api-print-jobs');
    expect(api).toMatchObject({ service: 'printing', parentSpanId: CLIENT_SPAN, kind: 2, failed: false });
    expect(api.attributes).toMatchObject({
      'http.response.status_code': 201,
      'rps.operation': expect.any(String),
    });
    expect(lease.traceparent).toBe(`00-${TRACE}-${api.spanId}-01`);

    const ofAgent = routeOf(spans, 'POST /v1/agent/jobs/:job_id/accept');
    expect(ofAgent.parentSpanId).toBe(AGENT_SPAN);
    const webhooks = new Map(
      spans.filter(({ name }) => name === 'POST webhook').map((span) => [span.attributes['rps.event'], span]),
    );
    const [ofCreated, ofAccepted] = [webhooks.get('job.created')!, webhooks.get('job.accepted_by_agent')!];
    expect([ofCreated.parentSpanId, ofAccepted.parentSpanId]).toEqual([api.spanId, ofAgent.spanId]);
    expect(created!.headers.traceparent).toBe(`00-${TRACE}-${ofCreated.spanId}-01`);
    expect(accepted!.headers.traceparent).toBe(`00-${TRACE}-${ofAccepted.spanId}-01`);
    expect(await site.metadata(jobId)).toEqual([
      ['JobCreated', `00-${TRACE}-${api.spanId}-01`],
      ['JobQueued', `00-${TRACE}-${api.spanId}-01`],
      ['JobLeased', undefined],
      ['JobAccepted', `00-${TRACE}-${ofAgent.spanId}-01`],
    ]);
  });

  it.each([
    ['no traceparent', undefined],
    ['an invalid one', `00-${'0'.repeat(32)}-${CLIENT_SPAN}-01`],
    ['one of version 00 with more fields', `${SAMPLED}-00`],
    ['two', `${SAMPLED}, ${SAMPLED}`],
  ])('begins a trace for a request with %s', async (_, given) => {
    const jobId = await site.create(given);
    const [, traceId] = /^00-(.{32})-/.exec((await site.metadata(jobId))[0]![1]!)!;
    expect(traceId).not.toBe(TRACE);
    const [root] = await collector.trace(traceId!, (spans) => spans.some(({ kind }) => kind === 2));
    expect(root!.parentSpanId).toBe('');
  });

  it('stores and sends nothing of a trace that its client does not sample', async () => {
    const jobId = await site.create(`00-${TRACE}-${CLIENT_SPAN}-00`);
    expect((await site.sent('job.created'))!.headers).not.toHaveProperty('traceparent');
    expect(await site.metadata(jobId)).toEqual([
      ['JobCreated', undefined],
      ['JobQueued', undefined],
    ]);
  });

  it('exports and imports events with their traces', async () => {
    const jobId = await site.create(SAMPLED);
    const target = await startTarget('memory', site.service);
    const imported = await rpsAt(target, ['events', 'import', '-'], await exported(site.service));
    const traced = (await target.stores.events.load(`job-${jobId}`)).map(
      ({ metadata }) => metadata.traceparent,
    );
    await target.close();
    expect([imported.code, imported.err]).toEqual([0, '']);
    expect(traced).toEqual((await site.metadata(jobId)).map(([, traceparent]) => traceparent));
    expect(traced[0]).toMatch(new RegExp(`^00-${TRACE}-`));
  });

  it('begins no trace for the polls of Agents and supervisors', async () => {
    await site.agent.heartbeat();
    await site.agent.lease(1);
    for (const path of ['/health/live', '/health/ready']) await fetch(new URL(path, site.service.url));
    await site.create(SAMPLED);
    await collector.trace(TRACE, (spans) => spans.length > 0);
    expect(collector.spans.filter(({ name }) => /agent|health/.test(name))).toEqual([]);
  });

  it('exports no request without a valid credential', async () => {
    const guess = { as: 'svc_live_nobody', headers: { traceparent: `00-${OTHER_TRACE}-${CLIENT_SPAN}-01` } };
    expect((await site.service.call('GET', '/svc-api-account', guess)).status).toBe(401);
    await site.create(SAMPLED);
    await collector.trace(TRACE, (spans) => spans.length > 0);
    expect(collector.spans.filter(({ traceId }) => traceId === OTHER_TRACE)).toEqual([]);
  });

  it('keeps the trace of a job for what a timer does later', async () => {
    const jobId = await site.create(SAMPLED);
    await site.service.advance(86_400_000);
    expect((await site.sent('job.expired', jobId))!.headers.traceparent).toMatch(new RegExp(`^00-${TRACE}-`));
  });
});

it('stores, names and sends no trace without a collector', async () => {
  const site = await Site.open();
  const jobId = await site.create(SAMPLED);
  expect(await site.leased()).not.toHaveProperty('traceparent');
  expect((await site.sent('job.created'))!.headers).not.toHaveProperty('traceparent');
  expect(JSON.stringify(await site.service.stores.events.load(`job-${jobId}`))).not.toContain('traceparent');
  await site.close();
});

it('works as without one while the collector is gone', async () => {
  process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '200';
  const site = await Site.open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  delete process.env.OTEL_EXPORTER_OTLP_TIMEOUT;
  await site.create(SAMPLED);
  expect((await site.sent('job.created'))!.headers.traceparent).toMatch(new RegExp(`^00-${TRACE}-`));
  await site.close();
});
