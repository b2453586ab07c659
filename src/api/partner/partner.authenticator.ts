import { Injectable } from '@nestjs/common';
import type { PartnerCredentialDocument } from '../../../projections/credentials/credentials.js';
import { PartnerCredentialQueries } from '../../../projections/credentials/credentials.queries.js';
import { TEST_SCOPES } from '../../contexts/accounts/index.js';
import { EventStore } from '../../event-sourcing/index.js';
import { CachedAuthenticator, type Principal } from '../../http/authentication.js';
import type { Calling } from '../../http/request.js';
import { isCredential } from '../../kernel/credential.js';
import { Clock } from '../../kernel/time.js';
import { LastUses } from '../last-uses.js';

/** Every principal of this surface is a partner's server. */
export interface PartnerPrincipal extends Principal {
  readonly partnerId: string;
  readonly environment: 'live' | 'test';
  readonly isStillValid: () => Promise<boolean>;
}
export type PartnerCaller = Calling<PartnerPrincipal>;

@Injectable()
export class PartnerAuthenticator extends CachedAuthenticator<PartnerPrincipal, PartnerPrincipal> {
  constructor(
    private readonly credentials: PartnerCredentialQueries,
    private readonly clock: Clock,
    private readonly uses: LastUses,
    events: EventStore,
  ) {
    const prefixes = ['svc_partner_live_', 'svc_partner_test_'];
    super(events, { prefixes, outdatedBy: ['PartnerCredentialRevoked'] });
  }

  /** Notes the use for `last_used_at`, at most once a minute. */
  protected async use(known: PartnerPrincipal): Promise<PartnerPrincipal> {
    await this.uses.note('partner-credential', known.credentialId, this.clock.now());
    return known;
  }

  protected override async findRecord(id: string): Promise<string | undefined> {
    return (await this.credentials.getCredential(id))?.credential_id;
  }

  protected async find(id: string, secret: string): Promise<PartnerPrincipal | undefined> {
    const credential = await this.credentials.getCredential(id);
    if (!credential || credential.status !== 'active' || !isCredential(secret, credential.hash))
      return undefined;
    return {
      kind: 'partner',
      credentialId: credential.credential_id,
      partnerId: credential.partner_id,
      scopes: effectiveScopes(credential),
      environment: credential.kind,
      isStillValid: () => this.isStillValid(credential.credential_id),
    };
  }

  private async isStillValid(credentialId: string): Promise<boolean> {
    return (await this.credentials.getCredential(credentialId))?.status === 'active';
  }
}

/** A test credential allows diagnostics only, whatever its stored scopes. */
function effectiveScopes({ kind, scopes }: PartnerCredentialDocument): ReadonlySet<string> {
  const allowed: readonly string[] = kind === 'test' ? TEST_SCOPES : scopes;
  return new Set(scopes.filter((scope) => allowed.includes(scope)));
}
