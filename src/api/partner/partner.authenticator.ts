import { Injectable } from '@nestjs/common';
import type { PartnerCredentialDocument } from '../../../projections/credentials/credentials.js';
import { PartnerCredentialQueries } from '../../../projections/credentials/credentials.queries.js';
import { TEST_SCOPES } from '../../contexts/accounts/index.js';
import { isCredential, parseCredential } from '../../kernel/credential.js';
import { CredentialCache, type Authenticator, type Principal } from '../../http/authentication.js';
import { EventStore } from '../../event-sourcing/index.js';

/** Every principal of this surface is a partner's server. */
export interface PartnerPrincipal extends Principal {
  readonly partnerId: string;
  readonly environment: 'live' | 'test';
  readonly stands: () => Promise<boolean>;
}

@Injectable()
export class PartnerAuthenticator implements Authenticator {
  private readonly cache = new CredentialCache<PartnerPrincipal>();

  constructor(
    private readonly credentials: PartnerCredentialQueries,
    events: EventStore,
  ) {
    events.onAppended((appended) => {
      if (appended.some(({ type }) => type === 'PartnerCredentialRevoked')) this.cache.clear();
    });
  }

  authenticate(secret: string): PartnerPrincipal | Promise<PartnerPrincipal | undefined> {
    return this.cache.get(secret, () => this.lookUp(secret));
  }

  async recordOf(secret: string): Promise<string | undefined> {
    const parsed = parseCredential(secret);
    if (parsed?.prefix !== 'svc_partner_live_' && parsed?.prefix !== 'svc_partner_test_') return undefined;
    return (await this.credentials.getCredential(parsed.id))?.credential_id;
  }

  private async lookUp(secret: string): Promise<PartnerPrincipal | undefined> {
    const parsed = parseCredential(secret);
    if (parsed?.prefix !== 'svc_partner_live_' && parsed?.prefix !== 'svc_partner_test_') return undefined;
    const credential = await this.credentials.getCredential(parsed.id);
    if (!credential || credential.status !== 'active' || !isCredential(secret, credential.hash))
      return undefined;
    return {
      kind: 'partner',
      credentialId: credential.credential_id,
      partnerId: credential.partner_id,
      scopes: effectiveScopes(credential),
      environment: credential.kind,
      stands: () => this.stands(credential.credential_id),
    };
  }

  private async stands(credentialId: string): Promise<boolean> {
    return (await this.credentials.getCredential(credentialId))?.status === 'active';
  }
}

/** A test credential allows diagnostics only, whatever its stored scopes. */
function effectiveScopes({ kind, scopes }: PartnerCredentialDocument): ReadonlySet<string> {
  const allowed: readonly string[] = kind === 'test' ? TEST_SCOPES : scopes;
  return new Set(scopes.filter((scope) => allowed.includes(scope)));
}
