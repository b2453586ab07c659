import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { TestPartner } from '../../kit/partner.js';
import type { TestService } from '../../kit/service.js';
import { idsFor, ownRequest } from '../safety/requests.js';
import { isRead, type Served } from '../safety/served.js';
import { furnish, tokenOf, type Tenant } from '../safety/tenant.js';
import { fuzzedRequests, spoilt, type Fuzzed } from './fuzzed-request.js';
import { CREDENTIALS, Judgement } from './judgement.js';
import type { RawClient } from './raw-client.js';
import type { Pool } from './valid-values.js';

export interface FuzzWorld {
  readonly service: TestService;
  readonly client: RawClient;
  readonly operations: readonly Served[];
  /** Another tenant, whose ids are tried too. */
  readonly victim: Tenant;
  /** Caller for operations that change nothing. */
  readonly reader: Tenant;
}

export interface Figures {
  requests: number;
  /** Number of answers by status. */
  readonly statuses: Record<number, number>;
  readonly milliseconds: number[];
}

/** Enrolment tokens work once; this many are available. */
const TOKENS = 10;

/**
 * Sends generated requests, valid and mutated, to an operation; changes affect only a separate tenant.
 * @throws with the seed and the smallest request with a wrong answer
 */
export async function fuzzOperation(
  world: FuzzWorld,
  served: Served,
  runs: number,
  seed: number,
): Promise<Figures> {
  const { service, client, operations, reader } = world;
  const tenant = isRead(served) ? reader : await furnish(service, await TestPartner.open(service), served.id);
  const { as } = await ownRequest(service, served, tenant);
  const credentials = [as, ...(await worthless(service, served, tenant))];
  if (credentials.length !== CREDENTIALS) throw new Error(`${CREDENTIALS} credentials are to choose from`);
  const pool = await poolOf(world, served, tenant);
  const judgement = new Judgement(operations);
  const figures: Figures = { requests: 0, statuses: {}, milliseconds: [] };
  const judged = async (fuzzed: Fuzzed) => {
    const sent = spoilt(served, fuzzed, credentials);
    const start = performance.now();
    const answered = await client.send(sent);
    figures.milliseconds.push(performance.now() - start);
    figures.requests++;
    figures.statuses[answered.status] = (figures.statuses[answered.status] ?? 0) + 1;
    const problems = judgement.problems(served, fuzzed, sent, answered);
    if (problems.length > 0) {
      throw new Error(
        `${served.id}: ${sent.method} ${sent.path}\n${String(sent.body)}\n${problems.join('\n')}\n${answered.text}`,
      );
    }
  };
  await fc.assert(fc.asyncProperty(fuzzedRequests(served, pool), judged), { numRuns: runs, seed });
  return figures;
}

/** Credentials invalid for this operation: unknown, revoked, and of the other surfaces. */
async function worthless(
  service: TestService,
  { surface }: Served,
  tenant: Tenant,
): Promise<(string | undefined)[]> {
  const { accountId, partner, keys, agent } = tenant;
  const key = await service.operate('POST', `/accounts/${accountId}/keys`, { scopes: ['jobs:read'] });
  await service.operate('POST', `/keys/${String(key.key_id)}/revoke`);
  const of = { integration: keys[0], partner: partner.credential, agent: agent.credential };
  const others = Object.entries(of).flatMap(([name, secret]) => (name === surface ? [] : [secret]));
  return [undefined, 'garbage', String(key.api_key), ...others];
}

const uuid = fc.uuid();
const soon = (now: string) =>
  fc
    .integer({ min: 1, max: 29 * 24 * 60 })
    .map((minutes) => new Date(Date.parse(now) + minutes * 60_000).toISOString());

/** Mostly the tenant's own values, sometimes former, foreign and unknown ones. */
async function poolOf({ service, victim }: FuzzWorld, served: Served, tenant: Tenant): Promise<Pool> {
  const own = idsFor(served, tenant);
  const tokens = await Promise.all(Array.from({ length: TOKENS }, () => tokenOf(service, tenant.accountId)));
  const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    'Idempotency-Key': fc.oneof(fc.constantFrom('the-same-key-1', 'the-same-key-2'), uuid),
    'If-None-Match': fc.constantFrom('W/"0"', 'W/"1"', '*', 'x', ''),
    'If-Range': fc.constantFrom('"x"', 'W/"1"', `"${tenant.contentHash}"`),
    Range: fc.constantFrom('bytes=0-3', 'bytes=-5', 'bytes=4-', 'lines=1-2', ''),
    Prefer: fc.constantFrom('wait=1', 'wait=25', 'respond-async', 'wait=99', ''),
    enrollment_token: fc.constantFrom(...tokens, tenant.dead.enrollment_token),
    installation_id: fc.oneof(fc.constant(own.installation_id), uuid),
    cursor: fc.constantFrom(own.cursor, undefined, undefined, undefined),
    printer_key: fc.oneof(fc.constant(own.printer_key), uuid),
    content_hash: fc.oneof(fc.constant(tenant.contentHash), fc.stringMatching(/^[0-9a-f]{64}$/)),
    url: fc.oneof(
      fc.constant(own.url),
      uuid.map((id) => `http://127.0.0.1:9/${id}`),
    ),
    level: fc.constantFrom('0', '0', '1'),
    rest: fc.constantFrom('000.p/1', '000.p/2', '001'),
    fence: fc.constantFrom(1, 1, 1, 2, 1_000_000_000),
    expires_at: soon(service.clock.now()),
    since: /Evidence$/.test(served.id)
      ? fc.constantFrom('1', '2', '1,2')
      : fc.integer({ min: 0, max: 29 * 24 * 60 }).map((minutes) => service.fromNow(-minutes * 60_000)),
    until: fc.constantFrom(service.clock.now(), service.fromNow(60_000)),
  };
  return (name) => {
    if (name in values) return values[name];
    if (name === 'events') return reportsOf((of) => some(of)!, service.clock.now());
    return some(name);
  };

  function some(name: string): fc.Arbitrary<string> | undefined {
    const mine = own[name];
    if (mine === undefined || name === 'external_id') return undefined;
    const elses = [
      tenant.ids[name]!,
      tenant.dead[name] ?? mine,
      victim.ids[name]!,
      mine.toUpperCase(),
      randomUUID(),
    ];
    return fc.oneof(
      { weight: 6, arbitrary: fc.constant(mine) },
      { weight: 1, arbitrary: fc.constantFrom(...elses) },
    );
  }
}

const REPORTS = [
  'spooled',
  'spooler_completed',
  'spooler_failed',
  'not_submitted',
  'rejected',
  'no such thing',
];

/** The OpenAPI document does not constrain the events of a batch, which are validated separately. */
function reportsOf(some: (name: string) => fc.Arbitrary<string>, now: string): fc.Arbitrary<object[]> {
  const report = fc.record(
    {
      event_id: uuid,
      job_id: some('job_id'),
      lease_id: some('lease_id'),
      fence: fc.constantFrom(1, 2, 'one'),
      type: fc.constantFrom(...REPORTS),
      occurred_at: fc.constantFrom(now, 'yesterday'),
      failure_class: fc.constantFrom('temporary', 'permanent', 'ambiguous'),
      failure_code: fc.constantFrom('PAPER_OUT', 'paper out'),
      message: fc.string({ maxLength: 300 }),
    },
    { requiredKeys: ['event_id', 'job_id', 'lease_id', 'type'], noNullPrototype: true },
  );
  return fc.array(report, { minLength: 1, maxLength: 3 });
}
