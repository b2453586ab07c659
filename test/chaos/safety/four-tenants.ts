import { EvidenceLog } from '../../../src/evidence/evidence-log.js';
import { TestPartner } from '../../kit/partner.js';
import { startTestService, type TestService } from '../../kit/service.js';
import type { Relation } from './cells.js';
import { servedOperations, type Served } from './served.js';
import { INSECURE } from '../../surface/webhook-asking.js';
import { furnish, type Tenant } from './tenant.js';

export interface FourTenants {
  readonly service: TestService;
  readonly operations: readonly Served[];
  readonly tenants: readonly Tenant[];
  /** The other account of the same partner, and one of the other partner. */
  othersOf(tenant: Tenant): Readonly<Record<Relation, Tenant>>;
}

/** Limits are counted but never reached. */
const COUNTED = { RATE_LIMIT_FACTOR: '1000' };

/** Two partners with two accounts each, and one of every resource in each. */
export async function openFourTenants(env: Record<string, string> = COUNTED): Promise<FourTenants> {
  const service = await startTestService({ env: { ...INSECURE, ...env } });
  const [first, second] = [await TestPartner.open(service), await TestPartner.open(service)];
  const tenants: Tenant[] = [];
  for (const [partner, name] of [
    [first, 'anna'],
    [first, 'bert'],
    [second, 'cora'],
    [second, 'dora'],
  ] as const) {
    tenants.push(await furnish(service, partner, name));
  }
  await service.service.app.get(EvidenceLog, { strict: false }).publish();
  const othersOf = (tenant: Tenant) => ({
    sibling: tenants.find((other) => other.partner === tenant.partner && other !== tenant)!,
    foreign: tenants[(tenants.indexOf(tenant) + 2) % tenants.length]!,
  });
  return { service, operations: await servedOperations(service.url), tenants, othersOf };
}
