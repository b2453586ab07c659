import { randomUUID } from 'node:crypto';
import { AgentProcess } from '../../kit/agent-process.js';
import { OtlpCollector, type CollectedSpan } from '../../kit/otlp-collector.js';
import { soon } from '../../kit/polling.js';
import { WebhookReceiver } from '../../kit/webhook-receiver.js';
import { openAccount } from '../../kit/world.js';
import { Fleet } from './instances/kit/fleet.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CLIENT_SPAN = '00f067aa0ba902b7';
const CREATE = 'POST /v1/svc-api-print-jobs';
const REPORT = 'POST /v1/agent/events';
const INSECURE = { WEBHOOK_ALLOW_INSECURE_TARGETS: 'true' };

/** Client, instances of the service, Agent and receiver, with one printed job. */
class TracedPrint {
  readonly spans: readonly CollectedSpan[];

  private constructor(
    spans: readonly CollectedSpan[],
    /** By event type: the span that the receiver could continue. */
    readonly received: ReadonlyMap<string, string>,
  ) {
    this.spans = spans;
  }

  static async on(start: (env: Record<string, string>) => Promise<Fleet>): Promise<TracedPrint> {
    const collector = await OtlpCollector.start();
    const receiver = await WebhookReceiver.start();
    const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const fleet = await start({ ...INSECURE, ...traced });
    const { accountId, key } = await openAccount(fleet);
    const { enrollment_token } = await fleet.operate('POST', `/accounts/${accountId}/enrollments`, {});
    const url = fleet.serving[0]!.process.url;
    const agent = await AgentProcess.prepare(url, String(enrollment_token));
    agent.environment = { ...traced, OTEL_SERVICE_NAME: 'agent' };
    try {
      const hook = { url: `http://127.0.0.1:${receiver.port}/ok` };
      await fleet.call('POST', '/svc-create-webhook', { as: key, json: hook });
      agent.start();
      await printOnce(fleet, key);
      const done = () => receiver.requests.some(({ headers }) => isEnd(headers['x-svc-event']));
      await soon(() => Promise.resolve(done()));
      const received = new Map(
        receiver.requests.map(({ headers }) => [headers['x-svc-event']!, headers.traceparent ?? '']),
      );
      const ofEnd = received.get('job.spooler_completed')!.slice(36, 52);
      const isWhole = (spans: readonly CollectedSpan[]) => {
        const known = new Set([CLIENT_SPAN, ...spans.map(({ spanId }) => spanId)]);
        const names = new Set(spans.map(({ name }) => name));
        const isThere = known.has(ofEnd) && ['hand off', 'project', CREATE].every((name) => names.has(name));
        return isThere && spans.every(({ parentSpanId }) => known.has(parentSpanId));
      };
      return new TracedPrint(await collector.trace(TRACE, isWhole), received);
    } finally {
      await agent.remove();
      await fleet.remove();
      await receiver.close();
      await collector.close();
    }
  }

  /** Names from the root to the span. */
  pathTo(spanId: string): readonly string[] {
    const span = this.spans.find((each) => each.spanId === spanId);
    return span ? [...this.pathTo(span.parentSpanId), span.name] : [];
  }

  named(name: string): readonly CollectedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }
}

const isEnd = (type: string | undefined) => type === 'job.spooler_completed';

async function printOnce(fleet: Fleet, key: string): Promise<void> {
  let printerId: string | undefined;
  await soon(async () => {
    const { body } = await fleet.call('GET', '/svc-api-printers', { as: key });
    const [printer] = (body.data?.items ?? []) as { printer_id: string; status: string }[];
    if (printer?.status === 'online') printerId = printer.printer_id;
    return printerId !== undefined;
  });
  const headers = { 'idempotency-key': randomUUID(), traceparent: `00-${TRACE}-${CLIENT_SPAN}-01` };
  const content = { type: 'text', encoding: 'utf8', data: 'Hello, printer' };
  const json = { printer_id: printerId, content };
  await fleet.call('POST', '/svc-api-print-jobs', { as: key, headers, json });
}

describe.each([
  ['one process on embedded stores', (env: Record<string, string>) => Fleet.embedded(env)],
  [
    'an api and a worker on server stores',
    (env: Record<string, string>) => Fleet.start(['api', 'worker'], env),
  ],
] as const)('tracing a print over %s', (_, start) => {
  let print: TracedPrint;
  beforeAll(async () => {
    print = await TracedPrint.on(start);
  });

  it("has one trace from the client's request to the webhook of its end", () => {
    expect(print.received.get('job.spooler_completed')).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
    const end = print.received.get('job.spooler_completed')!.slice(36, 52);
    expect(print.pathTo(end)).toEqual([CREATE, 'print', REPORT, 'POST webhook']);
  });

  it('begins with the span of the client', () => {
    expect(print.named(CREATE)).toMatchObject([
      { parentSpanId: CLIENT_SPAN, service: 'remote-printing-service' },
    ]);
  });

  it('shows what the Agent did', () => {
    const [hand] = print.named('hand off');
    expect(hand).toMatchObject({ service: 'agent' });
    expect(print.pathTo(hand!.spanId)).toEqual([CREATE, 'print', 'hand off']);
    for (const call of ['GET /v1/agent/jobs/:job_id/content', 'POST /v1/agent/jobs/:job_id/accept'])
      expect([call, print.named(call).map(({ spanId }) => print.pathTo(spanId))]).toEqual([
        call,
        [[CREATE, 'print', call]],
      ]);
  });

  it('shows when the read models had the events', () => {
    const ofCreate = print
      .named('project')
      .filter(({ attributes }) => /JobCreated/.test(String(attributes['rps.events'])));
    expect(ofCreate.map(({ spanId }) => print.pathTo(spanId))).toEqual([[CREATE, 'project']]);
  });
});
