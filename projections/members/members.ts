import type { MemberRole } from '../../src/contexts/members/domain/member.events.js';
import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';

export interface MemberDocument {
  readonly member_id: string;
  readonly account_id: string;
  readonly name: string;
  readonly display_name: string;
  readonly role: MemberRole;
  readonly status: 'active' | 'removed';
  readonly has_password: boolean;
  /** Absent while the member is told of nothing. */
  readonly has_alerts?: boolean;
  readonly invited_at: Instant;
  readonly removed_at?: Instant;
}

export const membersView: ViewDefinition<MemberDocument> = {
  name: 'members',
  version: 1,
  indexes: [{ fields: ['account_id', 'status'] }],
};
