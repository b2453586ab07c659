import type { INestApplicationContext } from '@nestjs/common';
import type { Access } from '../http/authentication.js';
import type { Surface } from '../http/surface.js';
import { AgentAuthenticator } from './agent/agent.authenticator.js';
import { agent } from './agent/agent.surface.js';
import { ApiKeyAuthenticator } from './integration/api-key.authenticator.js';
import { integration } from './integration/integration.surface.js';
import { OperatorAuthenticator } from './operator/operator.authenticator.js';
import { operator } from './operator/operator.surface.js';
import { panel } from './panel/panel.surface.js';
import { SessionAuthenticator } from './panel/session.authenticator.js';
import { PartnerAuthenticator } from './partner/partner.authenticator.js';
import { partner } from './partner/partner.surface.js';

/** All surfaces; the first one answers unknown paths. */
export const surfaces: readonly Surface[] = [integration, partner, agent, operator, panel];

export function surfacesOf(hasPanel: boolean): readonly Surface[] {
  return hasPanel ? surfaces : surfaces.filter((surface) => surface !== panel);
}

/** How each surface authenticates its callers: without the panel nobody has a session. */
export function accessOf(app: INestApplicationContext, hasPanel: boolean): Access {
  const apiKeys = app.get(ApiKeyAuthenticator, { strict: false });
  const { admission } = apiKeys;
  const sessions = hasPanel ? app.get(SessionAuthenticator, { strict: false }) : undefined;
  return {
    integration: { authenticator: apiKeys, session: sessions?.of('member'), admission },
    panel: { session: sessions?.of('member', 'operator'), admission },
    agent: { authenticator: app.get(AgentAuthenticator, { strict: false }) },
    partner: { authenticator: app.get(PartnerAuthenticator, { strict: false }) },
    operator: {
      authenticator: app.get(OperatorAuthenticator, { strict: false }),
      session: sessions?.of('operator'),
    },
  };
}
