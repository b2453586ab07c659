import { createHash, randomUUID } from 'node:crypto';
import { sceneForEach } from '../../kit/job-scene.js';
import { serviceForAll } from '../../kit/service.js';
import { onePrinter } from '../../kit/world.js';
import { DAY, SECOND, verdict } from '../asking.js';

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
const text = (data: unknown) => ({ type: 'text', encoding: 'utf8', data });
const base64 = (type: string, bytes: string | Buffer) => ({
  type,
  encoding: 'base64',
  data: Buffer.from(bytes).toString('base64'),
});
const UNKNOWN = '01990000-0000-7000-8000-00000000dead';

describe('creating a print job', () => {
  const service = serviceForAll();
  const scene = sceneForEach(service);

  const create = (more: object) => scene.submit(more);

  it('answers 201 with a queued job and its defaults', async () => {
    const { status, body } = await create({});
    const now = service.clock.now();
    expect(status).toBe(201);
    expect(body).toMatchObject({ code: 'SVC_JOB_CREATED', message: expect.any(String) });
    expect(body.data).toEqual({
      contract: 'svc_job_v1',
      environment: 'live',
      job_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      printer_id: scene.printerId,
      printer_code: expect.stringMatching(/^PR-[0-9A-F]{8}$/),
      printer_name: 'Till 1',
      computer_name: 'FRONT-DESK',
      content_type: 'text',
      content_hash: sha256('Hello, printer'),
      content_size_bytes: 14,
      copies: 1,
      status: 'queued',
      attempt_count: 0,
      retry_count: 0,
      max_auto_retries: 3,
      retry_state: 'none',
      created_at: now,
      updated_at: now,
      expires_at: service.fromNow(DAY),
      duration_ms: 0,
      is_final: false,
      can_cancel: true,
      can_retry: false,
    });
  });

  it.each([
    ['text', text('Grüße ☃ 😀'), Buffer.from('Grüße ☃ 😀')],
    ['pdf', base64('pdf', '%PDF-1.7\n%âãÏÓ\n%%EOF'), Buffer.from('%PDF-1.7\n%âãÏÓ\n%%EOF')],
    ['raw', base64('raw', Buffer.from([0x1b, 0x40, 0, 255, 254])), Buffer.from([0x1b, 0x40, 0, 255, 254])],
  ])('hashes and measures the decoded bytes of %s', async (content_type, content, bytes) => {
    const { body } = await create({ content });
    expect(body.data).toMatchObject({
      content_type,
      content_hash: sha256(bytes),
      content_size_bytes: bytes.length,
    });
  });

  it("stores the client's description of the job", async () => {
    const said = {
      copies: 20,
      external_id: 'x'.repeat(120),
      title: '☃'.repeat(160),
      expires_at: service.fromNow(30 * DAY),
    };
    expect((await create(said)).body.data).toMatchObject(said);
  });

  it('accepts ids in any case and times in any zone, and normalises both', async () => {
    const expires_at = `${service.fromNow(3 * 3_600_000).slice(0, 19)}+01:00`;
    const { body } = await create({ printer_id: scene.printerId.toUpperCase(), expires_at });
    expect(body.data).toMatchObject({
      printer_id: scene.printerId,
      expires_at: service.fromNow(2 * 3_600_000),
    });
  });

  it.each([
    ['printer_id', 'nonsense'],
    ['printer_id', 7],
    ['content', undefined],
    ['content', 'Hello'],
    ['content', { ...text('x'), more: 1 }],
    ['content', { type: 'text', data: 'x' }],
    ['content.type', { ...text('x'), type: 'gif' }],
    ['content.encoding', { ...text('x'), encoding: 'base64' }],
    ['content.encoding', { ...base64('raw', 'x'), encoding: 'utf8' }],
    ['content.data', text('')],
    ['content.data', text(null)],
    ['content.data', base64('pdf', 'Hello, no PDF')],
    ['content.data', base64('pdf', ' %PDF-1.7')],
    ['content.data', { ...base64('raw', ''), data: '' }],
    ['content.data', { ...base64('raw', ''), data: 'QUJ' }],
    ['content.data', { ...base64('raw', ''), data: 'QUI=QUI=' }],
    ['content.data', { ...base64('raw', ''), data: 'QUJD\n' }],
    ['content.data', { ...base64('raw', ''), data: 'QUI-' }],
    ['content.data', { ...base64('raw', ''), data: 'QR==' }],
    ['content.data', { ...base64('raw', ''), data: 'QUI' }],
    ['copies', 0],
    ['copies', 21],
    ['copies', 1.5],
    ['copies', '2'],
    ['copies', null],
    ['external_id', ''],
    ['external_id', 'x'.repeat(121)],
    ['external_id', 'tab\there'],
    ['title', ''],
    ['title', 'x'.repeat(161)],
    ['title', 'nul\u0000'],
    ['title', '\ud800'],
    ['expires_at', 'tomorrow'],
    ['expires_at', '2026-12-01T00:00Z'],
    ['expires_at', '2026-12-01T24:00:00Z'],
    ['expires_at', 1_800_000_000],
    ['priority', 'high'],
    ['environment', 'live'],
  ])('refuses a wrong %s by name', async (name, value) => {
    const field = name.split('.')[0]!;
    const refused = await create({ [field]: value });
    expect(verdict(refused)).toBe('400 SVC_VALIDATION_FAILED');
    expect(refused.body.message).toContain(name);
    expect(refused.body).toMatchObject({ contract: 'svc_api_error_v1', status: 400, retryable: false });
  });

  it('requires an Idempotency-Key of 8 to 128 ASCII characters', async () => {
    for (const wrong of [undefined, '', 'short-7', 'x'.repeat(129), 'with space', 'sl/ash-sl/ash']) {
      const refused = await service.call('POST', '/svc-api-print-jobs', {
        as: scene.key,
        json: { printer_id: scene.printerId, content: text('x') },
        ...(wrong !== undefined && { headers: { 'idempotency-key': wrong } }),
      });
      expect(verdict(refused)).toBe('400 SVC_VALIDATION_FAILED');
      expect(refused.body.message).toContain('Idempotency-Key');
    }
    for (const right of ['12345678', `aZ0._:-${'x'.repeat(121)}`])
      expect((await scene.submit({}, right)).status).toBe(201);
  });

  it('requires an expiry in the future and at most 30 days away', async () => {
    for (const expires_at of [service.fromNow(0), service.fromNow(-SECOND), service.fromNow(30 * DAY + 1)]) {
      const refused = await create({ expires_at });
      expect(verdict(refused)).toBe('400 SVC_VALIDATION_FAILED');
      expect(refused.body.message).toContain('expires_at');
    }
    for (const expires_at of [service.fromNow(1), service.fromNow(30 * DAY)])
      expect((await create({ expires_at })).status).toBe(201);
  });

  it('refuses a printer if its queue or computer is offline or removed', async () => {
    const notReady = async () => verdict(await create({}));
    await scene.agent.inventory([{ ...onePrinter, online: false }]);
    expect(await notReady()).toBe('409 SVC_PRINTER_NOT_READY');
    await scene.agent.inventory([]);
    expect(await notReady()).toBe('409 SVC_PRINTER_NOT_READY');
    await scene.agent.inventory([onePrinter]);
    expect((await create({})).status).toBe(201);
    await service.advance(90 * SECOND);
    expect(await notReady()).toBe('409 SVC_PRINTER_NOT_READY');
  });

  it('refuses a content type that the printer does not support', async () => {
    await scene.agent.inventory([{ ...onePrinter, capabilities: { content_types: ['raw'] } }]);
    expect(verdict(await create({ content: text('x') }))).toBe('409 SVC_CONTENT_TYPE_NOT_SUPPORTED');
    expect((await create({ content: base64('raw', 'x') })).status).toBe(201);
  });

  it('accepts any content type if the agent reports no capabilities', async () => {
    await scene.agent.inventory([{ ...onePrinter, capabilities: undefined }]);
    for (const content of [text('x'), base64('pdf', '%PDF-1.4'), base64('raw', 'x')])
      expect((await create({ content })).status).toBe(201);
  });

  it('checks the request before the printer: 400 before 404', async () => {
    expect(verdict(await create({ printer_id: UNKNOWN, copies: 0 }))).toBe('400 SVC_VALIDATION_FAILED');
  });

  it('shows the new job in the next read', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const { body } = await scene.submit({}, randomUUID());
        const read = await scene.job(String(body.data!.job_id));
        return [body.data!.job_id, read.job_id];
      }),
    );
    for (const [created, read] of answers) expect(read).toBe(created);
  });
});
