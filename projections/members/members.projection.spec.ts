import * as the from '../../test/kit/examples/members.js';
import { project } from '../../test/kit/projection.js';
import { recorded } from '../../test/kit/recorded.js';
import { membersProjection } from './members.projection.js';

const shown = (...events: Parameters<typeof recorded>[1][]) =>
  project(membersProjection, recorded(`members-${the.ACCOUNT_ID}`, ...events) as never);

describe('showing members', () => {
  it('shows each as invited, without a hash', () => {
    const documents = shown(the.invited(), the.invited(the.CARL, 'carl', 'viewer'), the.passwordSet());
    expect(documents.get(the.BEA)).toEqual({
      member_id: the.BEA,
      account_id: the.ACCOUNT_ID,
      name: 'bea',
      display_name: 'bea',
      role: 'owner',
      status: 'active',
      has_password: true,
      invited_at: the.NOON,
    });
    expect(documents.get(the.CARL)).toMatchObject({ role: 'viewer', has_password: false });
  });

  it('follows roles and removals, and keeps removed members for the audit', () => {
    const documents = shown(the.invited(), the.roleChanged('viewer'), the.sessionsEnded(), the.removed());
    expect(documents.get(the.BEA)).toMatchObject({
      role: 'viewer',
      status: 'removed',
      removed_at: the.later(3_000),
    });
  });

  it('tells whose alerts are on', () => {
    expect(shown(the.invited(), the.alertsChosen()).get(the.BEA)).toMatchObject({ has_alerts: true });
    const off = shown(the.invited(), the.alertsChosen(), the.alertsChosen({ kinds: [] }));
    expect(off.get(the.BEA)).not.toHaveProperty('has_alerts');
  });
});
