import { createHash, randomUUID } from 'node:crypto';
import { AgentProcess } from '../../kit/agent-process.js';
import { TestPartner } from '../../kit/partner.js';
import { startTestService, type TestService } from '../../kit/service.js';

interface Answer {
  readonly status: number;
  readonly etag: string | null;
  readonly code: string;
  readonly data: Record<string, unknown>;
}

const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
);

/** Code of a partner's server, written from the contract: only fetch, and none of our helpers. */
class PartnerServer {
  constructor(
    private readonly baseUrl: string,
    private readonly credential: string,
  ) {}

  async ask(method: string, path: string, body?: object, headers: object = {}): Promise<Answer> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${this.credential}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { code = '', data = {} } = (text ? JSON.parse(text) : {}) as Partial<Answer>;
    return { status: response.status, etag: response.headers.get('etag'), code, data };
  }

  /** Polls a list until an item matches; unchanged answers do not count against the limit. */
  async awaitItem(path: string, isReady: (item: Record<string, unknown>) => boolean) {
    let etag: string | null = null;
    for (const end = Date.now() + 15_000; Date.now() < end;) {
      const answer: Answer = await this.ask('GET', path, undefined, etag ? { 'if-none-match': etag } : {});
      etag = answer.etag;
      const items = (answer.data.items ?? []) as Record<string, unknown>[];
      const found = items.find(isReady);
      if (found) return found;
    }
    throw new Error(`nothing as wished at ${path}`);
  }

  /** Follows a job to its end with one request per change; resolves to its statuses. */
  async follow(path: string) {
    const seen: unknown[] = [];
    let answer = await this.ask('GET', path);
    for (let requests = 0; requests < 50; requests++) {
      if (answer.status === 200 && seen.at(-1) !== answer.data.status) seen.push(answer.data.status);
      if (['printed', 'failed'].includes(String(answer.data.status))) return { seen, job: answer.data };
      const { etag } = answer;
      answer = await this.ask('GET', path, undefined, { 'if-none-match': etag, prefer: 'wait=10' });
    }
    throw new Error(`${path} does not end: ${seen.join(', ')}`);
  }
}

describe('a partner following only the contract', () => {
  let service: TestService;
  let server: PartnerServer;
  let agent: AgentProcess | undefined;
  beforeAll(async () => {
    service = await startTestService({ env: { RATE_LIMIT_FACTOR: '20' } });
    server = new PartnerServer(service.url, (await TestPartner.open(service)).credential);
  });
  afterAll(async () => {
    await agent?.remove();
    await service.close();
  });

  it('provisions, enrols, prints a PDF, polls it, and deactivates everything', async () => {
    const { data: capabilities } = await server.ask('GET', '/managed/capabilities');
    expect(capabilities.features).toMatchObject({ webhooks: false, jobs: true });

    const customer = { external_id: 'customer-4711', display_name: 'Bakery Smith' };
    const { code, data: account } = await server.ask('POST', '/accounts', customer);
    expect(code).toBe('ACCOUNT_PROVISIONED');
    const home = `/accounts/${String(account.account_id)}`;

    const enrolment = await server.ask('POST', `${home}/enrollments`, { ttl_seconds: 120 });
    expect([enrolment.status, enrolment.code]).toEqual([201, 'ENROLLMENT_CREATED']);
    agent = await AgentProcess.prepare(service.url, String(enrolment.data.enrollment_token));
    agent.start();
    const device = await server.awaitItem(`${home}/devices`, ({ status }) => status === 'online');
    const printer = await server.awaitItem(
      `${home}/printers?enabled=true&status=online&device_id=${String(device.device_id)}`,
      () => true,
    );
    const named = await server.ask('PATCH', `${home}/printers/${String(printer.printer_id)}`, {
      display_name: 'Front till',
    });
    expect(named.data).toMatchObject({ alias: 'Front till', display_name: 'Front till', enabled: true });

    const request = {
      printer_id: printer.printer_id,
      content: { type: 'pdf', encoding: 'base64', data: PDF.toString('base64') },
      external_id: 'order-1',
      title: 'Invoice 1',
    };
    const key = { 'idempotency-key': randomUUID() };
    const created = await server.ask('POST', `${home}/jobs`, request, key);
    expect([created.status, created.code]).toEqual([201, 'JOB_CREATED']);
    const path = `${home}/jobs/${String(created.data.job_id)}`;
    const { seen, job } = await server.follow(path);
    expect(seen.at(-1)).toBe('printed');
    expect(job).toMatchObject({
      external_id: 'order-1',
      content_hash: createHash('sha256').update(PDF).digest('hex'),
      failure_code: null,
    });
    const replay = await server.ask('POST', `${home}/jobs`, request, key);
    expect([replay.status, replay.code, replay.data]).toEqual([200, 'JOB_IDEMPOTENT_REPLAY', job]);
    const printed = [...(await agent.printed())].filter(([name]) => name.endsWith('.pdf'));
    expect(printed.map(([, bytes]) => bytes.equals(PDF))).toEqual([true]);

    const gone = await server.ask('POST', `${home}/devices/${String(device.device_id)}/deactivate`, {
      reason: 'the till was replaced',
    });
    expect([gone.code, gone.data.status]).toEqual(['DEVICE_DEACTIVATED', 'revoked']);
    const closed = await server.ask('POST', `${home}/deactivate`);
    expect([closed.code, closed.data.status]).toEqual(['ACCOUNT_DEACTIVATED', 'closed']);
    expect((await server.ask('GET', path)).data).toEqual(job);
    const late = await server.ask('POST', `${home}/jobs`, request, { 'idempotency-key': randomUUID() });
    expect([late.status, late.code]).toEqual([409, 'ACCOUNT_CLOSED']);
  });
});
