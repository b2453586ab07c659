import { request } from 'node:http';
import { PDFDocument } from 'pdf-lib';
import { sceneForEach } from '../../kit/job-scene.js';
import { serviceForAll } from '../../kit/service.js';
import { onePrinter } from '../../kit/world.js';
import { idOf, SECOND, verdict } from '../asking.js';

describe('printing a test page', () => {
  const service = serviceForAll();
  const scene = sceneForEach(service);

  const test = (id = scene.printerId, call: object = {}) =>
    service.call('POST', `/svc-api-printers/${id}/test`, { as: scene.key, ...call });

  it('answers 202 with an ordinary job', async () => {
    const { status, body } = await test();
    expect(status).toBe(202);
    expect(body).toMatchObject({ code: 'SVC_TEST_PRINT_ACCEPTED' });
    expect(body.data).toMatchObject({
      printer_id: scene.printerId,
      content_type: 'pdf',
      copies: 1,
      status: 'queued',
      can_cancel: true,
    });
    await scene.agent.print();
    expect((await scene.job(String(body.data!.job_id))).status).toBe('spooler_completed');
  });

  it('is a PDF of one page', async () => {
    const jobId = idOf(await test());
    await scene.agent.lease(1);
    const response = await fetch(`${service.url}/agent/jobs/${jobId}/content`, {
      headers: { authorization: `Bearer ${scene.agent.credential}` },
    });
    const document = await PDFDocument.load(await response.arrayBuffer());
    expect(document.getPageCount()).toBe(1);
  });

  it.each([
    [['raw', 'text'], 'text', /^Test page\n\nPrinter: Café ☃\n/],
    [['raw'], 'raw', /^Test page\r\n\r\nPrinter: Caf\? \?\r\n[\r\n -~]*\f$/],
    [['text', 'pdf'], 'pdf', /^%PDF-/],
  ])('uses the first of pdf, text and raw of a printer for %j: %s', async (types, type, start) => {
    const printer = { ...onePrinter, name: 'Café ☃', capabilities: { content_types: types } };
    const [id] = await scene.agent.inventory([printer]);
    const { status, body } = await test(id);
    expect([status, body.data!.content_type]).toEqual([202, type]);
    await scene.agent.lease(1);
    const response = await fetch(`${service.url}/agent/jobs/${String(body.data!.job_id)}/content`, {
      headers: { authorization: `Bearer ${scene.agent.credential}` },
    });
    expect(await response.text()).toMatch(start);
  });

  it('supports a printer name without glyphs in the font', async () => {
    const name = Array.from({ length: 175 }, (_, n) => String.fromCharCode(0xa0 + n)).join('');
    const [id] = await scene.agent.inventory([{ ...onePrinter, name: `${name} ☃ 打印` }]);
    expect((await test(id)).status).toBe(202);
  });

  it('creates a new job each time', async () => {
    expect(idOf(await test())).not.toBe(idOf(await test()));
  });

  /** Resolves to the status of a request whose body comes in chunks. */
  const inChunks = (body: string, type: string | undefined) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${scene.key}`, ...(type && { 'content-type': type }) };
      const url = `${service.url}/svc-api-printers/${scene.printerId}/test`;
      const sent = request(url, { method: 'POST', headers }, (answered) => {
        answered.resume().once('end', () => resolve(answered.statusCode));
      });
      sent.once('error', reject).flushHeaders();
      sent.end(body);
    });

  it.each([undefined, 'application/x-www-form-urlencoded'])(
    'takes chunks without content of the type %s, as the curl of PHP sends them',
    async (type) => {
      expect(await inChunks('', type)).toBe(202);
      expect(await inChunks('a=b', type)).toBe(415);
    },
  );

  it('accepts no body', async () => {
    expect(verdict(await test(scene.printerId, { json: { copies: 2 } }))).toBe('400 SVC_VALIDATION_FAILED');
  });

  it('refuses whatever a job would be refused for', async () => {
    expect(verdict(await test('01990000-0000-7000-8000-00000000dead'))).toBe('404 SVC_PRINTER_NOT_FOUND');
    expect(verdict(await test('nonsense'))).toBe('404 SVC_PRINTER_NOT_FOUND');
    await scene.agent.inventory([{ ...onePrinter, capabilities: { content_types: [] } }]);
    expect(verdict(await test())).toBe('409 SVC_CONTENT_TYPE_NOT_SUPPORTED');
    await scene.agent.inventory([{ ...onePrinter, online: false }]);
    expect(verdict(await test())).toBe('409 SVC_PRINTER_NOT_READY');
    await scene.agent.inventory([onePrinter]);
    await service.advance(90 * SECOND);
    expect(verdict(await test())).toBe('409 SVC_PRINTER_NOT_READY');
  });
});
