import { areAlertsOn } from '../../src/contexts/members/domain/alert.rules.js';
import type { MemberEvent } from '../../src/contexts/members/domain/member.events.js';
import type { Projection } from '../../src/kernel/projection.js';
import { membersView, type MemberDocument } from './members.js';

/** Keeps removed members, because the audit shows their names. */
export const membersProjection: Projection<MemberDocument, MemberEvent> = {
  view: membersView,
  handles: [
    'MemberInvited',
    'MemberPasswordSet',
    'MemberRoleChanged',
    'MemberSessionsEnded',
    'MemberAlertsChosen',
    'MemberRemoved',
  ],
  keysOf: ({ data }) => [data.memberId],

  apply(document, { type, data, metadata }) {
    if (type === 'MemberInvited') {
      const { memberId, accountId, name, displayName, role } = data;
      return {
        member_id: memberId,
        account_id: accountId,
        name,
        display_name: displayName,
        role,
        status: 'active',
        has_password: false,
        invited_at: metadata.at,
      };
    }
    if (!document) return undefined;
    switch (type) {
      case 'MemberPasswordSet':
        return { ...document, has_password: true };
      case 'MemberRoleChanged':
        return { ...document, role: data.role };
      case 'MemberSessionsEnded':
      case 'MemberThemeChosen':
        return document;
      case 'MemberAlertsChosen': {
        const { has_alerts: _, ...others } = document;
        return areAlertsOn(data.alerts) ? { ...others, has_alerts: true } : others;
      }
      case 'MemberRemoved':
        return { ...document, status: 'removed', removed_at: metadata.at };
    }
  },
};
