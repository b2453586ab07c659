import { randomUUID } from 'node:crypto';
import type { OperationSpec } from '../../../src/http/operation.js';
import type { Answered } from '../../kit/http/client.js';
import { startTestService, type TestService } from '../../kit/service.js';
import { ALL_SCOPES } from '../../kit/world.js';
import { everyHolder, type Holder } from './holders.js';
import { runningOperations } from './running-operations.js';
import { EVERY_DOCUMENT, servedOperations } from './served.js';

/** Answers of each surface to an unknown credential, a missing scope, and an invalid request. */
const CODES = {
  integration: ['API_KEY_INVALID', 'API_KEY_SCOPE_INSUFFICIENT', 'SVC_VALIDATION_FAILED'],
  partner: ['CREDENTIAL_INVALID', 'SCOPE_REQUIRED', 'INVALID_REQUEST'],
  agent: ['CREDENTIAL_INVALID', 'SCOPE_REQUIRED', 'INVALID_REQUEST'],
  operator: ['CREDENTIAL_INVALID', 'SCOPE_REQUIRED', 'INVALID_REQUEST'],
  panel: ['CREDENTIAL_INVALID', 'SCOPE_REQUIRED', 'INVALID_REQUEST'],
} as const;

const NEEDS_CALLER = ['required', 'remembered'];

describe('calling with a credential', () => {
  let service: TestService;
  let operations: OperationSpec[];
  let holders: Holder[];

  beforeAll(async () => {
    service = await startTestService();
    operations = runningOperations(service);
    holders = await everyHolder(service);
  }, 300_000);
  afterAll(() => service.close());

  it("reaches only operations that are documented, the operator's, public or a protocol's", async () => {
    const served = await servedOperations(service.url, EVERY_DOCUMENT);
    const documented = new Map(served.map(({ surface, id, operation }) => [`${surface} ${id}`, operation]));
    const undocumented = operations.filter(({ surface, id }) => !documented.delete(`${surface.name} ${id}`));
    expect([...documented.keys()]).toEqual([]);
    const others = undocumented.filter(({ surface, auth }) => surface.name !== 'operator' && auth !== 'none');
    // The Model Context Protocol describes its messages itself.
    expect(others.map(({ id }) => id)).toEqual(['callTools']);
  });

  it('requires the documented scopes', async () => {
    for (const { surface, id, operation } of await servedOperations(service.url, EVERY_DOCUMENT)) {
      const spec = operations.find((one) => one.surface.name === surface && one.id === id)!;
      expect([id, operation['x-svc-permissions']]).toEqual([id, spec.scopes ?? []]);
      expect([id, operation.security.length > 0]).toEqual([id, spec.auth !== 'none']);
    }
  });

  it('is refused unless the operation allows it', async () => {
    const before = await service.stores.events.head();
    const wrong: string[] = [];
    let requests = 0;
    for (const operation of operations.filter(({ auth = 'required' }) => NEEDS_CALLER.includes(auth))) {
      const unknown = new Set<string>();
      const knocking = knockingAt(operation, holders);
      const answers = await Promise.all(knocking.map((holder) => knock(operation, holder)));
      for (const [n, answered] of answers.entries()) {
        const holder = knocking[n]!;
        requests++;
        const verdict = `${answered.status} ${answered.body.code}`;
        if (verdict !== expected(operation, holder))
          wrong.push(`${operation.id} for ${holder.label}: ${verdict}`);
        if (answered.status === 401) unknown.add(said(answered));
      }
      if (unknown.size !== 1)
        wrong.push(`${operation.id} tells the unknown apart: ${[...unknown].join('\n')}`);
    }
    expect(wrong).toEqual([]);
    expect(requests).toBeGreaterThan(3_000);
    expect(await service.stores.events.head()).toEqual(before);
  }, 600_000);

  it('makes no difference for a public operation', async () => {
    for (const operation of operations.filter(({ auth }) => auth === 'none' || auth === 'optional')) {
      const answers = await Promise.all(holders.map((holder) => knock(operation, holder)));
      const told = answers.map((answer) => (operation.id === 'metrics' ? `${answer.status}` : said(answer)));
      expect([operation.id, ...new Set(told)]).toHaveLength(2);
    }
  });

  it('requires it in the Authorization header', async () => {
    const holder = holders.find(
      ({ label, scopes }) => label.startsWith('key of') && scopes.length === ALL_SCOPES.length,
    )!;
    const secret = holder.headers.authorization!.slice('Bearer '.length);
    const path = '/svc-api-account';
    const elsewhere = [
      service.call('GET', `${path}?access_token=${secret}`),
      service.call('GET', `${path}?api_key=${secret}`),
      service.call('GET', path, { headers: { 'x-api-key': secret } }),
      service.call('GET', path, { headers: { 'proxy-authorization': `Bearer ${secret}` } }),
      service.call('GET', path, { headers: { cookie: `authorization=Bearer ${secret}` } }),
    ];
    for (const { status } of await Promise.all(elsewhere)) expect(status).toBe(401);
    const known = await service.call('GET', path, { headers: { authorization: `bEARER ${secret}` } });
    expect(known.status).toBe(200);
  });

  /** The request breaks a rule that is checked last, so that it has no effect. */
  async function knock({ route }: OperationSpec, { headers }: Holder): Promise<Answered> {
    const [method, pattern] = route.split(' ') as [string, string];
    const path = pattern.replace(/:\w+/g, () => randomUUID());
    const json = method === 'GET' ? undefined : {};
    const below = path.startsWith('/v1') ? path.slice(3) : `/..${path}`;
    return service.call(method, `${below}?unknown_parameter=this`, { headers, json });
  }
});

/** A surface that refuses a kind of caller looks at no scope: there the largest set stands for the others. */
function knockingAt({ surface }: OperationSpec, holders: readonly Holder[]): Holder[] {
  const sizes = new Map<string, number>();
  const kindOf = ({ kind, surfaces }: Holder) => `${kind} ${surfaces.join(' ')}`;
  for (const holder of holders)
    sizes.set(kindOf(holder), Math.max(holder.scopes.length, sizes.get(kindOf(holder)) ?? 0));
  return holders.filter(
    (holder) => holder.surfaces.includes(surface.name) || holder.scopes.length === sizes.get(kindOf(holder)),
  );
}

function expected({ surface, callers, scopes = [], anyScope }: OperationSpec, holder: Holder): string {
  const [unknown, lacking, wrong] = CODES[surface.name as keyof typeof CODES];
  const isCaller = !callers || (holder.kind !== undefined && callers.includes(holder.kind));
  if (!holder.surfaces.includes(surface.name) || !isCaller) return `401 ${unknown}`;
  const holds = (scope: string) => holder.scopes.includes(scope);
  const isAllowed = scopes.every(holds) && (anyScope?.some(holds) ?? true);
  return isAllowed ? `400 ${wrong}` : `403 ${lacking}`;
}

/** Without the parts that differ in every answer. */
function said({ status, text, headers }: Answered): string {
  const ids = /"(request_id|correlation_id|time)":"[^"]*"/g;
  return `${status} ${headers.get('www-authenticate')} ${text.replace(ids, '')}`;
}
