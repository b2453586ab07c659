import type { AccountEvent } from '../../src/contexts/accounts/domain/account.events.js';
import { plus } from '../../src/kernel/time.js';
import * as acme from '../../test/kit/examples/accounts.js';
import { project } from '../../test/kit/projection.js';
import { NOON, recorded } from '../../test/kit/recorded.js';
import { operatedAccountResource } from '../../src/api/operator/operator.resources.js';
import type { AccountDocument } from './accounts.js';
import { accountsProjection } from './accounts.projection.js';

const after = (...events: AccountEvent[]) =>
  project(accountsProjection, recorded(acme.ACCOUNT_STREAM, ...events)).get(acme.ACCOUNT_ID);

const open: AccountDocument = {
  account_id: acme.ACCOUNT_ID,
  name: 'Acme',
  slug: 'acme',
  status: 'active',
  environment_enabled: true,
  virtual_printers_only: false,
  plan: { jobs_per_month: 1000, max_content_bytes: 10_485_760, max_auto_retries: 3 },
  created_at: NOON,
  updated_at: NOON,
};
const second = plus(NOON, 1000);

describe('showing an account', () => {
  it('is active after the opening, with its environment on', () => {
    expect(after(acme.opened)).toEqual(open);
  });

  it('names the partner that provisioned it', () => {
    const partner = { partner_id: acme.PARTNER_ID, external_id: 'customer-7' };
    expect(after(acme.provisioned)).toEqual({ ...open, ...partner });
  });

  it.each<[AccountEvent, Partial<AccountDocument>]>([
    [acme.renamed(), { name: 'Acme Ltd' }],
    [acme.suspended, { status: 'suspended' }],
    [acme.switched(false), { environment_enabled: false }],
    [acme.planChanged({ jobsPerMonth: null }), { plan: { ...open.plan, jobs_per_month: null } }],
    [acme.closed, { status: 'closed', closed_at: second, close_reason: 'moved away' }],
  ])('follows $type', (event, changes) => {
    expect(after(acme.opened, event)).toEqual({ ...open, ...changes, updated_at: second });
  });

  it('is active again after a suspension', () => {
    expect(after(acme.opened, acme.suspended, acme.resumed)?.status).toBe('active');
  });
});

describe('answering with an account', () => {
  it('shows the operator the plan as well', () => {
    expect(operatedAccountResource(open)).toMatchObject({
      plan: open.plan,
      partner_id: null,
      closed_at: null,
    });
  });
});
