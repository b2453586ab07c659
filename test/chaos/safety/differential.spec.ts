import fc from 'fast-check';
import { fuzzedRequests, spoilt } from '../fuzz/fuzzed-request.js';
import { RawClient } from '../fuzz/raw-client.js';
import type { Pool } from '../fuzz/valid-values.js';
import { openFourTenants, type FourTenants } from './four-tenants.js';
import { idsFor, ownRequest } from './requests.js';
import type { Served } from './served.js';
import type { Tenant } from './tenant.js';
import { viewOf } from './view.js';

const SEED = 4711;
const REQUESTS = 25;

/** A partner's credential may change its other account. */
const AS_ACCOUNT = ['integration', 'agent'];

describe('a change in another account', () => {
  let world: FourTenants;
  let client: RawClient;

  beforeAll(async () => {
    world = await openFourTenants({ RATE_LIMIT_FACTOR: '0' });
    client = new RawClient(world.service.url);
  }, 300_000);
  afterAll(async () => {
    client.close();
    await world.service.close();
  });

  it('changes no answer to an account of another partner', async () => {
    const [anna, , cora] = world.tenants as [Tenant, Tenant, Tenant];
    const requests = await unseen(cora, () => harass(world.operations, anna, cora));
    expect(requests).toBeGreaterThan(700);
  }, 300_000);

  it('changes no answer to the other account of its partner', async () => {
    const [, bert, cora, dora] = world.tenants as [Tenant, Tenant, Tenant, Tenant];
    const operations = world.operations.filter(({ surface }) => AS_ACCOUNT.includes(surface));
    await unseen(bert, () => harass(operations, world.tenants[0]!, bert));
    const requests = await unseen(cora, () => harass(operations, dora, cora));
    expect(requests).toBeGreaterThan(400);
  }, 300_000);

  /** The tenant's view must be unchanged to the byte. */
  async function unseen<T>(tenant: Tenant, doing: () => Promise<T>): Promise<T> {
    const before = await viewOf(world.service, world.operations, tenant);
    const done = await doing();
    const after = await viewOf(world.service, world.operations, tenant);
    expect(before.size).toBeGreaterThan(20);
    expect([...after]).toEqual([...before]);
    return done;
  }

  /** Requests of one tenant to every operation, valid and mutated, half of them about the other's resources. */
  async function harass(operations: readonly Served[], attacker: Tenant, victim: Tenant): Promise<number> {
    let requests = 0;
    for (const served of operations) {
      const { as } = await ownRequest(world.service, served, attacker);
      const pool = bothOf(served, attacker, victim);
      for (const fuzzed of fc.sample(fuzzedRequests(served, pool), { numRuns: REQUESTS, seed: SEED })) {
        await client.send(spoilt(served, fuzzed, [as]));
        requests++;
      }
    }
    return requests;
  }
});

function bothOf(served: Served, attacker: Tenant, victim: Tenant): Pool {
  const [mine, theirs] = [idsFor(served, attacker), idsFor(served, victim)];
  return (name) => {
    if (name === 'wait_seconds') return fc.constant(0);
    if (name === 'Prefer') return fc.constant('wait=0');
    if (name === 'enrollment_token') return fc.constant(mine[name]!);
    if (name === 'events') return reports(mine, theirs);
    const [own, other] = [mine[name], theirs[name]];
    return own === undefined || other === undefined ? undefined : fc.constantFrom(own, other);
  };
}

/** The OpenAPI document does not constrain the events of a batch. */
const reports = (mine: Readonly<Record<string, string>>, theirs: Readonly<Record<string, string>>) =>
  fc
    .record({
      event_id: fc.uuid(),
      job_id: fc.constantFrom(mine.job_id, theirs.job_id),
      lease_id: fc.constantFrom(mine.lease_id, theirs.lease_id),
      fence: fc.constantFrom(1, 2),
      type: fc.constantFrom('spooled', 'spooler_completed', 'rejected', 'not_submitted'),
      occurred_at: fc.constant('2026-11-21T12:00:00.000Z'),
    })
    .map((report) => [report]);
