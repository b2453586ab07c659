import { TestPartner } from '../../kit/partner.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { INSECURE } from '../../surface/webhook-asking.js';
import { ownRequest, pathOf, send } from './requests.js';
import { bodySchema, needsCredential, servedOperations, type Served, type SurfaceName } from './served.js';
import { furnish, type Tenant } from './tenant.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A word such as `batch` in a path can be taken for an id too. */
const isAt = ({ path }: Served, asked: string) =>
  new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(asked.split('?')[0]!);

describe('every operation', () => {
  let service: TestService;
  let operations: Served[];
  let tenant: Tenant;

  beforeAll(async () => {
    service = await startTestService({ env: INSECURE });
    operations = await servedOperations(service.url);
    tenant = await furnish(service, await TestPartner.open(service), 'anna');
  }, 300_000);
  afterAll(() => service.close());

  const refusalOf = (surface: SurfaceName, code: string) =>
    surface === 'integration' ? `SVC_${code}` : code;

  it('accepts only the methods that Allow names', async () => {
    for (const served of operations) {
      const path = pathOf(await ownRequest(service, served, tenant));
      const here = operations.filter((each) => isAt(each, path)).map(({ method }) => method);
      const taken = here.includes('GET') ? [...here, 'HEAD'] : here;
      for (const method of METHODS.filter((each) => !taken.includes(each))) {
        const { status, headers, text, body } = await service.call(method, path);
        expect([method, path, status]).toEqual([method, path, 405]);
        expect(headers.get('allow')?.split(', ')).toEqual([...taken].sort());
        if (text) expect(body.code).toBe(refusalOf(served.surface, 'METHOD_NOT_ALLOWED'));
      }
    }
  });

  it('requires its headers', async () => {
    let asked = 0;
    for (const served of operations) {
      const own = await ownRequest(service, served, tenant);
      for (const name of Object.keys(own.headers)) {
        const { status, body } = await send(service, { ...own, headers: { ...own.headers, [name]: '' } });
        expect([served.id, status, body.message]).toEqual([served.id, 400, expect.stringContaining(name)]);
        asked++;
      }
      if (!bodySchema(served)) continue;
      const raw = JSON.stringify(own.body);
      const headers = { ...own.headers, 'content-type': 'text/plain' };
      const plain = await service.call(served.method, pathOf(own), { as: own.as, headers, raw });
      expect([served.id, plain.status]).toEqual([served.id, 415]);
      asked++;
    }
    expect(asked).toBeGreaterThan(15);
  });

  it('refuses a credential as soon as it is revoked', async () => {
    const ends: Readonly<Record<Exclude<SurfaceName, 'panel'>, (mortal: Tenant) => Promise<unknown>>> = {
      integration: (mortal) => mortal.partner.call('POST', `/accounts/${mortal.accountId}/deactivate`),
      agent: ({ partner, accountId, agent }) =>
        partner.call('POST', `/accounts/${accountId}/devices/${agent.computerId}/deactivate`),
      partner: ({ partner }) => service.operate('POST', `/credentials/${partner.credentialId}/revoke`),
    };
    for (const [surface, end] of Object.entries(ends)) {
      const mortal = await furnish(service, await TestPartner.open(service), surface);
      const credentials = { integration: mortal.keys[0], partner: mortal.partner.credential };
      const as = surface === 'agent' ? mortal.agent.credential : credentials[surface as 'partner'];
      const theirs = operations.filter((one) => one.surface === surface && needsCredential(one));
      const requests = await Promise.all(theirs.map((served) => ownRequest(service, served, mortal)));
      const known = requests.find(({ served }) => served.method === 'GET')!;
      expect((await send(service, { ...known, as })).status).toBeLessThan(405);
      await end(mortal);
      for (const request of requests) {
        const { status } = await send(service, { ...request, as });
        expect([request.served.id, status]).toEqual([request.served.id, 401]);
      }
    }
  }, 300_000);
});
