import { type DynamicModule, Module } from '@nestjs/common';
import { ACCESS, type Access } from '../http/authentication.js';
import { AgentAuthenticator } from './agent/agent.authenticator.js';
import { AgentModule } from './agent/agent.module.js';
import { ApiKeyAuthenticator } from './integration/api-key.authenticator.js';
import { IntegrationModule } from './integration/integration.module.js';
import { OperatorAuthenticator } from './operator/operator.authenticator.js';
import { OperatorModule } from './operator/operator.module.js';
import { PanelModule } from './panel/panel.module.js';
import { SessionAuthenticator } from './panel/session.authenticator.js';
import { PartnerAuthenticator } from './partner/partner.authenticator.js';
import { PartnerModule } from './partner/partner.module.js';

/** All surfaces, and how each authenticates its callers. Sessions exist only with the panel. */
@Module({})
export class SurfacesModule {
  static with(hasPanel: boolean): DynamicModule {
    return {
      module: SurfacesModule,
      imports: [
        IntegrationModule,
        AgentModule,
        PartnerModule,
        OperatorModule,
        ...(hasPanel ? [PanelModule] : []),
      ],
      providers: [
        {
          provide: ACCESS,
          inject: [
            ApiKeyAuthenticator,
            AgentAuthenticator,
            PartnerAuthenticator,
            OperatorAuthenticator,
            { token: SessionAuthenticator, optional: true },
          ],
          useFactory: accessOf,
        },
      ],
      exports: [ACCESS],
    };
  }
}

function accessOf(
  apiKeys: ApiKeyAuthenticator,
  agents: AgentAuthenticator,
  partners: PartnerAuthenticator,
  operators: OperatorAuthenticator,
  sessions?: SessionAuthenticator,
): Access {
  const { admission } = apiKeys;
  return {
    integration: {
      authenticator: apiKeys,
      inAccount: (secret, accountId) => operators.inAccount(secret, accountId),
      session: sessions?.of('member', 'visitor'),
      admission,
    },
    panel: { session: sessions?.of('member', 'operator', 'visitor'), admission },
    agent: { authenticator: agents },
    partner: { authenticator: partners },
    operator: { authenticator: operators, session: sessions?.of('operator') },
  };
}
