import { randomUUID } from 'node:crypto';
import type { Answered, Call } from '../../kit/http/client.js';
import { Conformance } from '../../kit/openapi.js';
import { PARTNER_SCOPES, TestPartner } from '../../kit/partner.js';
import { serviceForAll } from '../../kit/service.js';
import { withinASecond } from '../../kit/polling.js';
import { TestAgent } from '../../kit/world.js';

interface Row {
  readonly method: string;
  readonly path: string;
  readonly scope: string;
  readonly json?: object;
  readonly headers?: Record<string, string>;
}

/** Every operation of the contract's table with a credential, on these resources. */
const rowsFor = (account: string, device: string, printer: string, job: string): Row[] => {
  const content = { type: 'text', encoding: 'utf8', data: 'x' };
  const headers = { 'idempotency-key': randomUUID() };
  const of = (rest: string) => `/accounts/${account}${rest}`;
  return [
    { method: 'GET', path: '/managed/health', scope: 'diagnostics:read' },
    { method: 'GET', path: '/managed/capabilities', scope: 'diagnostics:read' },
    {
      method: 'POST',
      path: '/accounts',
      scope: 'accounts:write',
      json: { external_id: 'scoped', display_name: 'Scoped' },
    },
    { method: 'GET', path: of('/devices'), scope: 'devices:read' },
    { method: 'POST', path: of('/enrollments'), scope: 'devices:write' },
    { method: 'GET', path: of('/printers'), scope: 'printers:read' },
    { method: 'PATCH', path: of(`/printers/${printer}`), scope: 'printers:write', json: { enabled: true } },
    {
      method: 'POST',
      path: of('/jobs'),
      scope: 'jobs:write',
      json: { printer_id: printer, content },
      headers,
    },
    { method: 'GET', path: of('/jobs'), scope: 'jobs:read' },
    { method: 'GET', path: of(`/jobs/${job}`), scope: 'jobs:read' },
    { method: 'POST', path: of(`/devices/${device}/deactivate`), scope: 'devices:write' },
    { method: 'POST', path: of('/deactivate'), scope: 'accounts:write' },
  ];
};

describe('the authority of a partner', () => {
  const service = serviceForAll();
  let partner: TestPartner;
  let ids: [string, string, string, string];
  beforeAll(async () => {
    partner = await TestPartner.open(service);
    ids = await furnish(partner);
  });

  async function furnish(owner: TestPartner): Promise<[string, string, string, string]> {
    const account = await owner.account();
    const { agent, printerId } = await TestAgent.ready(service, account);
    const job = await owner.print(account, printerId);
    return [account, agent.computerId, printerId, String(job.body.data!.job_id)];
  }
  const send = ({ method, path, json, headers }: Row, as: string, more: Call = {}) =>
    service.call(method, path, { as, ...(json && { json }), ...(headers && { headers }), ...more });
  const judged = ({ status, body }: Answered) => [status, body.code];
  const head = () => service.stores.events.head();

  it('needs the scopes of the contract', async () => {
    const { document } = await Conformance.of(`${service.url}/managed/openapi.json`);
    const parts = ['account_id', 'device_id', 'printer_id', 'job_id'].map((name) => `{${name}}`);
    for (const { method, path, scope } of rowsFor(...(parts as typeof ids)))
      expect([path, document.paths[path]?.[method.toLowerCase()]?.['x-svc-permissions']]).toEqual([
        path,
        [scope],
      ]);
  });

  it('is limited to diagnostics for a test credential', async () => {
    const { secret } = await partner.credentialOf('test', ['diagnostics:read']);
    for (const row of rowsFor(...ids)) {
      const { status } = await send(row, secret);
      expect([row.path, status]).toEqual([row.path, row.scope === 'diagnostics:read' ? 200 : 403]);
    }
    const { body } = await service.call('GET', '/managed/capabilities', { as: secret });
    expect(body.data).toMatchObject({ environment: 'test' });
    await expect(partner.credentialOf('test', ['diagnostics:read', 'jobs:read'])).rejects.toThrow('400');
  });

  it('ends within a second of a revocation; several credentials may be valid at once', async () => {
    const next = await partner.credentialOf('live', PARTNER_SCOPES);
    const asks = (as: string) => service.call('GET', '/managed/health', { as });
    const old = await partner.credentialOf('live', PARTNER_SCOPES);
    expect([(await asks(old.secret)).status, (await asks(next.secret)).status]).toEqual([200, 200]);
    await service.operate('POST', `/credentials/${old.id}/revoke`);
    await withinASecond(async () => (await asks(old.secret)).status === 401);
    expect((await asks(next.secret)).status).toBe(200);
  });

  it.each(['partner', 'partner_id', 'provider', 'account_id', 'environment'])(
    'cannot be overridden by %s in a body or a query',
    async (field) => {
      const before = await head();
      for (const row of rowsFor(...ids)) {
        const query = await send({ ...row, path: `${row.path}?${field}=x` }, partner.credential);
        expect([row.path, ...judged(query)]).toEqual([row.path, 403, 'AUTHORITY_OVERRIDE']);
        if (row.method === 'GET') continue;
        const body = await send({ ...row, json: { ...row.json, [field]: 'x' } }, partner.credential);
        expect([row.path, ...judged(body)]).toEqual([row.path, 403, 'AUTHORITY_OVERRIDE']);
      }
      const enroll = await service.call('POST', '/managed/enroll', {
        json: { enrollment_token: 'x', [field]: 'x' },
      });
      expect(judged(enroll)).toEqual([403, 'AUTHORITY_OVERRIDE']);
      expect(await head()).toBe(before);
    },
  );

  it('has no routes beyond the contract (4.4, rule 4)', async () => {
    const [account, , printer] = ids;
    const missing: [string, string][] = [
      ['POST', '/pairing/redeem'],
      ['GET', `/accounts/${account}`],
      ['POST', `/accounts/${account}/reactivate`],
      ['POST', `/accounts/${account}/printers/${printer}/test`],
      ['POST', '/managed/pairing/redeem'],
    ];
    for (const [method, path] of missing)
      expect([path, (await partner.call(method, path)).status]).toEqual([path, 404]);
    const wrong = await partner.call('DELETE', `/accounts/${account}/jobs`);
    expect([...judged(wrong), wrong.headers.get('allow')]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'GET, HEAD, POST',
    ]);
  });
});
