import type { INestApplicationContext } from '@nestjs/common';
import type { Access } from '../http/authentication.js';
import type { Surface } from '../http/surface.js';
import { AgentAuthenticator } from './agent/agent.authenticator.js';
import { agent } from './agent/agent.surface.js';
import { ApiKeyAuthenticator } from './integration/api-key.authenticator.js';
import { integration } from './integration/integration.surface.js';
import { OperatorAuthenticator } from './operator/operator.authenticator.js';
import { operator } from './operator/operator.surface.js';
import { PartnerAuthenticator } from './partner/partner.authenticator.js';
import { partner } from './partner/partner.surface.js';

/** All surfaces; the first one answers unknown paths. */
export const surfaces: readonly Surface[] = [integration, partner, agent, operator];

/** How each surface authenticates its callers. */
export function accessOf(app: INestApplicationContext): Access {
  const apiKeys = app.get(ApiKeyAuthenticator, { strict: false });
  return {
    integration: { authenticator: apiKeys, admission: apiKeys.admission },
    agent: { authenticator: app.get(AgentAuthenticator, { strict: false }) },
    partner: { authenticator: app.get(PartnerAuthenticator, { strict: false }) },
    operator: { authenticator: app.get(OperatorAuthenticator, { strict: false }) },
  };
}
