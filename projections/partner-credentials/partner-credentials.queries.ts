import { Injectable } from '@nestjs/common';
import { ViewStore } from '../../src/ports/view-store.port.js';
import { partnerCredentialsView, type PartnerCredentialDocument } from './partner-credentials.js';

const MAX_LISTED = 1000;

/** Queries about partner credentials. */
@Injectable()
export class PartnerCredentialQueries {
  constructor(private readonly views: ViewStore) {}

  /** Of any partner, for authentication and the operator. */
  getCredential(credentialId: string): Promise<PartnerCredentialDocument | undefined> {
    return this.views.get<PartnerCredentialDocument>(partnerCredentialsView, credentialId);
  }

  /** Newest first, including revoked ones. */
  async listCredentials(partnerId: string): Promise<readonly PartnerCredentialDocument[]> {
    const query = { where: { partner_id: partnerId }, order: 'newest', limit: MAX_LISTED } as const;
    return (await this.views.find<PartnerCredentialDocument>(partnerCredentialsView, query)).documents;
  }
}
