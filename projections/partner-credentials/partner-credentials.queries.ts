import { Injectable } from '@nestjs/common';
import { ViewStore } from '../../src/ports/view-store.port.js';
import { partnerCredentialsView, type PartnerCredentialDocument } from './partner-credentials.js';

const MOST_LISTED = 1000;

/** What may be asked about partner credentials. */
@Injectable()
export class PartnerCredentialQueries {
  constructor(private readonly views: ViewStore) {}

  /** For authentication and the operator: of whichever partner. */
  getCredential(credentialId: string): Promise<PartnerCredentialDocument | undefined> {
    return this.views.get<PartnerCredentialDocument>(partnerCredentialsView, credentialId);
  }

  /** Newest first, revoked ones among them. */
  async listCredentials(partnerId: string): Promise<readonly PartnerCredentialDocument[]> {
    const query = { where: { partner_id: partnerId }, order: 'newest', limit: MOST_LISTED } as const;
    return (await this.views.find<PartnerCredentialDocument>(partnerCredentialsView, query)).documents;
  }
}
