import { randomUUID } from 'node:crypto';
import { clientOf } from '../../kit/http/client.js';
import { exchange, head } from '../../kit/http/raw.js';
import { sceneForAll } from '../../kit/job-scene.js';
import { serviceForAll } from '../../kit/service.js';
import { onePrinter } from '../../kit/world.js';
import { itemsOf, verdict } from '../asking.js';

const BROKEN = {
  'an octet that is not UTF-8': '%ff',
  'an overlong form': '%c0%af',
  'half of a surrogate pair': '%ed%a0%80',
  'a sequence cut short': '%e2%82',
  'a percent sign alone': '100%',
};
const OVERRIDE = 'invoice\u202efdp.exe';

describe('odd text', () => {
  const service = serviceForAll();
  const scene = sceneForAll(service);
  let partner: string;
  beforeAll(async () => {
    const { partner_id } = await service.operate('POST', '/partners', { name: 'Tills' });
    const made = await service.operate('POST', `/partners/${String(partner_id)}/credentials`, {
      kind: 'live',
      scopes: ['diagnostics:read', 'accounts:write', 'devices:write'],
    });
    partner = String(made.credential);
  });

  describe('in a query', () => {
    it.each(Object.entries(BROKEN))('refuses %s on every surface', async (_, broken) => {
      const query = `?name=${broken}`;
      const rule = 'The query parameter name must be percent-encoded UTF-8.';
      const integration = await service.call('GET', `/svc-api-print-jobs${query}`, { as: scene.key });
      expect([verdict(integration), integration.body.message]).toEqual(['400 SVC_VALIDATION_FAILED', rule]);
      for (const [path, as] of [
        ['/managed/health', partner],
        ['/operator/accounts', service.operatorToken],
        [`/agent/jobs/${randomUUID()}/content`, scene.agent.credential],
      ] as const) {
        const answered = await service.call('GET', path + query, { as });
        expect([verdict(answered), answered.body.message]).toEqual(['400 INVALID_REQUEST', rule]);
      }
    });

    it('refuses it in a filter', async () => {
      const { body } = await service.call('GET', '/svc-api-print-jobs?external_id=%ff', { as: scene.key });
      expect(body.message).toBe('The query parameter external_id must be percent-encoded UTF-8.');
    });

    it('refuses it in a name without echoing it', async () => {
      const { body } = await service.call('GET', '/svc-api-print-jobs?st%ff=1', { as: scene.key });
      expect(body.message).toBe('The query parameter st?ff must be percent-encoded UTF-8.');
    });

    it('refuses octets beyond ASCII that are not percent-encoded', async () => {
      const { port } = new URL(service.url);
      const lines = ['Host: a', `Authorization: Bearer ${scene.key}`, 'Connection: close'];
      const request = head('GET /v1/svc-api-print-jobs?status=\xff HTTP/1.1', ...lines);
      expect((await exchange(Number(port), request)).status).toBe(400);
    });

    it('is checked after the credential', async () => {
      expect((await service.call('GET', '/svc-api-print-jobs?name=%ff')).status).toBe(401);
    });
  });

  it.each(Object.entries(BROKEN))('answers 404 for %s in a path', async (_, broken) => {
    const answered = await clientOf(service.url)('GET', `/svc-api-print-jobs/${broken}`, { as: scene.key });
    expect(verdict(answered)).toBe('404 SVC_ROUTE_NOT_FOUND');
  });

  describe('with bidirectional controls', () => {
    it.each([...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'])(
      'refuses %j in a title',
      async (control) => {
        const answered = await scene.submit({ title: `a${control}b` });
        expect(verdict(answered)).toBe('400 SVC_VALIDATION_FAILED');
        expect(answered.body.message).toMatch(/^title must be .* bidirectional/);
      },
    );

    it('accepts text in right-to-left scripts', async () => {
      expect((await scene.submit({ title: 'فاتورة ١٢ — חשבונית' })).status).toBe(201);
    });

    it('refuses them in every name and text of clients and operators', async () => {
      const { body } = await scene.submit();
      const integration: [string, object][] = [
        ['/svc-api-print-jobs', { printer_id: scene.printerId, content: {}, external_id: OVERRIDE }],
        [`/svc-api-print-jobs/${String(body.data!.job_id)}/cancel`, { reason: OVERRIDE }],
        ['/svc-create-webhook', { url: 'https://example.com', description: OVERRIDE }],
      ];
      const headers = { 'idempotency-key': randomUUID() };
      for (const [path, json] of integration) {
        const answered = await service.call('POST', path, { as: scene.key, headers, json });
        expect([path, verdict(answered)]).toEqual([path, '400 SVC_VALIDATION_FAILED']);
        expect(answered.body.message).toContain('bidirectional');
      }
      const plain: [string, string, object][] = [
        ['/operator/accounts', service.operatorToken, { name: OVERRIDE }],
        [
          `/operator/accounts/${scene.accountId}/keys`,
          service.operatorToken,
          { scopes: ['a'], name: OVERRIDE },
        ],
        ['/operator/partners', service.operatorToken, { name: OVERRIDE }],
        ['/accounts', partner, { external_id: 'a', display_name: OVERRIDE }],
        [`/accounts/${scene.accountId}/deactivate`, partner, { reason: OVERRIDE }],
      ];
      for (const [path, as, json] of plain) {
        const answered = await service.call('POST', path, { as, headers, json });
        expect([path, verdict(answered)]).toEqual([path, '400 INVALID_REQUEST']);
        expect(answered.body.message).toContain('bidirectional');
      }
    });

    it("replaces them by U+FFFD in an agent's inventory, which is accepted", async () => {
      const odd = { ...onePrinter, printer_key: 'cups:\u200fodd', name: OVERRIDE, driver: '\u2066' };
      const { status, body } = await scene.agent.call('PUT', '/inventory', {
        json: { printers: [onePrinter, odd] },
      });
      expect(status).toBe(200);
      expect(body.data!.printers).toMatchObject([
        { printer_key: 'till-1' },
        { printer_key: 'cups:\u200fodd' },
      ]);
      const printers = itemsOf(await service.call('GET', '/svc-api-printers', { as: scene.key }));
      expect(printers.map(({ name, driver }) => ({ name, driver }))).toContainEqual({
        name: 'invoice\ufffdfdp.exe',
        driver: '\ufffd',
      });
    });

    it('replaces them by U+FFFD in the hostname of an enrolled computer', async () => {
      const { enrollment_token } = await service.operate(
        'POST',
        `/accounts/${scene.accountId}/enrollments`,
        {},
      );
      const json = { enrollment_token, installation_id: randomUUID(), hostname: 'FRONT\u202eDESK' };
      expect((await service.call('POST', '/managed/enroll', { json })).status).toBe(200);
      const computers = itemsOf(await service.call('GET', '/svc-api-computers', { as: scene.key }));
      expect(computers.map(({ name }) => name)).toContain('FRONT\ufffdDESK');
    });
  });
});
