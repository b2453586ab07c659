import { Injectable } from '@nestjs/common';
import { PartnerCredentialQueries } from '../../../projections/partner-credentials/partner-credentials.queries.js';
import { isCredential, parseCredential } from '../../kernel/credential.js';
import type { Authenticator, Principal } from '../shared/authentication.js';
import { CredentialCache } from '../shared/credential-cache.js';

/** Every principal of this surface is a partner's server. */
export interface PartnerPrincipal extends Principal {
  readonly partnerId: string;
}

@Injectable()
export class PartnerAuthenticator implements Authenticator {
  private readonly cache = new CredentialCache<PartnerPrincipal>();

  constructor(private readonly credentials: PartnerCredentialQueries) {}

  authenticate(secret: string): Promise<PartnerPrincipal | undefined> {
    return this.cache.get(secret, () => this.lookUp(secret));
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
      scopes: new Set(credential.scopes),
      environment: credential.kind,
    };
  }
}
