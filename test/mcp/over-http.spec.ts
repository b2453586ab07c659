import { JobPolling } from '../../src/api/polling.js';
import type { Answered } from '../kit/http/client.js';
import { JobScene, sceneForEach } from '../kit/job-scene.js';
import { McpTools, type Printed } from '../kit/mcp-tools.js';
import { joined } from '../kit/panel.js';
import { soon } from '../kit/polling.js';
import { serviceForAll, type TestService } from '../kit/service.js';
import { createJob, onePrinter } from '../kit/world.js';
import { SECOND, verdict } from '../surface/asking.js';

const NOBODYS_ID = '0199aaaa-0000-7000-8000-000000000000';
const READING = ['explain_job', 'get_job', 'list_changes', 'list_printers', 'wait_for_job'];
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const keyWith = async ({ service, accountId }: JobScene, ...scopes: readonly string[]) =>
  String((await service.operate('POST', `/accounts/${accountId}/keys`, { scopes })).api_key);
const jobsOf = async ({ service, key }: JobScene) =>
  Number((await service.call('GET', '/svc-api-print-jobs', { as: key })).body.data!.total);
const requestOf = ({ printerId }: JobScene, more: object = {}) => ({
  printer_id: printerId,
  text: 'hello',
  ...more,
});

describe('the tools over HTTP', () => {
  const service = serviceForAll();
  const scene = sceneForEach(service);
  let tools: McpTools;

  beforeEach(async () => {
    tools = await McpTools.overHttp(service.url, scene.key);
  });
  afterEach(() => tools.close());

  it('prints once what was prepared, although every call comes three times', async () => {
    const args = requestOf(scene, { title: 'Order 1211' });
    const prepared = [];
    for (let n = 0; n < 3; n++) prepared.push(await tools.answer('prepare_print', args));
    expect(new Set(prepared.map(({ confirm }) => confirm)).size).toBe(1);
    expect(prepared[0]).toMatchObject({ title: 'Order 1211', type: 'text', bytes: 5, copies: 1 });

    const { confirm } = prepared[0]!;
    const printed = [];
    for (let n = 0; n < 3; n++) printed.push(await tools.answer<Printed>('print', { ...args, confirm }));
    expect(printed.map(({ printed_before }) => printed_before)).toEqual([false, true, true]);
    expect(await jobsOf(scene)).toBe(1);
  });

  it('makes another job in another conversation, but one for an occasion', async () => {
    const other = await McpTools.overHttp(service.url, scene.key);
    for (const each of [tools, other]) {
      await each.print(requestOf(scene));
      await each.print(requestOf(scene, { occasion: 'order 1211' }));
    }
    await other.close();
    expect(await jobsOf(scene)).toBe(3);
  });

  it('prints in another conversation what was prepared in one, by its occasion', async () => {
    const { confirm, occasion } = await tools.answer('prepare_print', requestOf(scene));
    const other = await McpTools.overHttp(service.url, scene.key);
    const args = requestOf(scene, { occasion, confirm });
    const printed = [];
    for (const each of [tools, other]) printed.push(await each.answer<Printed>('print', args));
    await other.close();
    expect(printed.map(({ printed_before }) => printed_before)).toEqual([false, true]);
  });

  it('wants an occasion of a client that names no conversation', async () => {
    const params = { name: 'prepare_print', arguments: requestOf(scene) };
    const { status, body } = await post(service, { ...LIST, method: 'tools/call', params }, scene.key);
    expect([status, body.result]).toEqual([
      200,
      expect.objectContaining({
        isError: true,
        content: [{ type: 'text', text: expect.stringMatching(/^give an occasion/) }],
      }),
    ]);
  });

  it('shows first the printer that is behind', async () => {
    const label = { ...onePrinter, printer_key: 'label-2', name: 'Label 2', is_default: false };
    const [till, other] = await scene.agent.inventory([onePrinter, label]);
    await createJob(service, scene.key, other!);
    service.clock.advance(60_000);
    await scene.agent.heartbeat();
    for (let n = 0; n < 2; n++) await createJob(service, scene.key, till!);
    expect((await tools.answer('list_printers')).printers).toMatchObject([
      { name: 'Label 2', waiting_jobs: 1 },
      { name: 'Till 1', waiting_jobs: 2 },
    ]);
  });

  it('names the key and the correlation id of a call in its events', async () => {
    const job_id = await scene.create();
    const params = { name: 'cancel_job', arguments: { job_id } };
    const headers = { 'x-correlation-id': 'conversation-7' };
    await post(service, { ...LIST, method: 'tools/call', params }, scene.key, headers);
    const { items } = await service.operate('GET', `/streams/job-${job_id}`);
    const { items: keys } = await service.operate('GET', `/accounts/${scene.accountId}/keys`);
    const [{ key_id: id }] = keys as [{ key_id: string }];
    expect((items as object[]).at(-1)).toMatchObject({
      type: 'JobCancelled',
      metadata: { actor: { kind: 'api_key', id }, correlationId: 'conversation-7' },
    });
  });

  it('tells of a key that was revoked during a wait', async () => {
    const job_id = await scene.create();
    const { items } = await service.operate('GET', `/accounts/${scene.accountId}/keys`);
    const [{ key_id }] = items as [{ key_id: string }];
    const waiting = tools.call('wait_for_job', { job_id });
    await begunWaits(service, 1);
    await service.operate('POST', `/keys/${key_id}/revoke`);
    await scene.lease();
    expect(await waiting).toMatch(/^API_KEY_INVALID \(401\): /);
  });

  it('cancels, tells what changed since a cursor, and waits', async () => {
    const { cursor } = await tools.answer('list_changes');
    const job_id = await scene.create();
    const waiting = tools.answer('wait_for_job', { job_id });
    await begunWaits(service, 1);
    expect(await tools.answer('cancel_job', { job_id })).toMatchObject({ status: 'cancelled' });
    expect(await waiting).toMatchObject({ outcome: 'cancelled' });
    const { changes } = await tools.answer('list_changes', { after: cursor });
    expect(changes).toContainEqual(expect.objectContaining({ event_type: 'job.cancelled' }));
  });

  it('says that a job has not ended when the wait is over', async () => {
    const job_id = await scene.create();
    expect(await tools.answer('wait_for_job', { job_id, seconds: 1 })).toMatchObject({
      outcome: 'not_ended',
      job: { status: 'queued' },
    });
  });

  it('prints documents of 200 KiB, many at once', async () => {
    const texts = [...'abcdef'].map((letter) => letter.repeat(204_800));
    await Promise.all(texts.map((text) => tools.print(requestOf(scene, { text }))));
    expect(await jobsOf(scene)).toBe(6);
  });

  it('keeps no large message that brings no document', async () => {
    const params = { name: 'wait_for_job', arguments: { job_id: 'x', pad: 'x'.repeat(100_000) } };
    expect((await post(service, { ...LIST, method: 'tools/call', params }, scene.key)).status).toBe(400);
  });

  it('prints twelve documents of 200 KiB at once, while the account creates others', async () => {
    const texts = [...'abcdefghijkl'].map((letter) => letter.repeat(204_800));
    const prints = texts.map((text) => tools.print(requestOf(scene, { text })));
    await scene.create();
    expect((await Promise.all(prints)).map((one) => typeof one)).toEqual(texts.map(() => 'object'));
    expect(await jobsOf(scene)).toBe(13);
  });

  describe('offered to a key', () => {
    it.each<[string, readonly string[], readonly string[]]>([
      ['that only reads', ['printers:read', 'jobs:read'], READING],
      ['of a monitor', ['computers:read'], ['list_changes']],
      [
        'that cancels',
        ['jobs:read', 'jobs:cancel'],
        ['cancel_job', 'explain_job', 'get_job', 'list_changes', 'wait_for_job'],
      ],
      ['that creates but sees no printer', ['jobs:create', 'computers:read'], ['list_changes']],
      ['that prints', ['printers:read', 'jobs:create'], ['list_changes', 'prepare_print', 'print']],
    ])('%s', async (_, scopes, expected) => {
      const offered = await McpTools.overHttp(service.url, await keyWith(scene, ...scopes));
      expect(await offered.names()).toEqual(expected);
      await offered.close();
    });

    it('are no others: a call of one is refused', async () => {
      const reader = await McpTools.overHttp(service.url, await keyWith(scene, 'printers:read', 'jobs:read'));
      expect(await reader.call('print', requestOf(scene, { confirm: 'x' }))).toContain('print not found');
      expect(await jobsOf(scene)).toBe(0);
      await reader.close();
    });
  });

  describe('given hostile arguments', () => {
    const args = (more: object) => ({ printer_id: scene.printerId, text: 'x', occasion: 'o', ...more });

    it.each<[string, () => object]>([
      ['too many copies', () => args({ copies: 1_000_000 })],
      ['half a copy', () => args({ copies: 0.5 })],
      ['two documents', () => args({ pdf_base64: 'JVBERi0=' })],
      ['a file of the server', () => args({ text: undefined, file: '/etc/passwd' })],
      ['a printer that is none', () => args({ printer_id: '../svc-api-account' })],
      ['an object for a text', () => args({ text: { toString: 'x' } })],
      ['an overlong title', () => args({ title: 'x'.repeat(161) })],
      ['an inherited name', () => ({ toString: 'y', valueOf: 'z' })],
    ])('refuses %s', async (_, given) => {
      expect(await tools.call('prepare_print', given())).toEqual(expect.any(String));
      expect(await jobsOf(scene)).toBe(0);
    });

    it.each<[string, object, string]>([
      ['what is no PDF', { text: undefined, pdf_base64: 'aGVsbG8=' }, 'must be a whole PDF in Base64'],
      ['what is no Base64', { text: undefined, pdf_base64: '%%%' }, 'must be a whole PDF in Base64'],
      ['an empty text', { text: '' }, 'must not be empty'],
      ['a title that reads backwards', { title: '\u202eevil' }, 'SVC_VALIDATION_FAILED (400)'],
    ])('prints nothing of %s', async (_, more, refusal) => {
      expect(await tools.print(args(more))).toContain(refusal);
      expect(await jobsOf(scene)).toBe(0);
    });

    it.each(['..', '../svc-api-account', '', 'x?at=2020-01-01', '%2e%2e', '\0'])(
      'finds no job %j',
      async (job_id) => {
        for (const name of ['get_job', 'explain_job', 'cancel_job'])
          expect(await tools.call(name, { job_id })).toMatch(/^SVC_\w+ \(40[04]\): /);
      },
    );

    it('finds nothing of another account', async () => {
      const other = await JobScene.open(service);
      const job_id = await other.create();
      for (const name of ['get_job', 'explain_job', 'cancel_job', 'wait_for_job'])
        expect(await tools.call(name, { job_id })).toMatch(/^SVC_JOB_NOT_FOUND \(404\): /);
      expect(await tools.call('prepare_print', requestOf(other))).toContain(`no printer ${other.printerId}`);
      const { confirm } = await tools.answer('prepare_print', requestOf(scene));
      expect(await tools.call('print', { ...requestOf(other), confirm })).toContain('call prepare_print');
    });
  });
});

/** A message without the official client. */
async function post(
  { url }: TestService,
  json: unknown,
  key?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const body = typeof json === 'string' ? json : JSON.stringify(json);
  const authorization = key === undefined ? undefined : { authorization: `Bearer ${key}` };
  const answered = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization, ...headers },
    body,
  });
  const text = await answered.text();
  return { status: answered.status, headers: answered.headers, text, body: text ? JSON.parse(text) : {} };
}

/** Resolves when so many calls wait for a job. */
const begunWaits = ({ service }: TestService, count: number) =>
  soon(async () => service.app.get(JobPolling, { strict: false }).waiting === count);

describe('a message over HTTP', () => {
  const service = serviceForAll({ env: { RATE_LIMIT_FACTOR: '1' } });
  let scene: JobScene;
  beforeEach(async () => void (scene = await JobScene.open(service)));

  it('is answered as JSON, and a notification with 202', async () => {
    const listed = await post(service, LIST, scene.key);
    expect([listed.status, listed.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(listed.body).toMatchObject({ jsonrpc: '2.0', id: 1, result: { tools: expect.any(Array) } });
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const noted = await post(service, initialized, scene.key);
    expect([noted.status, noted.text]).toEqual([202, '']);
  });

  it('is refused in the form of the Integration API before the protocol sees it', async () => {
    const refusals = await Promise.all([
      post(service, '{', undefined),
      post(service, LIST, `${scene.key}x`),
      post(service, '{', scene.key),
      post(service, [LIST, LIST], scene.key),
      post(service, { ...LIST, id: null }, scene.key),
      post(service, { ...LIST, params: [] }, scene.key),
      post(service, { jsonrpc: '2.0', id: 1, result: {} }, scene.key),
      post(service, { ...LIST, params: { constructor: 'x' } }, scene.key),
      post(service, `${JSON.stringify(LIST)}${' '.repeat(1_048_576)}`, scene.key),
      post(service, LIST, scene.key, { 'content-type': 'text/plain' }),
    ]);
    expect(refusals.map(verdict)).toEqual([
      '401 API_KEY_INVALID',
      '401 API_KEY_INVALID',
      '400 SVC_VALIDATION_FAILED',
      '400 SVC_VALIDATION_FAILED',
      '400 SVC_VALIDATION_FAILED',
      '400 SVC_VALIDATION_FAILED',
      '400 SVC_VALIDATION_FAILED',
      '400 SVC_VALIDATION_FAILED',
      '413 SVC_PAYLOAD_TOO_LARGE',
      '415 SVC_UNSUPPORTED_MEDIA_TYPE',
    ]);
    for (const { body } of refusals) expect(body).toMatchObject({ contract: 'svc_api_error_v1' });
  });

  it('is refused by the protocol for a version that it does not know', async () => {
    const { status, body } = await post(service, LIST, scene.key, { 'mcp-protocol-version': '1999-01-01' });
    expect([status, body.error]).toEqual([400, expect.objectContaining({ code: -32_000 })]);
  });

  it.each(['GET', 'DELETE'])('is no %s: there is no stream and no session to end', async (method) => {
    const answered = await service.call(method, '/mcp', { as: scene.key });
    expect([verdict(answered), answered.headers.get('allow')]).toEqual([
      '405 SVC_METHOD_NOT_ALLOWED',
      'POST',
    ]);
  });

  it('needs a key: the session of a person is none', async () => {
    const { browser } = await joined(service, scene.accountId, 'bea', 'owner');
    expect(verdict(await browser.call('POST', '/mcp', LIST))).toBe('401 API_KEY_INVALID');
  });

  it('needs a scope that some tool needs', async () => {
    const key = await keyWith(scene, 'account:read', 'jobs:create');
    expect(verdict(await post(service, LIST, key))).toBe('403 API_KEY_SCOPE_INSUFFICIENT');
  });

  it('of a suspended account is refused', async () => {
    await service.operate('POST', `/accounts/${scene.accountId}/suspend`);
    expect(verdict(await post(service, LIST, scene.key))).toBe('403 SVC_ACCOUNT_SUSPENDED');
  });

  it('is one of 120 in a minute for a key', async () => {
    const other = await keyWith(scene, 'jobs:read');
    for (let n = 0; n < 120; n++) expect((await post(service, LIST, scene.key)).status).toBe(200);
    expect(verdict(await post(service, LIST, scene.key))).toBe('429 RATE_LIMIT_EXCEEDED');
    expect((await post(service, LIST, other)).status).toBe(200);
  });

  it('counts its calls of the Integration API as the requests that they are', async () => {
    const tools = await McpTools.overHttp(service.url, scene.key);
    const explain = () => tools.call('explain_job', { job_id: NOBODYS_ID });
    const path = `/svc-api-print-jobs/${NOBODYS_ID}/explanation`;
    for (let n = 0; n < 119; n++) await service.call('GET', path, { as: scene.key });
    expect(await explain()).toMatch(/^SVC_JOB_NOT_FOUND/);
    expect(await explain()).toMatch(/^RATE_LIMIT_EXCEEDED \(429\): /);
    await tools.close();
  });

  it('answers the changes that were read before a limit, with the cursor to go on', async () => {
    const content = { type: 'text', encoding: 'utf8', data: 'x' };
    const jobs = Array.from({ length: 100 }, (_, n) => ({
      idempotency_key: `order-${n}-1211`,
      printer_id: scene.printerId,
      content,
    }));
    const batch = { as: scene.key, json: { jobs } };
    expect((await service.call('POST', '/svc-api-print-jobs/batch', batch)).status).toBe(200);
    const { body } = await service.call('GET', '/svc-api-changes?limit=1', { as: scene.key });
    const after = String(body.data!.next_cursor);
    for (let n = 0; n < 118; n++) await service.call('GET', '/svc-api-changes?limit=1', { as: scene.key });
    const tools = await McpTools.overHttp(service.url, scene.key);
    const { changes, cursor } = await tools.answer<{ changes: object[]; cursor: string }>('list_changes', {
      after,
    });
    expect([changes.length, cursor === after]).toEqual([200, false]);
    await tools.close();
  });

  it('waits for its turn while four of its key are served, and keeps no other key waiting', async () => {
    const tools = await McpTools.overHttp(service.url, scene.key);
    const other = await McpTools.overHttp(service.url, await keyWith(scene, 'jobs:read'));
    const job_id = await scene.create();
    const waits = Array.from({ length: 4 }, () => tools.answer('wait_for_job', { job_id }));
    await begunWaits(service, 4);
    expect(await other.answer('get_job', { job_id })).toMatchObject({ status: 'queued' });
    const { pending } = service.clock;
    const fifth = post(service, LIST, scene.key);
    await soon(async () => service.clock.pending > pending);
    service.clock.advance(10 * SECOND);
    expect(verdict(await fifth)).toBe('429 RATE_LIMIT_EXCEEDED');

    await scene.cancel(job_id);
    expect(await Promise.all(waits)).toMatchObject(Array(4).fill({ outcome: 'cancelled' }));
    expect((await post(service, LIST, scene.key)).status).toBe(200);
    await Promise.all([tools.close(), other.close()]);
  });

  it('gives its place back when its client leaves', async () => {
    const tools = await McpTools.overHttp(service.url, scene.key);
    const job_id = await scene.create();
    const leaving = new AbortController();
    const calls = Array.from({ length: 4 }, () =>
      tools.call('wait_for_job', { job_id }, leaving.signal).catch((error: unknown) => error),
    );
    await begunWaits(service, 4);
    leaving.abort();
    await tools.close();
    await Promise.all(calls);
    service.clock.advance(25 * SECOND);
    await begunWaits(service, 0);
    expect((await post(service, LIST, scene.key)).status).toBe(200);
  });
});
