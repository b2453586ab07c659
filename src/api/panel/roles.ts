import { INTEGRATION_SCOPES } from '../../contexts/accounts/index.js';
import type { MemberRole } from '../../contexts/members/index.js';

const viewer = INTEGRATION_SCOPES.filter((scope) => scope.endsWith(':read'));
const developer = [...INTEGRATION_SCOPES, 'panel:keys', 'panel:printers', 'panel:documents'] as const;

/** What a member may do: scopes of the Integration API, and those of the panel alone. */
export const SCOPES_OF_ROLE: Readonly<Record<MemberRole, readonly string[]>> = {
  viewer,
  developer,
  owner: [...developer, 'panel:members'],
};
